//! A folder without the files that the user has excluded.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::file_names::last_part;
use super::folder::Folder;

pub(super) struct FilteredFolder {
    folder: Arc<dyn Folder>,
    hidden: Arc<[String]>,
    paths: OnceLock<Vec<String>>,
}

impl FilteredFolder {
    /// `folder` without the files named in `hidden`.
    pub(super) fn new(folder: Arc<dyn Folder>, hidden: Arc<[String]>) -> Self {
        Self { folder, hidden, paths: OnceLock::new() }
    }
}

impl Folder for FilteredFolder {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let paths = self.folder.paths().iter();
            let shown = paths.filter(|path| !is_hidden(path, &self.hidden));
            shown.cloned().collect()
        })
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        self.shown(path)?.read(path)
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        self.shown(path)?.read_range(path, range)
    }

    fn read_within(&self, path: &str, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
        self.shown(path)?.read_within(path, limit_bytes)
    }
}

impl FilteredFolder {
    /// The folder, if `path` isn't hidden.
    fn shown(&self, path: &str) -> std::io::Result<&dyn Folder> {
        let is_hidden = is_hidden(path, &self.hidden);
        if is_hidden { Err(std::io::ErrorKind::NotFound.into()) } else { Ok(&*self.folder) }
    }
}

/// Whether a path is in `hidden`, as a whole or by its file name, ignoring case.
pub(super) fn is_hidden(path: &str, hidden: &[String]) -> bool {
    hidden.iter().any(|name| {
        path.eq_ignore_ascii_case(name)
            || (!name.contains(['/', '\\']) && last_part(path).eq_ignore_ascii_case(name))
    })
}
