//! A folder that records reads, so that a later run can check whether it would read the same.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{DiskFolder, hash};
use crate::formats::Folder;

/// RecordingFolder reads of one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderReads {
    /// Hash of the paths in the folder, if they were listed.
    pub names: Option<String>,
    pub parts: Vec<FileRead>,
}

/// A recorded read of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRead {
    /// Path relative to the folder.
    pub path: String,
    /// Start and end offset; `None` if the whole file was read.
    pub range: Option<[u64; 2]>,
    /// Hash of the bytes; `None` if they couldn't be read.
    pub hash: Option<String>,
}

pub(super) struct RecordingFolder {
    folder: Arc<DiskFolder>,
    is_listed: AtomicBool,
    parts: Mutex<Vec<FileRead>>,
}

impl RecordingFolder {
    pub(super) fn new(folder: Arc<DiskFolder>) -> Self {
        Self { folder, is_listed: AtomicBool::new(false), parts: Mutex::default() }
    }

    pub(super) fn reads(&self) -> FolderReads {
        let is_listed = self.is_listed.load(Ordering::Relaxed);
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        FolderReads {
            names: is_listed.then(|| self.folder.names_hash().to_owned()),
            parts: parts.clone(),
        }
    }

    fn remember(&self, path: &str, range: Option<[u64; 2]>, bytes: Option<&[u8]>) {
        let part = FileRead { path: path.to_owned(), range, hash: bytes.map(hash) };
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    }
}

impl Folder for RecordingFolder {
    fn paths(&self) -> &[String] {
        self.is_listed.store(true, Ordering::Relaxed);
        self.folder.paths()
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let read = self.folder.read(path);
        self.remember(path, None, read.as_deref().ok());
        read
    }

    fn read_within(&self, path: &str, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
        let read = self.folder.read_within(path, limit_bytes);
        match &read {
            Ok(bytes) => self.remember(path, None, Some(bytes)),
            // The empty range of a file that exists is never `None`, so that its result isn't reused.
            Err(_) => self.remember(path, Some([0, 0]), None),
        }
        read
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let read = self.folder.read_range(path, range.clone());
        let bytes = read.as_ref().ok().map(|(bytes, _)| bytes.as_slice());
        self.remember(path, Some([range.start, range.end]), bytes);
        read
    }
}

impl FolderReads {
    /// Whether the same reads of `folder` would give the same results now.
    #[must_use]
    pub fn is_unchanged(&self, folder: &DiskFolder) -> bool {
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
