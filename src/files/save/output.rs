//! One file to write.

use std::path::PathBuf;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output<'a> {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub bytes: &'a [u8],
    /// Whether a file that is there may be replaced.
    pub may_replace: bool,
}

impl Output<'_> {
    /// Whether the file is there already, byte for byte.
    pub fn is_there(&self) -> bool {
        let metadata = std::fs::metadata(&self.path);
        metadata.is_ok_and(|found| found.is_file() && found.len() == self.bytes.len() as u64)
            && std::fs::read(&self.path).is_ok_and(|bytes| bytes == self.bytes)
    }
}
