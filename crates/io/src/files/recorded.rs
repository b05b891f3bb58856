//! A folder that remembers what was read of it, so that a later run can tell whether it would read the
//! same.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{DiskFolder, hash};
use crate::formats::Folder;

/// What was read of one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Hash of the names in it, where somebody asked for them.
    pub names: Option<String>,
    /// What was read of its files.
    pub parts: Vec<SeenPart>,
}

/// What was read of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPart {
    /// Path below the folder.
    pub path: String,
    /// First byte and the one after the last; all of the file where there are none.
    pub range: Option<[u64; 2]>,
    /// Hash of the bytes; none where they could not be read.
    pub hash: Option<String>,
}

/// A folder that remembers.
pub(super) struct Recorded {
    folder: Arc<DiskFolder>,
    is_listed: AtomicBool,
    parts: Mutex<Vec<SeenPart>>,
}

impl Recorded {
    pub(super) fn new(folder: Arc<DiskFolder>) -> Self {
        Self { folder, is_listed: AtomicBool::new(false), parts: Mutex::default() }
    }

    pub(super) fn seen(&self) -> Seen {
        let is_listed = self.is_listed.load(Ordering::Relaxed);
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        Seen { names: is_listed.then(|| self.folder.names_hash().to_owned()), parts: parts.clone() }
    }

    fn remember(&self, path: &str, range: Option<[u64; 2]>, bytes: Option<&[u8]>) {
        let part = SeenPart { path: path.to_owned(), range, hash: bytes.map(hash) };
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    }
}

impl Folder for Recorded {
    fn paths(&self) -> &[String] {
        self.is_listed.store(true, Ordering::Relaxed);
        self.folder.paths()
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let read = self.folder.read(path);
        self.remember(path, None, read.as_deref().ok());
        read
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let read = self.folder.read_range(path, range.clone());
        let bytes = read.as_ref().ok().map(|(bytes, _)| bytes.as_slice());
        self.remember(path, Some([range.start, range.end]), bytes);
        read
    }
}

impl Seen {
    /// Whether `folder` would be read the same now.
    #[must_use]
    pub fn is_still(&self, folder: &DiskFolder) -> bool {
        let same_names = self.names.as_ref().is_none_or(|names| names == folder.names_hash());
        same_names
            && self.parts.iter().all(|part| {
                let bytes = match part.range {
                    None => folder.read(&part.path).ok(),
                    Some([from, to]) => {
                        folder.read_range(&part.path, from..to).ok().map(|(bytes, _)| bytes)
                    }
                };
                bytes.as_deref().map(hash) == part.hash
            })
    }
}
