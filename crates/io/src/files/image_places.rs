//! Where the images of a conversion lie already, and which names are free for them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Inputs, disk, folder_of};
use crate::formats::{ImagePlaces, Spot};
use rigscope_core::model::Model;

/// Names that the conversions of one call have chosen, with what goes there: no two write different
/// files to one place.
#[derive(Clone, Debug, Default)]
pub struct Claims(Arc<Mutex<HashMap<PathBuf, u64>>>);

/// What is known about one conversion's files.
pub struct Disk<'a> {
    /// Where the main file goes.
    pub target: &'a Path,
    /// The file that was read.
    pub input: &'a Path,
    /// Files and folders that were given along.
    pub with: &'a [PathBuf],
    /// All that is read in this call: nothing is written over it.
    pub inputs: Inputs,
    /// Whether other files may be written over.
    pub force: bool,
    pub claims: Claims,
}

/// Where the images of `model` are for what is written: with `refers` those that lie on disk already
/// are named there.
pub fn image_places(model: &Model, refers: bool, disk: Disk<'_>) -> ImagePlaces {
    let folder = folder_of(disk.target).to_owned();
    let referenced = match refers {
        true => referenced(model, &folder, &disk),
        false => BTreeMap::new(),
    };
    let Disk { inputs, force, claims, .. } = disk;
    let at = move |path: &str, bytes: &[u8]| {
        let file = folder.join(path);
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        let mut claimed = claims.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = claimed.get(&file) {
            return match *known == hash {
                true => Spot::Free,
                false => Spot::Taken,
            };
        }
        if disk::read(&file).is_ok_and(|there| there == bytes) {
            return Spot::Same;
        }
        let is_input = || inputs.holds(&file);
        if file.symlink_metadata().is_ok() && (!force || is_input()) {
            return Spot::Taken;
        }
        claimed.insert(file, hash);
        Spot::Free
    };
    ImagePlaces { referenced, at: Some(Arc::new(at)) }
}

/// Paths from `folder` to the files that images were read from.
fn referenced(model: &Model, folder: &Path, disk: &Disk<'_>) -> BTreeMap<String, String> {
    let mut paths = BTreeMap::new();
    for image in model.images.iter().filter(|image| !image.is_embedded) {
        let given = disk.with.iter().map(|with| match disk::is_dir(with) {
            true => with.join(&image.name),
            false => with.clone(),
        });
        let places = given.chain([folder_of(disk.input).join(&image.name)]);
        let is_it = |path: &PathBuf| disk::read(path).is_ok_and(|bytes| bytes[..] == *image.bytes);
        if let Some(file) = places.into_iter().find(is_it)
            && let Some(path) = relative(&file, folder)
        {
            paths.insert(image.name.clone(), path);
        }
    }
    paths
}

/// The path from `folder` to `file`; `None` where there is none, as between drives.
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
    fn a_path_leads_from_folder_to_file() {
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
    fn a_name_is_free_once_and_never_that_of_an_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::write(at("in.png"), b"input").unwrap();
        std::fs::write(at("old.png"), b"old").unwrap();
        let claims = Claims::default();
        let places = |force| {
            let target = at("a.obj");
            let inputs = Inputs::default();
            inputs.add(&at("in.png"));
            let disk = Disk {
                target: &target,
                input: &target,
                with: &[],
                inputs,
                force,
                claims: claims.clone(),
            };
            image_places(&Model::default(), false, disk)
        };
        let (kept, forced) = (places(false), places(true));
        assert_eq!(kept.spot("in.png", b"input"), Spot::Same);
        assert_eq!(kept.spot("old.png", b"new"), Spot::Taken);
        assert_eq!(forced.spot("in.png", b"new"), Spot::Taken);
        assert_eq!(forced.spot("old.png", b"new"), Spot::Free);
        assert_eq!(kept.spot("new.png", b"one"), Spot::Free);
        assert_eq!(forced.spot("new.png", b"one"), Spot::Free);
        assert_eq!(forced.spot("new.png", b"two"), Spot::Taken);
    }
}
