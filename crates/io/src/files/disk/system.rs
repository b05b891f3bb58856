//! The system's disk.

use std::path::{Path, PathBuf};

pub use std::fs::{Metadata, metadata, read};

use super::Entry;

pub fn open(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::open(path)
}

/// At most `max_entries` entries of a folder, ordered by name.
pub fn list(folder: &Path, max_entries: usize) -> std::io::Result<Vec<Entry>> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.flatten().take(max_entries).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let entry = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        Some(Entry { name, is_dir: entry.file_type().ok()?.is_dir() })
    };
    Ok(entries.into_iter().filter_map(entry).collect())
}

/// Whether the path is a link itself. On Windows also a junction.
pub fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

/// The canonical path of a file that exists.
pub fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    path.canonicalize()
}
