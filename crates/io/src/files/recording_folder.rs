//! A folder that records reads, so that a later run can check whether it would read the same.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::DiskFolder;
use super::hash::{hash_of_names, short_hash};
use crate::formats::{Folder, PathQuery};

/// The recorded reads of one folder, without repetitions and in an order that doesn't depend on threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderReads {
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub selections: BTreeSet<Selection>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub parts: BTreeSet<FileRead>,
}

/// A recorded listing of paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Selection {
    /// `None` for all paths in the folder.
    pub query: Option<PathQuery>,
    /// Hash of the paths.
    pub hash: String,
}

/// A recorded read of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRead {
    /// Path relative to the folder.
    pub path: String,
    /// Start and end offset; `None` if the whole file was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[u64; 2]>,
    /// Hash of the bytes; `None` if they couldn't be read.
    pub hash: Option<String>,
}

pub(super) struct RecordingFolder {
    folder: Arc<DiskFolder>,
    reads: Mutex<FolderReads>,
}

impl RecordingFolder {
    pub(super) fn new(folder: Arc<DiskFolder>) -> Self {
        Self { folder, reads: Mutex::default() }
    }

    pub(super) fn reads(&self) -> FolderReads {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remember(&self, path: &str, range: Option<[u64; 2]>, bytes: Option<&[u8]>) {
        let part = FileRead { path: path.to_owned(), range, hash: bytes.map(short_hash) };
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).parts.insert(part);
    }

    fn remember_selection(&self, query: Option<&PathQuery>, hash: String) {
        let selection = Selection { query: query.cloned(), hash };
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).selections.insert(selection);
    }
}

impl Folder for RecordingFolder {
    fn paths(&self) -> &[String] {
        self.remember_selection(None, self.folder.names_hash().to_owned());
        self.folder.paths()
    }

    fn select(&self, query: &PathQuery) -> Vec<&String> {
        let selected = self.folder.select(query);
        self.remember_selection(Some(query), hash_of_names(&selected));
        selected
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
    /// Whether nothing was listed or read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.selections.is_empty() && self.parts.is_empty()
    }

    /// Whether the same reads of `folder` would give the same results now.
    #[must_use]
    pub fn is_unchanged(&self, folder: &DiskFolder) -> bool {
        let is_same_selection = |selection: &Selection| match &selection.query {
            None => selection.hash == folder.names_hash(),
            Some(query) => selection.hash == hash_of_names(&folder.select(query)),
        };
        let is_same_part = |part: &FileRead| {
            let bytes = match part.range {
                None => folder.read(&part.path).ok(),
                Some([from, to]) => {
                    folder.read_range(&part.path, from..to).ok().map(|(bytes, _)| bytes)
                }
            };
            bytes.as_deref().map(short_hash) == part.hash
        };
        self.selections.iter().all(is_same_selection) && self.parts.iter().all(is_same_part)
    }
}
