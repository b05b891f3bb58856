//! A folder that isn't on disk: callbacks list it and read its files when a reader first needs them.

use std::io;
use std::sync::{Arc, OnceLock};

use crate::formats::{Folder, leads_outside};

/// Maximum number of listed paths, as for a folder on disk.
const MAX_PATHS: usize = 20_000;

/// A callback that takes a path.
type At<T> = Box<dyn Fn(&str) -> io::Result<T> + Send + Sync>;

/// Callbacks for the files around a model file. Paths are relative to the folder of the file: `skin.png`,
/// `textures/skin.png`, and in the parent folder `../config.json`.
pub struct FolderCallbacks {
    /// Lists all files below `""` or `"../"`, relative to it.
    list: At<Vec<String>>,
    /// Reads a whole file.
    read: At<Vec<u8>>,
}

impl FolderCallbacks {
    pub fn new(
        list: impl Fn(&str) -> io::Result<Vec<String>> + Send + Sync + 'static,
        read: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self { list: Box::new(list), read: Box::new(read) }
    }
}

/// One of the folders around the file.
pub(super) struct VirtualFolder {
    /// `""` or `"../"`.
    place: &'static str,
    around: Arc<FolderCallbacks>,
    limit_bytes: u64,
    paths: OnceLock<Vec<String>>,
}

impl VirtualFolder {
    pub(super) fn new(place: &'static str, around: Arc<FolderCallbacks>, limit_bytes: u64) -> Self {
        Self { place, around, limit_bytes, paths: OnceLock::new() }
    }

    /// Whether the file exists, without listing the folder.
    pub(super) fn has(&self, path: &str) -> bool {
        (self.around.read)(&format!("{}{path}", self.place)).is_ok()
    }
}

impl Folder for VirtualFolder {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let mut paths = (self.around.list)(self.place).unwrap_or_default();
            paths.retain(|path| !leads_outside(path));
            // Shallow paths first and by name within a folder, like `DiskFolder`.
            paths.sort_by(|a, b| {
                let depth = |path: &str| path.matches('/').count();
                depth(a).cmp(&depth(b)).then_with(|| a.cmp(b))
            });
            paths.truncate(MAX_PATHS);
            paths
        })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if !self.paths().iter().any(|known| known == path) {
            return Err(io::Error::other("its path leads outside the model's folder"));
        }
        let bytes = (self.around.read)(&format!("{}{path}", self.place))?;
        if bytes.len() as u64 > self.limit_bytes {
            Err(io::Error::other("the file is too large"))
        } else {
            Ok(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_files_can_be_read() {
        let list = |place: &str| match place {
            "" => Ok(["t/b.png", "a.png", "../x", "/etc/passwd"].map(str::to_owned).to_vec()),
            _ => Err(io::Error::other("closed")),
        };
        let read = |path: &str| match path {
            "t/b.png" | "../config.json" => Ok(path.as_bytes().to_vec()),
            _ => Err(io::Error::other("not asked for")),
        };
        let around = Arc::new(FolderCallbacks::new(list, read));
        let own = VirtualFolder::new("", Arc::clone(&around), 99);
        assert_eq!(own.paths(), ["a.png", "t/b.png"]);
        assert_eq!(own.read("t/b.png").unwrap(), b"t/b.png");
        assert!(own.read("../config.json").is_err() && own.read("../x").is_err());
        let small = VirtualFolder::new("", Arc::clone(&around), 3);
        assert!(small.read("t/b.png").is_err(), "the limit holds");
        let above = VirtualFolder::new("../", around, 99);
        assert!(above.has("config.json") && !above.has("none.json"));
        assert!(above.paths().is_empty());
    }
}
