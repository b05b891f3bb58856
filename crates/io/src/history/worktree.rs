//! Tracked files of the working tree, and whether they differ from a commit.
//!
//! Filters aren't run. A file is unchanged if its state is the one in the index, or if it has the content of the
//! commit: byte for byte, as the content that a pointer of Git LFS names, or, for text, except line endings. After any
//! other filter, files are listed as changed, and comparing the models shows whether they are.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use super::index::{FileState, IndexEntry};
use super::lfs::{LfsPointer, MAX_POINTER_BYTES};
use super::tree::{EntryKind, MAX_OBJECT_BYTES, TreeEntry};
use super::{HistoryError, Repository};
use crate::files::{FileError, Pipes, read_file, read_file_range};

/// First bytes of a file in which Git looks for NUL, which text doesn't have. Source: `buffer_is_binary` of Git.
const TEXT_WINDOW_BYTES: u64 = 8000;
/// Content that is compared at a time, unless one file has more.
const CHUNK_BYTES: u64 = 64 << 20;

impl Repository {
    /// A file of the working tree, or `None` if the path doesn't exist or is a folder. Links within the repository are
    /// followed.
    ///
    /// # Errors
    /// If it isn't a regular file, or a link leads out of the repository.
    pub fn on_disk(&self, path: &str) -> Result<Option<PathBuf>, HistoryError> {
        let full = self.root().join(path);
        let io = |error: std::io::Error| HistoryError::File(FileError::Io(error).to_string());
        match fs::symlink_metadata(&full) {
            Ok(_) => {}
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(io(error)),
        }
        let target = fs::canonicalize(&full).map_err(io)?;
        if !target.starts_with(fs::canonicalize(self.root()).map_err(io)?) {
            return Err(HistoryError::LeadsOutside);
        }
        let metadata = fs::metadata(&target).map_err(io)?;
        if metadata.is_dir() {
            return Ok(None);
        }
        if !metadata.is_file() {
            return Err(HistoryError::File(FileError::NotAFile.to_string()));
        }
        Ok(Some(full))
    }

    /// The front of a file of the working tree, if it can be read.
    #[must_use]
    pub fn front_on_disk(&self, path: &str, num_bytes: u64) -> Option<Vec<u8>> {
        let file = self.on_disk(path).ok()??;
        Some(read_file_range(&file, 0..num_bytes, num_bytes).ok()?.0)
    }

    /// The paths of tracked files that differ between a commit and the working tree, among those that `is_wanted`.
    pub(super) fn changed_on_disk(
        &self,
        commit: &str,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, HistoryError> {
        let mut sides: BTreeMap<String, (Option<TreeEntry>, Option<IndexEntry>)> = BTreeMap::new();
        for entry in self.isolated.entries(commit, "")? {
            let (committed, _) = sides.entry(entry.path.clone()).or_default();
            *committed = Some(entry);
        }
        for entry in self.isolated.index(&self.location)? {
            let (_, tracked) = sides.entry(entry.path.clone()).or_default();
            *tracked = Some(entry);
        }
        let (mut changed, mut candidates) = (Vec::new(), Vec::new());
        for (path, (committed, tracked)) in sides {
            match committed {
                None if matches!(self.on_disk(&path), Ok(None)) || !is_wanted(&path) => {}
                None => changed.push(path),
                Some(entry) if self.is_recorded(&entry, tracked.as_ref()) => {}
                Some(entry) => candidates.extend(is_wanted(&path).then_some(entry)),
            }
        }
        changed.extend(self.with_other_content(candidates)?);
        changed.sort();
        Ok(changed)
    }

    /// The paths of the entries that differ on disk.
    fn with_other_content(&self, entries: Vec<TreeEntry>) -> Result<Vec<String>, HistoryError> {
        let mut changed = Vec::new();
        if entries.is_empty() {
            return Ok(changed);
        }
        let sizes = self.isolated.sizes(entries.iter().map(|entry| &*entry.object))?;
        let (mut chunk, mut chunk_bytes) = (Vec::new(), 0);
        for entry in entries {
            let size = sizes.get(&entry.object).copied();
            let size = size.filter(|size| *size <= MAX_OBJECT_BYTES.min(self.limit_bytes));
            match size.filter(|size| self.may_be_equal(&entry, *size)) {
                None => changed.push(entry.path),
                Some(size) => {
                    if chunk_bytes + size > CHUNK_BYTES {
                        changed.extend(self.changed_of_chunk(&chunk, chunk_bytes)?);
                        (chunk, chunk_bytes) = (Vec::new(), 0);
                    }
                    chunk.push(entry);
                    chunk_bytes += size;
                }
            }
        }
        changed.extend(self.changed_of_chunk(&chunk, chunk_bytes)?);
        Ok(changed)
    }

    fn changed_of_chunk(
        &self,
        entries: &[TreeEntry],
        num_bytes: u64,
    ) -> Result<Vec<String>, HistoryError> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let objects = entries.iter().map(|entry| &*entry.object);
        let contents = self.isolated.contents(objects, num_bytes)?;
        let is_changed = |entry: &&TreeEntry| {
            let content = contents.get(&entry.object);
            !content.is_some_and(|content| self.is_equal(entry, content))
        };
        Ok(entries.iter().filter(is_changed).map(|entry| entry.path.clone()).collect())
    }

