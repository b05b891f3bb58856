//! A folder without the files that the user has excluded.

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
        if is_hidden(path, &self.hidden) {
            Err(std::io::ErrorKind::NotFound.into())
        } else {
            self.folder.read(path)
        }
    }
}

/// Whether a path is in `hidden`, as a whole or by its file name, ignoring case.
pub(super) fn is_hidden(path: &str, hidden: &[String]) -> bool {
    hidden.iter().any(|name| {
        path.eq_ignore_ascii_case(name)
            || (!name.contains(['/', '\\']) && last_part(path).eq_ignore_ascii_case(name))
    })
}
