//! Where files are: on the system's disk, or, in a page of a browser, which has none, in its memory.
//!
//! For: all that the library and the window read. Both kinds have the same names: `metadata`, `read`, `open`,
//! `list`, `canonical`.
//! Not for: writing (`save`).

#[cfg(any(target_arch = "wasm32", test))]
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod system;

#[cfg(target_arch = "wasm32")]
pub use memory::*;
#[cfg(not(target_arch = "wasm32"))]
pub use system::*;

use std::path::Path;

/// A file or folder in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name; what is no text cannot be written in a model file.
    pub name: String,
    /// Whether it is a folder; a link is none.
    pub is_dir: bool,
}

/// Whether there is a folder, also at the end of links.
pub fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_dir())
}

/// Whether there is a file, also at the end of links.
pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_file())
}