    /// Whether the index records that the file on disk has this content, or that it isn't checked out.
    fn is_recorded(&self, entry: &TreeEntry, tracked: Option<&IndexEntry>) -> bool {
        let Some(tracked) = tracked.filter(|tracked| tracked.object == entry.object) else {
            return entry.kind == EntryKind::Other;
        };
        match fs::symlink_metadata(self.root().join(&entry.path)) {
            Ok(metadata) => {
                let is_kind = match entry.kind {
                    EntryKind::File => metadata.is_file(),
                    EntryKind::Link => metadata.is_symlink(),
                    EntryKind::Other => return true,
                };
                is_kind && tracked.state.is_some() && tracked.state == FileState::on_disk(&metadata)
            }
            Err(error) => tracked.is_skipped && is_missing(&error),
        }
    }

    /// Whether the file on disk may have the content of the entry, by its kind and size.
    fn may_be_equal(&self, entry: &TreeEntry, size: u64) -> bool {
        let full = self.root().join(&entry.path);
        let is_link = fs::symlink_metadata(&full).is_ok_and(|metadata| metadata.is_symlink());
        if is_link != (entry.kind == EntryKind::Link) {
            return false;
        }
        is_link
            || self.front_and_size(entry).is_some_and(|(front, disk_size)| {
                size == disk_size || size <= MAX_POINTER_BYTES || !front.contains(&0)
            })
    }

    fn front_and_size(&self, entry: &TreeEntry) -> Option<(Vec<u8>, u64)> {
        let file = self.on_disk(&entry.path).ok()??;
        read_file_range(&file, 0..TEXT_WINDOW_BYTES, TEXT_WINDOW_BYTES).ok()
    }

    /// Whether the file on disk has the `committed` content. If it can't be read, comparing the models reports it.
    fn is_equal(&self, entry: &TreeEntry, committed: &[u8]) -> bool {
        if entry.kind == EntryKind::Link {
            let target = fs::read_link(self.root().join(&entry.path));
            let target = target.map(|target| target.to_string_lossy().replace('\\', "/"));
            return target
                .is_ok_and(|own| own == String::from_utf8_lossy(committed).replace('\\', "/"));
        }
        let Ok(Some(file)) = self.on_disk(&entry.path) else { return false };
        let on_disk = read_file(&file, self.limit_bytes, Pipes::Refused, |_| Ok(()));
        let Ok(on_disk) = on_disk else { return false };
        let pointer = LfsPointer::parse(committed);
        committed == on_disk
            || pointer.is_some_and(|pointer| pointer.names(&on_disk))
            || is_same_text(committed, &on_disk)
    }
}

/// Whether two texts differ only in their line endings.
fn is_same_text(a: &[u8], b: &[u8]) -> bool {
    !a.contains(&0) && !b.contains(&0) && with_unix_lines(a).eq(with_unix_lines(b))
}

/// The text without the CR of each CRLF.
fn with_unix_lines(text: &[u8]) -> impl Iterator<Item = u8> {
    let next = text.iter().copied().skip(1).map(Some).chain([None]);
    let is_kept = |pair: &(u8, Option<u8>)| *pair != (b'\r', Some(b'\n'));
    text.iter().copied().zip(next).filter(is_kept).map(|(byte, _)| byte)
}

/// Whether there is no file: neither it nor the folder exists.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_if_only_their_line_endings_differ() {
        assert!(is_same_text(b"a\r\nb\n", b"a\nb\r\n"));
        assert!(!is_same_text(b"a\rb", b"ab"));
        assert!(!is_same_text(b"a\r\n\r", b"a\n"));
        assert!(!is_same_text(b"a\0\r\n", b"a\0\n"));
    }
}
