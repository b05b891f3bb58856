//! The folder of a model, listed when a reader first needs it.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::hash::hash_of_names;
use super::{Pipes, disk, read_file, read_file_range};
use crate::formats::Folder;

/// Depth of the subfolders that are searched; textures are usually one or two levels down.
const MAX_DEPTH: usize = 2;
/// Limit on the entries listed, so that a model in a home folder opens without delay.
const MAX_ENTRIES: usize = 20_000;

#[derive(Debug)]
pub struct DiskFolder {
    root: PathBuf,
    limit_bytes: u64,
    listing: OnceLock<Listing>,
    names_hash: OnceLock<String>,
}

impl DiskFolder {
    /// The folder `root`; reading a file larger than `limit_bytes` fails.
    pub fn new(root: &Path, limit_bytes: u64) -> Self {
        // A file named without a folder is in the current one.
        let is_empty = root.as_os_str().is_empty();
        Self {
            root: if is_empty { ".".into() } else { root.to_owned() },
            limit_bytes,
            listing: OnceLock::new(),
            names_hash: OnceLock::new(),
        }
    }

    /// Hash of the paths, to detect added and removed files.
    pub(super) fn names_hash(&self) -> &str {
        self.names_hash.get_or_init(|| hash_of_names(self.paths()))
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Path on disk of one of [`Folder::paths`].
    pub fn on_disk(&self, path: &str) -> PathBuf {
        let exact = self.listing().exact.get(path);
        self.root.join(exact.map_or(Path::new(path), PathBuf::as_path))
    }

    fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| list(&self.root))
    }
}

impl Folder for DiskFolder {
    fn paths(&self) -> &[String] {
        &self.listing().paths
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        self.read_within(path, self.limit_bytes)
    }

    fn read_within(&self, path: &str, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
        let file = self.inside(path)?;
        read_file(&file, limit_bytes.min(self.limit_bytes), Pipes::Refused, |_| Ok(()))
            .map_err(std::io::Error::other)
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let file = self.inside(path)?;
        read_file_range(&file, range, self.limit_bytes).map_err(std::io::Error::other)
    }
}

impl DiskFolder {
    /// Like `on_disk`, but fails if the path isn't listed or a link leads out of the folder.
    fn inside(&self, path: &str) -> std::io::Result<PathBuf> {
        let file = self.on_disk(path);
        // A link may lead anywhere.
        let mut parts = file.ancestors().take_while(|part| *part != self.root);
        let has_link = parts.any(disk::is_link);
        let is_below = || Ok(disk::canonical(&file)?.starts_with(disk::canonical(&self.root)?));
        let is_listed = self.paths().iter().any(|known| known == path);
        let is_inside: std::io::Result<bool> =
            if is_listed && has_link { is_below() } else { Ok(is_listed) };
        if is_inside? {
            Ok(file)
        } else {
            Err(std::io::Error::other("its path leads outside the model's folder"))
        }
    }
}

/// The files of a folder and its subfolders.
#[derive(Debug, Default)]
struct Listing {
    /// As files refer to them, with U+FFFD in place of bytes that aren't UTF-8.
    paths: Vec<String>,
    /// The paths on disk of those with such bytes.
    exact: HashMap<String, PathBuf>,
}

/// The files below `root`, shallow ones first and by name within a folder, so that an ambiguous name
/// is resolved the same way on every system. Folders that can't be listed are left out.
fn list(root: &Path) -> Listing {
    let mut listing = Listing::default();
    let mut folders = VecDeque::from([(PathBuf::new(), 0)]);
    let mut num_entries = 0;
    while let Some((folder, depth)) = folders.pop_front() {
        let on_disk = root.join(&folder);
        let Ok(entries) = disk::list(&on_disk, MAX_ENTRIES - num_entries) else { continue };
        num_entries += entries.len();
        for disk::Entry { name, is_dir } in entries {
            let path = folder.join(&name);
            if is_dir {
                if depth < MAX_DEPTH && !name.as_encoded_bytes().starts_with(b".") {
                    folders.push_back((path, depth + 1));
                }
            } else {
                listing.add(&path);
            }
        }
    }
    listing
}

impl Listing {
    fn add(&mut self, path: &Path) {
        let parts = path.iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        if path.to_str().is_none() {
            // Of two names with the same text, the first is found.
            if self.exact.contains_key(&name) {
                return;
            }
            self.exact.insert(name.clone(), path.to_owned());
        }
        self.paths.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf8_are_listed_and_read() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join(OsStr::from_bytes(b"\xe9t\xe9"));
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join(OsStr::from_bytes(b"h\xe9ros.png")), "1").unwrap();
        let folder = DiskFolder::new(root.path(), 99);
        let name = "\u{fffd}t\u{fffd}/h\u{fffd}ros.png";
        assert_eq!(folder.paths(), [name]);
        assert_eq!(folder.read(name).unwrap(), b"1");
    }

    #[test]
    fn only_files_below_the_folder_are_listed_and_read() {
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
        assert!(
            folder.read_within("a.fbx", 10).is_err() && folder.read_within("a.fbx", 11).is_ok()
        );
        let small = DiskFolder::new(&root, 3);
        assert_eq!(small.read_range("a.fbx", 6..8).unwrap(), (b"a.".to_vec(), 11));
        assert_eq!(small.read_range("a.fbx", 9..11).unwrap().0, b"bx");
        assert_eq!(small.read_range("a.fbx", 50..60).unwrap(), (Vec::new(), 11));
        assert!(small.read_range("a.fbx", 0..8).is_err());
        assert!(small.read_range("../secret.png", 0..1).is_err());
    }
}
