//! Where files are read from: the system's disk, or in a browser the page's memory.
//!
//! For: all reads of all crates. Both implementations have the same functions: `metadata`, `open`,
//! `open_unlinked`, `set_modified`, `list`, `is_link`, `canonical`. Not for: writing (`save`).
//!
//! Invariant: files are opened for reading only here (`tests/project/sources.rs`): regular files, whose size is known,
//! and pipes if the caller allows them.

#[cfg(any(target_arch = "wasm32", test))]
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod system;

#[cfg(target_arch = "wasm32")]
pub use memory::*;
#[cfg(not(target_arch = "wasm32"))]
pub use system::*;

use std::ffi::OsString;
use std::path::Path;

/// A file or folder in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: OsString,
    /// Links aren't followed: false for a link to a folder.
    pub is_dir: bool,
}

/// Whether the path leads to a folder, following links.
pub fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_dir())
}

/// Whether the path leads to a file, following links.
pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_file())
}
