//! A folder that is nowhere on disk: somebody else lists it and has its files, when a reader first asks.

use std::io;
use std::sync::{Arc, OnceLock};

use crate::formats::{Folder, leads_outside};

/// Paths listed at most, as of a folder on disk.
const MAX_PATHS: usize = 20_000;

/// Gives what there is at a path.
type At<T> = Box<dyn Fn(&str) -> io::Result<T> + Send + Sync>;

/// What lies around a file. Paths are said from the folder that the file is in: `skin.png`,
/// `textures/skin.png`, and in the folder above `../config.json`.
pub struct Around {
    /// Paths of all files below a folder, which is `""` or `"../"`, without that.
    list: At<Vec<String>>,
    /// All bytes of a file.
    read: At<Vec<u8>>,
}

impl Around {
    pub fn new(
        list: impl Fn(&str) -> io::Result<Vec<String>> + Send + Sync + 'static,
        read: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self { list: Box::new(list), read: Box::new(read) }
    }
}

/// One of the folders around a file.
pub(super) struct LentFolder {
    /// `""` or `"../"`.
    place: &'static str,
    around: Arc<Around>,
    limit_bytes: u64,
    paths: OnceLock<Vec<String>>,
}

impl LentFolder {
    pub(super) fn new(place: &'static str, around: Arc<Around>, limit_bytes: u64) -> Self {
        Self { place, around, limit_bytes, paths: OnceLock::new() }
    }

    /// Whether it has that file, without listing it.
    pub(super) fn has(&self, path: &str) -> bool {
        (self.around.read)(&format!("{}{path}", self.place)).is_ok()
    }
}

impl Folder for LentFolder {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let mut paths = (self.around.list)(self.place).unwrap_or_default();
            paths.retain(|path| !leads_outside(path));
            // Highest first and by name within a folder, as those of a folder on disk.
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
            return Err(io::Error::other("lies outside of the model's folder"));
        }
        let bytes = (self.around.read)(&format!("{}{path}", self.place))?;
        match bytes.len() as u64 > self.limit_bytes {
            true => Err(io::Error::other("is too large")),
            false => Ok(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_read_and_nothing_else() {
        let list = |place: &str| match place {
            "" => Ok(["t/b.png", "a.png", "../x", "/etc/passwd"].map(str::to_owned).to_vec()),
            _ => Err(io::Error::other("closed")),
        };
        let read = |path: &str| match path {
            "t/b.png" | "../config.json" => Ok(path.as_bytes().to_vec()),
            _ => Err(io::Error::other("not asked for")),
        };
        let around = Arc::new(Around::new(list, read));
        let own = LentFolder::new("", Arc::clone(&around), 99);
        assert_eq!(own.paths(), ["a.png", "t/b.png"]);
        assert_eq!(own.read("t/b.png").unwrap(), b"t/b.png");
        assert!(own.read("../config.json").is_err() && own.read("../x").is_err());
        let small = LentFolder::new("", Arc::clone(&around), 3);
        assert!(small.read("t/b.png").is_err(), "the limit holds");
        let above = LentFolder::new("../", around, 99);
        assert!(above.has("config.json") && !above.has("none.json"));
        assert!(above.paths().is_empty());
    }
}
