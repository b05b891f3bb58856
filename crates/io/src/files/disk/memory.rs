//! Files that the user has given to a web page: the only files that can be read in a browser.
//!
//! Their paths start with `/` and define the folders. The page adds files; one is only removed when another
//! with the same path replaces it.
//!
//! Invariant: the lock is never waited for. The main thread of a page must not block, so it spins instead.
#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(unreachable_pub, reason = "on a desktop only the tests build it")
)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Cursor, Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use super::Entry;
use crate::files::{FileError, Pipes, spin_lock};

/// Metadata of a file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// `None` for a folder.
    bytes: Option<Arc<[u8]>>,
    modified: SystemTime,
}

impl Metadata {
    pub fn is_dir(&self) -> bool {
        self.bytes.is_none()
    }

    pub fn is_file(&self) -> bool {
        self.bytes.is_some()
    }

    pub fn len(&self) -> u64 {
        self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)
    }

    pub fn modified(&self) -> Result<SystemTime> {
        Ok(self.modified)
    }

    /// Browsers don't provide it.
    pub fn created(&self) -> Result<SystemTime> {
        Err(ErrorKind::Unsupported.into())
    }
}

type Files = BTreeMap<PathBuf, Metadata>;

static FILES: Mutex<Files> = Mutex::new(BTreeMap::new());

fn files() -> MutexGuard<'static, Files> {
    spin_lock(&FILES)
}

/// Adds a file or replaces the one at the same path.
pub fn put(path: &Path, bytes: Arc<[u8]>, modified: SystemTime) {
    files().insert(plain(path), Metadata { bytes: Some(bytes), modified });
}

/// The absolute path with `.` and `..` resolved.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    plain
}

pub fn metadata(path: impl AsRef<Path>) -> Result<Metadata> {
    let path = plain(path.as_ref());
    let files = files();
    if let Some(found) = files.get(&path) {
        return Ok(found.clone());
    }
    let is_folder = path.parent().is_none() || files.keys().any(|file| file.starts_with(&path));
    if is_folder {
        Ok(Metadata { bytes: None, modified: SystemTime::UNIX_EPOCH })
    } else {
        Err(Error::new(ErrorKind::NotFound, "there is no such file"))
    }
}

/// An open file and its metadata.
type Opened = (Cursor<Arc<[u8]>>, Metadata);

/// Opens a file for reading.
pub fn open(path: &Path, _: Pipes) -> std::result::Result<Opened, FileError> {
    let found = metadata(path)?;
    let bytes = found.bytes.clone().ok_or(FileError::Folder)?;
    Ok((Cursor::new(bytes), found))
}

/// A page's files have no links.
pub fn open_unlinked(path: &Path) -> std::result::Result<Opened, FileError> {
    open(path, Pipes::Refused)
}

/// Pages keep the time that the browser states.
pub fn set_modified(_: &Path, _: SystemTime) -> std::result::Result<(), FileError> {
    Err(FileError::Io(ErrorKind::Unsupported.into()))
}

/// The first `max_entries` entries of a folder, ordered by name.
pub fn list(folder: &Path, max_entries: usize) -> Result<Vec<Entry>> {
    let folder = plain(folder);
    let mut found: BTreeMap<OsString, bool> = BTreeMap::new();
    for file in files().keys() {
        let Ok(below) = file.strip_prefix(&folder) else { continue };
        let mut parts = below.components();
        let Some(Component::Normal(name)) = parts.next() else { continue };
        if found.len() == max_entries && !found.contains_key(name) {
            break;
        }
        *found.entry(name.to_owned()).or_default() |= parts.next().is_some();
    }
    Ok(found.into_iter().map(|(name, is_dir)| Entry { name, is_dir }).collect())
}

/// A page's files have no links.
pub fn is_link(_: &Path) -> bool {
    false
}

/// The canonical path of a file that exists.
pub fn canonical(path: &Path) -> Result<PathBuf> {
    metadata(path).map(|_| plain(path))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn in_memory_files_are_read_and_listed_by_path() {
        let now = SystemTime::UNIX_EPOCH;
        let read = |path: &str| {
            let mut bytes = Vec::new();
            open(Path::new(path), Pipes::Refused)?.0.read_to_end(&mut bytes)?;
            Ok::<_, FileError>(bytes)
        };
        put(Path::new("/m/hero.gltf"), Arc::from(*b"{}"), now);
        put(Path::new("/m/textures/skin.png"), Arc::from(*b"png"), now);
        put(Path::new("/m/textures/./eyes.png"), Arc::from(*b"eye"), now);
        assert_eq!(read("/m/hero.gltf").unwrap(), b"{}");
        assert!(!is_link(Path::new("/m/hero.gltf")));
        assert_eq!(read("/m/textures/../hero.gltf").unwrap(), b"{}");
        assert_eq!(read("/m/textures/skin.png").unwrap(), b"png");
        assert!(open_unlinked(Path::new("/m/textures/skin.png")).is_ok());
        assert!(set_modified(Path::new("/m/textures/skin.png"), now).is_err());
        let names = |folder: &str| {
            let entries = list(Path::new(folder), 99).unwrap();
            entries.into_iter().map(|entry| (entry.name, entry.is_dir)).collect::<Vec<_>>()
        };
        assert_eq!(names("/m"), [("hero.gltf".into(), false), ("textures".into(), true)]);
        assert_eq!(names("/m/textures").len(), 2);
        assert_eq!(list(Path::new("/m/textures"), 1).unwrap().len(), 1);
        assert!(metadata("/m/textures").unwrap().is_dir() && metadata("/").unwrap().is_dir());
        let found = metadata("/m/hero.gltf").unwrap();
        assert!(found.is_file() && found.created().is_err());
        assert_eq!(metadata("/m/none").unwrap_err().kind(), ErrorKind::NotFound);
        assert!(read("/m").is_err() && canonical(Path::new("/m/x")).is_err());
        let later = now + std::time::Duration::from_secs(5);
        put(Path::new("/m/hero.gltf"), Arc::from(*b"{ }"), later);
        let found = metadata("/m/hero.gltf").unwrap();
        assert_eq!((found.len(), found.modified().unwrap()), (3, later));
    }
}
