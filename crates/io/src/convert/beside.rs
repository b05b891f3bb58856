//! Images beside written files, or that stay where they are, for reading back what names them.

use std::sync::Arc;

use crate::formats::{Folder, OutputFile, is_image};

/// Images that written files name.
struct There {
    paths: Vec<String>,
    bytes: Vec<Vec<u8>>,
}

impl Folder for There {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let at = self.paths.iter().position(|known| known == path);
        let bytes = at.and_then(|at| self.bytes.get(at));
        bytes.cloned().ok_or(std::io::ErrorKind::NotFound.into())
    }
}

/// Whether a file is one that others find beside them: nobody gives it along, so that it can be meant
/// for no other material than the one that names it.
pub(super) fn is_beside(name: &str, file: &OutputFile) -> bool {
    file.is_there() || file.is_companion && is_image(name)
}

/// The folder with all such files; of those outside of it only names count.
pub(super) fn folder(files: &[(String, OutputFile)]) -> Arc<dyn Folder> {
    let there = files.iter().filter(|(name, file)| is_beside(name, file));
    let (paths, bytes) = there
        .map(|(path, file)| {
            let below = path.trim_start_matches("../").to_owned();
            (below, file.bytes.clone())
        })
        .unzip();
    Arc::new(There { paths, bytes })
}
