//! Bone maps on disk.

use std::path::{Path, PathBuf};

use crate::files::{FileError, Inputs, Pipes, name_of, read_file, read_settings, save};
use crate::formats::{
    BONE_MAP_SUFFIX, MAX_MAP_BYTES, bone_map_text, merged_bone_map, parse_bone_map,
};
use rigscope_core::rig::BoneMap;

/// Reads a bone map.
///
/// # Errors
/// If the file can't be read or isn't a bone map.
pub fn read_bone_map(path: &Path, inputs: &Inputs) -> Result<BoneMap, FileError> {
    let text = read_settings(path, inputs)?;
    let map = parse_bone_map(&name_of(path), text.as_bytes());
    map.map_err(|why| FileError::Io(std::io::Error::other(why)))
}

/// The bone map next to a model, if there is one.
pub fn bone_map_near(model: &Path) -> Option<PathBuf> {
    own_path(model).filter(|path| path.is_file())
}

/// Saves `map` next to a model. Pairs of other bones that are in the file already stay there. `inputs` aren't overwritten.
///
/// # Errors
/// A sentence that names the file.
pub fn save_bone_map(model: &Path, map: &BoneMap, inputs: &Inputs) -> Result<PathBuf, String> {
    let path = own_path(model).ok_or_else(|| "the model isn't a file".to_owned())?;
    let at = |error: String| format!("{}: {error}", path.display());
    let older = match bone_map_near(model) {
        Some(path) => {
            let text = read_file(&path, MAX_MAP_BYTES, Pipes::Refused, |_| Ok(()));
            let text = text.map_err(|error| at(error.to_string()))?;
            parse_bone_map(&name_of(&path), &text).map_err(at)?
        }
        None => BoneMap::default(),
    };
    let text = bone_map_text(&merged_bone_map(map, older));
    save(&path, text.as_bytes(), true, inputs).map_err(|error| at(error.to_string()))?;
    Ok(path)
}

fn own_path(model: &Path) -> Option<PathBuf> {
    let stem = model.file_stem()?.to_string_lossy();
    Some(model.with_file_name(format!("{stem}{BONE_MAP_SUFFIX}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::BoneMapEntry;

    fn map(entries: &[(&str, Option<&str>)]) -> BoneMap {
        let entry = |(from, to): &(&str, Option<&str>)| BoneMapEntry {
            from: (*from).to_owned(),
            to: to.map(str::to_owned),
        };
        BoneMap { entries: entries.iter().map(entry).collect() }
    }

    #[test]
    fn saving_keeps_the_pairs_of_other_bones() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("hero.v2.glb");
        assert_eq!(bone_map_near(&model), None);
        save_bone_map(&model, &map(&[("a", Some("x")), ("b", Some("y"))]), &Inputs::none())
            .unwrap();
        let path =
            save_bone_map(&model, &map(&[("a", None), ("c", Some("y"))]), &Inputs::none()).unwrap();
        assert_eq!(path.file_name().unwrap(), "hero.v2.bones.toml");
        assert_eq!(bone_map_near(&model).as_deref(), Some(&*path));
        let read = read_bone_map(&path, &Inputs::none()).unwrap();
        assert_eq!(read, map(&[("a", None), ("c", Some("y"))]));
    }

    #[test]
    fn a_file_that_is_no_map_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("hero.glb");
        let path = folder.path().join("hero.bones.toml");
        std::fs::write(&path, "a = 3").unwrap();
        let error = save_bone_map(&model, &map(&[("a", None)]), &Inputs::none()).unwrap_err();
        assert!(error.contains("the counterpart of \"a\" isn't a name"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a = 3");
    }
}
