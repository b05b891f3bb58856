//! A folder without some of its files: those that the user does not want to go with a model.

use std::sync::{Arc, OnceLock};

use super::file_names::last_part;
use super::folder::Folder;

/// A folder that does not show all its files.
pub(super) struct Hiding {
    folder: Arc<dyn Folder>,
    hidden: Arc<[String]>,
    paths: OnceLock<Vec<String>>,
}

impl Hiding {
    /// `folder` without the files of `hidden`.
    pub(super) fn new(folder: Arc<dyn Folder>, hidden: Arc<[String]>) -> Self {
        Self { folder, hidden, paths: OnceLock::new() }
    }
}

impl Folder for Hiding {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let paths = self.folder.paths().iter();
            let shown = paths.filter(|path| !is_hidden(path, &self.hidden));
            shown.cloned().collect()
        })
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        match is_hidden(path, &self.hidden) {
            true => Err(std::io::ErrorKind::NotFound.into()),
            false => self.folder.read(path),
        }
    }
}

/// Whether a path is named in `hidden`, whole or by its last part, in any case.
pub(super) fn is_hidden(path: &str, hidden: &[String]) -> bool {
    hidden.iter().any(|name| {
        path.eq_ignore_ascii_case(name)
            || (!name.contains(['/', '\\']) && last_part(path).eq_ignore_ascii_case(name))
    })
}
