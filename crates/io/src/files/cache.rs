//! What was found about files, kept in a folder by what the files hold.
//!
//! A result is found again where the file, how it is read, and all that was read around it are as they were:
//! the names in its folder where somebody asked for them, and the bytes of files that were taken. Results
//! of another build of this program are never taken, and removed.
//!
//! Invariant: processes may share a folder: results appear whole or not at all, and are checked when read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FileSource, Seen, SeenPart, hash, hash_of_content, hash_of_file};

/// What the folders of builds are called, and a part of the build's hash.
const PREFIX: &str = "rigscope-";
/// Tells programs that make backups to leave the folder out (<https://bford.info/cachedir>).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of rigscope, which can be made again.\n";

/// A folder of results.
pub struct Cache {
    folder: PathBuf,
    /// How files are read.
    input: String,
}

/// Where a result is or would be.
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
    /// Opens or makes the folder for files that are read as the hash `input` says, and drops results of
    /// other builds.
    ///
    /// # Errors
    /// When it cannot be made or read.
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
                // Another process may be at it, too.
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        Ok(Self { folder: own, input })
    }

    /// Where the result about `file` is; `what` is a word for what is asked.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn key(&self, what: &str, file: &FileSource) -> std::io::Result<Key> {
        let source = &file.source;
        let content = hash_of_content(&source.content)?;
        let key = hash(format!("{what}\0{}\0{}\0{content}", self.input, source.name).as_bytes());
        let (first, rest) = key.split_at(2);
        Ok(Key(self.folder.join(first).join(rest)))
    }

    /// The result about `file`, where it is known and nothing has changed around it.
    pub fn get(&self, key: &Key, file: &FileSource) -> Option<String> {
        let text = std::fs::read(&key.0).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        let seen: Vec<Seen> = entry.folders.into_iter().map(Seen::from).collect();
        file.is_still(&seen).then_some(entry.result)
    }

    /// Keeps the result about `file`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, key: &Key, file: &FileSource, result: &str) -> std::io::Result<()> {
        let folders = file.seen().into_iter().map(Folder::from).collect();
        let entry = Entry { folders, result: result.to_owned() };
        let folder = key.0.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder)?;
        // Not synced: what a crash leaves of it is not read.
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut temporary, &entry)?;
        temporary.persist(&key.0)?;
        Ok(())
    }
}

impl From<Seen> for Folder {
    fn from(seen: Seen) -> Self {
        let parts = seen.parts.into_iter().map(|part| (part.path, part.range, part.hash));
        Self { names: seen.names, parts: parts.collect() }
    }
}

impl From<Folder> for Seen {
    fn from(folder: Folder) -> Self {
        let parts = folder.parts.into_iter();
        let part = |(path, range, hash)| SeenPart { path, range, hash };
        Self { names: folder.names, parts: parts.map(part).collect() }
    }
}
