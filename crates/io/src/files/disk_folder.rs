//! The files beside a model, listed when a reader first asks.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{Pipes, disk, hash, read_file, read_file_range};
use crate::formats::Folder;

/// Folders this far below the model's are looked into: textures lie one or two down.
const MAX_DEPTH: usize = 2;
/// Entries looked at, so that a model in somebody's home folder opens at once.
const MAX_ENTRIES: usize = 20_000;

/// A folder on disk.
#[derive(Debug)]
pub struct DiskFolder {
    root: PathBuf,
    limit_bytes: u64,
    paths: OnceLock<Vec<String>>,
    names_hash: OnceLock<String>,
}

impl DiskFolder {
    /// The folder `root`, of whose files none may hold more than `limit_bytes`.
    pub fn new(root: &Path, limit_bytes: u64) -> Self {
        // A file named without folder lies in the present one.
        let is_empty = root.as_os_str().is_empty();
        Self {
            root: if is_empty { ".".into() } else { root.to_owned() },
            limit_bytes,
            paths: OnceLock::new(),
            names_hash: OnceLock::new(),
        }
    }

    /// Hash of its paths.
    pub(super) fn names_hash(&self) -> &str {
        self.names_hash.get_or_init(|| hash(self.paths().join("\0").as_bytes()))
    }

    /// Where one of its paths is on disk.
    pub fn on_disk(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

impl Folder for DiskFolder {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| list(&self.root))
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let file = self.inside(path)?;
        read_file(&file, self.limit_bytes, Pipes::Refused, |_| Ok(()))
            .map_err(std::io::Error::other)
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let file = self.inside(path)?;
        read_file_range(&file, range, self.limit_bytes).map_err(std::io::Error::other)
    }
}

impl DiskFolder {
    /// Where one of [`Folder::paths`] is on disk, if that is inside.
    fn inside(&self, path: &str) -> std::io::Result<PathBuf> {
        let is_listed = self.paths().iter().any(|known| known == path);
        let file = disk::canonical(&self.on_disk(path))?;
        // A link may lead anywhere.
        match is_listed && file.starts_with(disk::canonical(&self.root)?) {
            true => Ok(file),
            false => Err(std::io::Error::other("lies outside of the model's folder")),
        }
    }
}

/// Paths of the files below `root`, highest first and by name within a folder, so that the same
/// of several is found everywhere; what cannot be listed is left out.
fn list(root: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = VecDeque::from([(root.to_owned(), String::new(), 0)]);
    let mut num_entries = 0;
    while let Some((folder, prefix, depth)) = folders.pop_front() {
        let Ok(entries) = disk::list(&folder, MAX_ENTRIES - num_entries) else { continue };
        num_entries += entries.len();
        for disk::Entry { name, is_dir } in entries {
            let path = format!("{prefix}{name}");
            if is_dir {
                if depth < MAX_DEPTH && !name.starts_with('.') {
                    folders.push_back((folder.join(name), format!("{path}/"), depth + 1));
                }
            } else {
                paths.push(path);
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_are_listed_and_read_but_nothing_outside() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("model");
        std::fs::create_dir_all(root.join("textures/deep/deeper")).unwrap();
        for path in [
            "model/z.fbx",
            "model/a.fbx",
            "model/textures/b.png",
            "model/textures/deep/deeper/c.png",
        ] {
            std::fs::write(outer.path().join(path), path).unwrap();
        }
        std::fs::write(outer.path().join("secret.png"), "secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.png", root.join("link.png")).unwrap();
        let folder = DiskFolder::new(&root, 99);
        let mut paths = folder.paths().to_vec();
        paths.retain(|path| path != "link.png");
        assert_eq!(paths, ["a.fbx", "z.fbx", "textures/b.png"]);
        assert_eq!(folder.read("textures/b.png").unwrap(), b"model/textures/b.png");
        for path in ["../secret.png", "link.png", "/etc/hostname", "none.png"] {
            assert!(folder.read(path).is_err(), "{path}");
        }
        assert!(DiskFolder::new(&root, 3).read("a.fbx").is_err(), "the limit holds");
        let small = DiskFolder::new(&root, 3);
        assert_eq!(small.read_range("a.fbx", 6..8).unwrap(), (b"a.".to_vec(), 11));
        assert_eq!(small.read_range("a.fbx", 9..11).unwrap().0, b"bx");
        assert_eq!(small.read_range("a.fbx", 50..60).unwrap(), (Vec::new(), 11));
        assert!(small.read_range("a.fbx", 0..8).is_err());
        assert!(small.read_range("../secret.png", 0..1).is_err());
    }
}
