//! Cache of results about files, in a folder, keyed by file contents.
//!
//! A result is reused if its dependencies are unchanged: the file, the read options, the names in the
//! file's folder if they were listed, and the bytes of related files that were read. Results of other builds
//! of this program are never used, and are removed.
//!
//! Invariant: several processes may share a folder. Results are written atomically and checked when read: each states
//! the file content, the build and the options that it belongs to, so that one in another's place isn't used. This
//! doesn't protect from programs that may write to the folder.
//! Invariant: links in the folder aren't followed, and pipes aren't opened.

use std::io::{Error, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FileSource, FolderReads, disk, hash, hash_of_content, hash_of_file, read_unlinked};

/// Prefix of the folder of one build; the first 16 digits of the build's hash follow.
const PREFIX: &str = "rigscope-";
/// Makes backup programs skip the folder (<https://bford.info/cachedir>).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of rigscope, which can be made again.\n";

/// A folder of cached results.
pub struct Cache {
    folder: PathBuf,
    /// Hash of the program.
    build: String,
    /// Hash of the read options.
    input: String,
}

/// Larger results aren't read.
const MAX_ENTRY_BYTES: u64 = 256 << 20;

/// Identifies a cached result, which may not exist yet.
pub struct Key {
    path: PathBuf,
    subject: Subject,
}

/// The subject of a result, stored with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Subject {
    /// Kind of result.
    kind: String,
    /// Hash of the program.
    build: String,
    /// Hash of the read options.
    options: String,
    /// Name of the file, because it may decide about the format.
    name: String,
    /// Hash of the file's content.
    content: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    subject: Subject,
    folders: Vec<FolderReads>,
    /// Names of the related files that were used.
    used: Vec<String>,
    result: String,
}

impl Cache {
    /// Opens or creates the cache folder for files read with options of the hash `input`, and removes results
    /// of other builds.
    ///
    /// # Errors
    /// If the folder can't be created or read.
    pub fn open(folder: &Path, input: String) -> std::io::Result<Self> {
        let program = hash_of_file(&std::env::current_exe()?)?;
        let own = folder.join(format!("{PREFIX}{}", program.get(..16).unwrap_or_default()));
        std::fs::create_dir_all(&own)?;
        if disk::is_link(&own) {
            return Err(Error::other(format!("{} is a link; remove it", own.display())));
        }
        write_tag(&folder.join("CACHEDIR.TAG"))?;
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
        Ok(Self { folder: own, build: program, input })
    }

    /// The key of the result about `file`; `what` names the kind of result.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn key(&self, what: &str, file: &FileSource) -> std::io::Result<Key> {
        let source = &file.source;
        let subject = Subject {
            kind: what.to_owned(),
            build: self.build.clone(),
            options: self.input.clone(),
            name: source.name.clone(),
            content: hash_of_content(&source.content)?,
        };
        let key = hash(serde_json::to_string(&subject)?.as_bytes());
        let (first, rest) = key.split_at(2);
        Ok(Key { path: self.folder.join(first).join(rest), subject })
    }

    /// The cached result about `file`, if there is one and it's still valid. Marks the related files that were used.
    pub fn get(&self, key: &Key, file: &FileSource) -> Option<String> {
        if disk::is_link(self.folder_of(key)) {
            return None;
        }
        let text = read_unlinked(&key.path, MAX_ENTRY_BYTES).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        if entry.subject != key.subject {
            return None;
        }
        if !file.is_unchanged(&entry.folders) {
            return None;
        }
        entry.used.iter().for_each(|name| file.source.mark_used(name));
        Some(entry.result)
    }

    /// Stores the result about `file`.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn put(&self, key: &Key, file: &FileSource, result: &str) -> std::io::Result<()> {
        let entry = Entry {
            subject: key.subject.clone(),
            folders: file.reads(),
            used: file.source.used(),
            result: result.to_owned(),
        };
        let folder = self.folder_of(key);
        std::fs::create_dir_all(folder)?;
        if disk::is_link(folder) {
            return Err(Error::other(format!("{} is a link; remove it", folder.display())));
        }
        // Without fsync: if a crash leaves an incomplete result, it is rejected when read.
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut temporary, &entry)?;
        // Replaces a link or a pipe itself.
        temporary.persist(&key.path)?;
        Ok(())
    }

    fn folder_of<'a>(&'a self, key: &'a Key) -> &'a Path {
        key.path.parent().unwrap_or(&self.folder)
    }
}

/// Creates the tag unless there is something in its place, also a dangling link.
fn write_tag(path: &Path) -> std::io::Result<()> {
    let created = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    match created {
        Ok(mut file) => file.write_all(TAG.as_bytes()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::RelatedFiles;

    #[test]
    fn a_result_is_only_used_for_the_content_that_it_is_about() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), "options".to_owned()).unwrap();
        let file = |bytes: &[u8]| RelatedFiles::default().source_in_memory("a.glb", bytes.to_vec());
        let (good, bad) = (file(b"good"), file(b"bad"));
        let [good_key, bad_key] = [&good, &bad].map(|file| cache.key("validate", file).unwrap());
        cache.put(&good_key, &good, "no findings").unwrap();
        cache.put(&bad_key, &bad, "an error").unwrap();
        assert_eq!(cache.get(&bad_key, &bad).unwrap(), "an error");
        std::fs::copy(&good_key.path, &bad_key.path).unwrap();
        assert_eq!(cache.get(&bad_key, &bad), None);
        assert_eq!(cache.get(&good_key, &good).unwrap(), "no findings");
        let other_kind = cache.key("catalog", &good).unwrap();
        std::fs::create_dir_all(other_kind.path.parent().unwrap()).unwrap();
        std::fs::copy(&good_key.path, &other_kind.path).unwrap();
        assert_eq!(cache.get(&other_kind, &good), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_in_the_folder_are_neither_followed_nor_opened() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("victim", at("CACHEDIR.TAG")).unwrap();
        let cache = Cache::open(folder.path(), "options".to_owned()).unwrap();
        assert!(!at("victim").exists(), "the tag isn't written through a link");
        let file = RelatedFiles::default().source_in_memory("a.glb", b"x".to_vec());
        let key = cache.key("validate", &file).unwrap();
        cache.put(&key, &file, "result").unwrap();
        let entry = at("entry");
        std::fs::rename(&key.path, &entry).unwrap();
        let fifo = || std::process::Command::new("mkfifo").arg(&key.path).status().unwrap();
        for target in ["/dev/zero", entry.to_str().unwrap()] {
            symlink(target, &key.path).unwrap();
            assert_eq!(cache.get(&key, &file), None, "{target}");
            std::fs::remove_file(&key.path).unwrap();
        }
        assert!(fifo().success());
        assert_eq!(cache.get(&key, &file), None);
        cache.put(&key, &file, "result").unwrap();
        assert_eq!(cache.get(&key, &file).unwrap(), "result", "the pipe was replaced");
        let shard = key.path.parent().unwrap().to_owned();
        std::fs::rename(&shard, at("elsewhere")).unwrap();
        symlink(at("elsewhere"), &shard).unwrap();
        assert_eq!(cache.get(&key, &file), None);
        assert!(cache.put(&key, &file, "result").is_err());
        let own = shard.parent().unwrap().to_owned();
        std::fs::remove_file(&shard).unwrap();
        std::fs::rename(&own, at("own")).unwrap();
        symlink(at("own"), &own).unwrap();
        assert!(Cache::open(folder.path(), "options".to_owned()).is_err());
    }
}
