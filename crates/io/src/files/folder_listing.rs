//! The content of a folder, for the window's file chooser.
//!
//! Not for: files next to a model ([`DiskFolder`](super::DiskFolder)).

use std::ffi::OsString;
use std::path::Path;

use super::{FileError, disk, path_text};

/// Most entries to list. A longer list is too long to read.
const MAX_ENTRIES: usize = 20_000;

/// A file or folder in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// The name as text; bytes that aren't UTF-8 are spelled out.
    pub name: String,
    /// The name on disk.
    pub file_name: OsString,
    /// Also for a link to a folder.
    pub is_dir: bool,
    /// Zero for a folder.
    pub num_bytes: u64,
}

/// The content of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// Folders first, by name.
    pub entries: Vec<FolderEntry>,
    /// The folder has more entries.
    pub is_cut: bool,
    /// The entry with the requested name, which may be missing in a cut list.
    pub named: Option<FolderEntry>,
}

/// Lists `folder` and finds `name` in it, without broken links.
///
/// # Errors
/// If the folder can't be read.
pub fn list_folder(folder: &Path, name: Option<&str>) -> Result<FolderListing, FileError> {
    let found = disk::list(folder, MAX_ENTRIES + 1)?;
    let is_cut = found.len() > MAX_ENTRIES;
    let names = found.into_iter().take(MAX_ENTRIES).map(|entry| entry.name);
    let mut entries: Vec<_> = names.filter_map(|name| entry(folder, name)).collect();
    entries.sort_by_cached_key(|entry| (!entry.is_dir, entry.name.to_lowercase()));
    let named = name.and_then(|name| entry(folder, name.into()));
    Ok(FolderListing { entries, is_cut, named })
}

fn entry(folder: &Path, file_name: OsString) -> Option<FolderEntry> {
    let found = disk::metadata(folder.join(&file_name).as_path()).ok()?;
    let is_dir = found.is_dir();
    let name = path_text(Path::new(&file_name));
    Some(FolderEntry { name, file_name, is_dir, num_bytes: if is_dir { 0 } else { found.len() } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("b.glb"), "123").unwrap();
        std::fs::write(at("A.obj"), "").unwrap();
        std::fs::create_dir(at("textures")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("textures", at("link")).unwrap();
            std::os::unix::fs::symlink("gone", at("broken")).unwrap();
        }
        let listing = list_folder(folder.path(), Some("b.glb")).unwrap();
        let names: Vec<_> = listing.entries.iter().map(|entry| &*entry.name).collect();
        let expected = ["link", "textures", "A.obj", "b.glb"];
        assert_eq!(names, expected[usize::from(cfg!(not(unix)))..]);
        let (name, file_name) = ("b.glb".into(), "b.glb".into());
        let named = FolderEntry { name, file_name, is_dir: false, num_bytes: 3 };
        assert_eq!(listing.named, Some(named));
        assert!(!listing.is_cut);
        assert_eq!(list_folder(folder.path(), Some("c.glb")).unwrap().named, None);
        assert!(list_folder(&at("b.glb"), None).is_err(), "it isn't a folder");
    }
}
