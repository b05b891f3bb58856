//! The folder beside a file, as the shell lends it to readers.
//!
//! Not for: which of its files a reader may ask for; see [`super::Source`].

use std::ops::Range;

/// The files beside the one to read.
pub trait Folder: Send + Sync {
    /// Paths below the folder, with `/` between their parts, in no particular order. Bounded: a
    /// huge folder is listed in part.
    fn paths(&self) -> &[String];

    /// All bytes of one of [`Self::paths`].
    ///
    /// # Errors
    /// When it cannot be read or is too large.
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>>;

    /// The bytes of `range` of one of [`Self::paths`], fewer where it ends before, and how many it
    /// has in all. A disk reads no more than that.
    ///
    /// # Errors
    /// When it cannot be read or the range is too large.
    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let all = self.read(path)?;
        let at = |offset: u64| usize::try_from(offset).map_or(all.len(), |at| at.min(all.len()));
        let part = all.get(at(range.start)..at(range.end)).unwrap_or_default();
        Ok((part.to_vec(), all.len() as u64))
    }
}
