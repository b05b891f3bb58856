//! Folders for readers of related files, on disk and in memory.

use std::collections::BTreeMap;
use std::path::Path;

use rigscope_io::formats::Folder;

/// Files in memory by path.
#[derive(Default)]
pub struct InMemory {
    paths: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
}

impl InMemory {
    /// The files of that path and content.
    pub fn of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let files: BTreeMap<_, _> = files.into_iter().collect();
        let paths = files.keys().cloned().collect();
        Self { paths, files }
    }

    /// All files right in a folder of the disk whose name is wanted.
    pub fn copy(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_file() && is_wanted(&name) {
                files.push((name, std::fs::read(path).unwrap()));
            }
        }
        Self::of(files)
    }
}

impl Folder for InMemory {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        self.files.get(path).cloned().ok_or_else(missing)
    }
}
