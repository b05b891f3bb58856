//! Cache of results about files, in a folder, keyed by file contents.
//!
//! A result is reused if its dependencies are unchanged: the file, the read options, the names in the
//! file's folder if they were listed, and the bytes of related files that were read. Results of other builds
//! of this program are never used, and are removed.
//!
//! Invariant: several processes may share a folder. Results are written atomically and checked when read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FileRead, FileSource, FolderReads, hash, hash_of_content, hash_of_file};

/// Prefix of the folder of one build; the first 16 digits of the build's hash follow.
const PREFIX: &str = "rigscope-";
/// Makes backup programs skip the folder (<https://bford.info/cachedir>).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of rigscope, which can be made again.\n";

/// A folder of cached results.
pub struct Cache {
    folder: PathBuf,
    /// Hash of the read options.
    input: String,
}

/// Path of a cached result, which may not exist yet.
pub struct Key(PathBuf);

#[derive(Serialize, Deserialize)]
struct Entry {
    folders: Vec<Folder>,
    result: String,
}

#[derive(Serialize, Deserialize)]
struct Folder {
    names: Option<String>,
    parts: Vec<(String, Option<[u64; 2]>, Option<String>)>,
}

impl Cache {
    /// Opens or creates the cache folder for files read with options of the hash `input`, and removes results
    /// of other builds.
    ///
    /// # Errors
    /// If the folder can't be created or read.
    pub fn open(folder: &Path, input: String) -> std::io::Result<Self> {
        let program = hash_of_file(&std::env::current_exe()?)?;
        let build = program.get(..16).unwrap_or_default().to_owned();
        let own = folder.join(format!("{PREFIX}{build}"));
        std::fs::create_dir_all(&own)?;
        let tag = folder.join("CACHEDIR.TAG");
        if !tag.exists() {
            std::fs::write(&tag, TAG)?;
        }
        for entry in std::fs::read_dir(folder)?.flatten() {
            let is_of_a_build = |name: &str| {
                let build = name.strip_prefix(PREFIX).unwrap_or_default();
                build.len() == 16 && build.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            let is_other = entry.file_name().to_str().is_some_and(is_of_a_build);
            if is_other && entry.path() != own {
                // Another process may be removing it at the same time.
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        Ok(Self { folder: own, input })
    }

    /// The key of the result about `file`; `what` names the kind of result.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn key(&self, what: &str, file: &FileSource) -> std::io::Result<Key> {
        let source = &file.source;
        let content = hash_of_content(&source.content)?;
        let key = hash(format!("{what}\0{}\0{}\0{content}", self.input, source.name).as_bytes());
        let (first, rest) = key.split_at(2);
        Ok(Key(self.folder.join(first).join(rest)))
    }

    /// The cached result about `file`, if there is one and it's still valid.
    pub fn get(&self, key: &Key, file: &FileSource) -> Option<String> {
        let text = std::fs::read(&key.0).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        let reads: Vec<FolderReads> = entry.folders.into_iter().map(FolderReads::from).collect();
        file.is_unchanged(&reads).then_some(entry.result)
    }

    /// Stores the result about `file`.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn put(&self, key: &Key, file: &FileSource, result: &str) -> std::io::Result<()> {
        let folders = file.reads().into_iter().map(Folder::from).collect();
        let entry = Entry { folders, result: result.to_owned() };
        let folder = key.0.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder)?;
        // Without fsync: if a crash leaves an incomplete result, it is rejected when read.
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut temporary, &entry)?;
        temporary.persist(&key.0)?;
        Ok(())
    }
}

impl From<FolderReads> for Folder {
    fn from(reads: FolderReads) -> Self {
        let parts = reads.parts.into_iter().map(|part| (part.path, part.range, part.hash));
        Self { names: reads.names, parts: parts.collect() }
    }
}

impl From<Folder> for FolderReads {
    fn from(folder: Folder) -> Self {
        let parts = folder.parts.into_iter();
        let part = |(path, range, hash)| FileRead { path, range, hash };
        Self { names: folder.names, parts: parts.map(part).collect() }
    }
}
