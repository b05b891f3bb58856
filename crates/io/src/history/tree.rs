//! Entries of the tree of a commit, as `git ls-tree` lists them.

use super::HistoryError;
use super::command::RunLimits;
use super::isolated::Isolated;

/// Largest object read from Git; larger files belong in Git LFS. A few bytes of a pack may unpack to any size, and
/// several revisions are read at the same time.
pub(super) const MAX_OBJECT_BYTES: u64 = 512 << 20;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    /// A symbolic link.
    Link,
    /// A submodule or a folder.
    Other,
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeEntry {
    pub(super) kind: EntryKind,
    /// The hash of its content.
    pub(super) object: String,
    /// `None` if the content isn't in this clone, or wasn't asked for.
    pub(super) size: Option<u64>,
    /// Relative to the repository, with `/`.
    pub(super) path: String,
}

impl TreeEntry {
    /// `MODE TYPE OBJECT SIZE<tab>PATH`, where the size is optional and may be padded.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (fields, path) = line.split_once('\t')?;
        let mut fields = fields.split_ascii_whitespace();
        let (mode, object_type, object) = (fields.next()?, fields.next()?, fields.next()?);
        let kind = match (mode, object_type) {
            ("120000", _) => EntryKind::Link,
            (_, "blob") => EntryKind::File,
            _ => EntryKind::Other,
        };
        let size = fields.next().and_then(|size| size.parse().ok());
        Some(Self { kind, object: object.to_owned(), size, path: path.to_owned() })
    }
}

impl Isolated {
    /// All entries below `folder` (empty for all) in a commit, except folders; without sizes.
    pub(super) fn entries(
        &self,
        commit: &str,
        folder: &str,
    ) -> Result<Vec<TreeEntry>, HistoryError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        if !folder.is_empty() {
            args.extend(["--", folder]);
        }
        let list = self.run(args, RunLimits::LIST)?;
        Ok(list.split(|byte| *byte == 0).filter_map(TreeEntry::parse).collect())
    }

    /// The entry at `path`, with its size.
    pub(super) fn entry(
        &self,
        commit: &str,
        path: &str,
    ) -> Result<Option<TreeEntry>, HistoryError> {
        let args = ["ls-tree", "-z", "--long", "--full-tree", commit, "--", path];
        let list = self.run(args, RunLimits::QUERY)?;
        let mut entries = list.split(|byte| *byte == 0).filter_map(TreeEntry::parse);
        Ok(entries.find(|entry| entry.path == path))
    }

    /// The content of an entry that has its size.
    ///
    /// # Errors
    /// If it is a link, not in this clone, or larger than `limit_bytes`.
    pub(super) fn content(
        &self,
        entry: &TreeEntry,
        limit_bytes: u64,
    ) -> Result<Vec<u8>, HistoryError> {
        if entry.kind == EntryKind::Link {
            return Err(HistoryError::Link);
        }
        let size = entry.size.ok_or(HistoryError::NotInClone)?;
        let limit_bytes = limit_bytes.min(MAX_OBJECT_BYTES);
        if size > limit_bytes {
            return Err(HistoryError::TooLarge(limit_bytes));
        }
        let bytes = self.run(["cat-file", "blob", &entry.object], RunLimits::object(size))?;
        if bytes.len() as u64 == size { Ok(bytes) } else { Err(HistoryError::NotInClone) }
    }
}
