//! Tracked files of the working tree, and whether they differ from a commit.
//!
//! Filters aren't run. A file is unchanged if its state is the one in the index, or if it has the content of the commit:
//! byte for byte, as the content that a pointer of Git LFS names, or, for text, except line endings. After any other
//! filter, files are listed as changed, and comparing the models shows whether they are.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::index::{FileState, IndexEntry};
use super::lfs::{LfsPointer, MAX_POINTER_BYTES};
use super::tree::{EntryKind, TreeEntry};
use super::{HistoryError, Repository};
use crate::files::{FileError, Pipes, read_file, read_file_range};

/// First bytes of a file in which Git looks for NUL, which text doesn't have. Source: `buffer_is_binary` of Git.
const TEXT_WINDOW_BYTES: u64 = 8000;

impl Repository {
    /// A file of the working tree, or `None` if the path doesn't exist or is a folder. Links within the repository are followed.
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
        let mut changed = Vec::new();
        for (path, (committed, tracked)) in sides {
            let is_changed = match &committed {
                None => is_wanted(&path) && !matches!(self.on_disk(&path), Ok(None)),
                Some(entry) => {
                    !self.is_recorded(entry, tracked.as_ref())
                        && is_wanted(&path)
                        && !self.is_unchanged(commit, entry)
                }
            };
            if is_changed {
                changed.push(path);
            }
        }
        Ok(changed)
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

    /// Whether the file on disk has the content of the entry. If either can't be read, comparing them reports it.
    fn is_unchanged(&self, commit: &str, entry: &TreeEntry) -> bool {
        let full = self.root().join(&entry.path);
        let is_link = fs::symlink_metadata(&full).is_ok_and(|metadata| metadata.is_symlink());
        match entry.kind {
            EntryKind::Other => return true,
            EntryKind::Link => is_link && self.has_target(commit, entry, &full).unwrap_or(false),
            EntryKind::File => !is_link && self.has_content(commit, entry).unwrap_or(false),
        }
    }

    fn has_target(
        &self,
        commit: &str,
        entry: &TreeEntry,
        link: &Path,
    ) -> Result<bool, HistoryError> {
        let Some(entry) = self.isolated.entry(commit, &entry.path)? else { return Ok(false) };
        let target = self.isolated.content(&entry, self.limit_bytes)?;
        let on_disk = fs::read_link(link).ok();
        let on_disk = on_disk.map(|target| target.to_string_lossy().replace('\\', "/"));
        Ok(on_disk.is_some_and(|own| own == String::from_utf8_lossy(&target).replace('\\', "/")))
    }

    fn has_content(&self, commit: &str, entry: &TreeEntry) -> Result<bool, HistoryError> {
        let Some(file) = self.on_disk(&entry.path)? else { return Ok(false) };
        let Some(entry) = self.isolated.entry(commit, &entry.path)? else { return Ok(false) };
        let size = entry.size.ok_or(HistoryError::NotInClone)?;
        let io = |error: FileError| HistoryError::File(error.to_string());
        let (front, disk_size) =
            read_file_range(&file, 0..TEXT_WINDOW_BYTES, TEXT_WINDOW_BYTES).map_err(io)?;
        let read = || read_file(&file, self.limit_bytes, Pipes::Refused, |_| Ok(())).map_err(io);
        let is_pointer_size = size <= MAX_POINTER_BYTES;
        let is_text = !front.contains(&0);
        if !is_pointer_size && size != disk_size && !is_text {
            return Ok(false);
        }
        let committed = self.isolated.content(&entry, self.limit_bytes)?;
        if let Some(pointer) = LfsPointer::parse(&committed)
            && pointer.size == disk_size
        {
            return Ok(pointer.names(&read()?));
        }
        let on_disk = read()?;
        Ok(committed == on_disk || (is_text && is_same_text(&committed, &on_disk)))
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
