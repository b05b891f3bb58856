//! Files of the same folder whose clips animate the same skeleton.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{OpenOptions, Opener};
use crate::Error;
use crate::files::{Pipes, resolved_path};
use rigscope_core::model::{Model, Report, spread};

/// The most files to read, and their total size. Reading more would take longer than the diagnosis.
const MAX_FILES: usize = 8;
const MAX_BYTES: u64 = 32 << 20;
/// With this many clips, the model is its own neighbour.
const ENOUGH_CLIPS: usize = 8;
/// At least this share of the bones must have the same names.
const SAME_BONES: f64 = 0.9;

impl OpenOptions {
    /// The models of other files in the folder of `path` that have its extension, and clips for bones with the same
    /// names as those of `model`, for [`Context::neighbours`](rigscope_core::diagnose::Context::neighbours).
    ///
    /// # Errors
    /// If related files among the options can't be read.
    pub fn neighbours(&self, path: &Path, model: &Model) -> Result<Vec<Model>, Error> {
        let opener = Opener::new(self, Pipes::Refused, &Report::new())
            .map_err(|(path, error)| Error::of_file(&error, &path))?;
        Ok(neighbours(&opener, path, model, None))
    }
}

/// Reads the files next to `path` that have its extension, and clips for bones with the same names. Unreadable files
/// are skipped, and so is `target`, which a run is going to replace.
pub fn neighbours(
    opener: &Opener,
    path: &Path,
    model: &Model,
    target: Option<&Path>,
) -> Vec<Model> {
    let names = bone_names(model);
    if model.clips.is_empty() || model.clips.len() >= ENOUGH_CLIPS || names.is_empty() {
        return Vec::new();
    }
    let animates_same = |other: &Model| {
        let others = bone_names(other);
        let num_same = names.intersection(&others).count();
        !other.clips.is_empty() && num_same as f64 >= SAME_BONES * names.len() as f64
    };
    let mut bytes_left = MAX_BYTES;
    let mut found = Vec::new();
    let target = target.map(resolved_path);
    for (path, num_bytes) in similar_files(path) {
        if num_bytes > bytes_left || target.as_ref() == Some(&resolved_path(&path)) {
            continue;
        }
        bytes_left -= num_bytes;
        let opened = opener.open(&path, &Report::new().quiet());
        found.extend(opened.ok().map(|document| document.model).filter(animates_same));
    }
    found
}

fn bone_names(model: &Model) -> HashSet<&str> {
    model.skeleton.bones().iter().map(|bone| &*bone.name).filter(|name| !name.is_empty()).collect()
}

/// Some other files of the folder with the same extension, with their sizes.
fn similar_files(path: &Path) -> Vec<(PathBuf, u64)> {
    let (Some(extension), Some(name)) = (path.extension(), path.file_name()) else {
        return Vec::new();
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let mut files: Vec<(PathBuf, u64)> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name() != name)
        .map(|entry| (entry.path(), entry))
        .filter(|(path, _)| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension)))
        .filter_map(|(path, entry)| Some((path, entry.metadata().ok()?)))
        .filter(|(_, metadata)| metadata.is_file())
        .map(|(path, metadata)| (path, metadata.len()))
        .collect();
    files.sort();
    spread(files.len(), MAX_FILES).filter_map(|at| files.get(at).cloned()).collect()
}
