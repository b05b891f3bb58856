//! Images next to written files or in their original place, for reading the written files back.

use std::sync::Arc;

use crate::formats::{Folder, OutputFile, is_image};

/// The images that written files refer to.
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

/// Whether other files refer to this one by name. Such a file is not passed to the reader explicitly, so it
/// can only be used by the material that names it.
pub(super) fn is_beside(name: &str, file: &OutputFile) -> bool {
    file.is_there() || file.is_related_file && is_image(name)
}

/// The folder with all such files; of files outside of it only the names matter.
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
