//! Where the images of a conversion are already, and which file names are free for them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Inputs, disk, folder_of, has_bytes};
use crate::formats::{ImagePlaces, PathState};
use rigscope_core::model::{Finding, Model};

/// Output paths chosen by the conversions of one call, with a hash of the contents: two conversions never
/// write different files to one path.
#[derive(Clone, Debug, Default)]
pub struct ClaimedPaths(Arc<Mutex<HashMap<PathBuf, u64>>>);

/// The files of one conversion.
pub struct ConversionFiles<'a> {
    /// Path of the main output.
    pub target: &'a Path,
    /// The file that was read.
    pub input: &'a Path,
    /// Related files and folders supplied by the user.
    pub with: &'a [PathBuf],
    /// All inputs of this call, which are never overwritten.
    pub inputs: Inputs,
    /// Whether other existing files may be overwritten.
    pub force: bool,
    pub claims: ClaimedPaths,
    /// Findings of the reader of the model.
    pub read_findings: &'a [Finding],
}

/// Output paths for the images of `model`. With `refers`, images that are on disk already are referenced
/// there.
pub fn image_places(model: &Model, refers: bool, disk: ConversionFiles<'_>) -> ImagePlaces {
    let folder = folder_of(disk.target).to_owned();
    let referenced = if refers { referenced(model, &folder, &disk) } else { BTreeMap::new() };
    let ConversionFiles { inputs, force, claims, .. } = disk;
    let at = move |path: &str, bytes: &[u8]| {
        let file = folder.join(path);
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        let mut claimed = claims.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = claimed.get(&file) {
            return if *known == hash { PathState::Free } else { PathState::Taken };
        }
        if has_bytes(&file, bytes) {
            return PathState::Same;
        }
        let is_input = || inputs.holds(&file);
        if file.symlink_metadata().is_ok() && (!force || is_input()) {
            return PathState::Taken;
        }
        claimed.insert(file, hash);
        PathState::Free
    };
    ImagePlaces { referenced, at: Some(Arc::new(at)) }
}

/// Paths relative to `folder` of the files that images were read from.
fn referenced(
    model: &Model,
    folder: &Path,
    disk: &ConversionFiles<'_>,
) -> BTreeMap<String, String> {
    let mut paths = BTreeMap::new();
    for image in model.images.iter().filter(|image| !image.is_embedded) {
        let given = disk
            .with
            .iter()
            .map(|with| if disk::is_dir(with) { with.join(&image.name) } else { with.clone() });
        let places = given.chain([folder_of(disk.input).join(&image.name)]);
        let is_it = |path: &PathBuf| has_bytes(path, &image.bytes);
        if let Some(file) = places.into_iter().find(is_it)
            && let Some(path) = relative(&file, folder)
        {
            paths.insert(image.name.clone(), path);
        }
    }
    paths
}

/// The path from `folder` to `file`, or `None` without a common root, for example between drives.
fn relative(file: &Path, folder: &Path) -> Option<String> {
    let (file, folder) = (disk::canonical(file).ok()?, disk::canonical(folder).ok()?);
    let (file, folder): (Vec<_>, Vec<_>) =
        (file.components().collect(), folder.components().collect());
    let num_shared = file.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    if num_shared == 0 {
        return None;
    }
    let up = folder.iter().skip(num_shared).map(|_| Some(".."));
    let down = file.iter().skip(num_shared).map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    parts.map(|parts| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_path_leads_from_a_folder_to_a_file() {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        for folder in ["in/tex", "out/deep"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        std::fs::write(at("in/tex/a.png"), b"a").unwrap();
        let path = |folder: &str| relative(&at("in/tex/a.png"), &at(folder)).unwrap();
        assert_eq!(path("in"), "tex/a.png");
        assert_eq!(path("in/tex"), "a.png");
        assert_eq!(path("out/deep"), "../../in/tex/a.png");
        assert_eq!(relative(&at("none"), &at("in")), None);
    }

    #[test]
    fn an_image_path_is_claimed_once_and_never_overwrites_an_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::write(at("in.png"), b"input").unwrap();
        std::fs::write(at("old.png"), b"old").unwrap();
        let claims = ClaimedPaths::default();
        let places = |force| {
            let target = at("a.obj");
            let inputs = Inputs::none();
            inputs.add(&at("in.png"));
            let disk = ConversionFiles {
                target: &target,
                input: &target,
                with: &[],
                inputs,
                force,
                claims: claims.clone(),
                read_findings: &[],
            };
            image_places(&Model::default(), false, disk)
        };
        let (kept, forced) = (places(false), places(true));
        assert_eq!(kept.path_state("in.png", b"input"), PathState::Same);
        assert_eq!(kept.path_state("old.png", b"new"), PathState::Taken);
        assert_eq!(forced.path_state("in.png", b"new"), PathState::Taken);
        assert_eq!(forced.path_state("old.png", b"new"), PathState::Free);
        assert_eq!(kept.path_state("new.png", b"one"), PathState::Free);
        assert_eq!(forced.path_state("new.png", b"one"), PathState::Free);
        assert_eq!(forced.path_state("new.png", b"two"), PathState::Taken);
    }
}
