//! Makes names unique.

use std::collections::HashSet;

use crate::model::{Model, Skeleton};

/// Appends a number to the name of each bone or clip if an earlier one has the same name.
pub(super) fn number_duplicates(model: &mut Model) {
    let unique = uniques(model.clips.iter().map(|clip| clip.name.as_str()));
    for (clip, name) in model.clips.iter_mut().zip(unique) {
        clip.name = name;
    }
    let mut bones = model.skeleton.bones().to_vec();
    let unique = uniques(bones.iter().map(|bone| bone.name.as_str()));
    for (bone, name) in bones.iter_mut().zip(unique) {
        bone.name = name;
    }
    // This always succeeds, because the parents don't change.
    if let Ok(skeleton) = Skeleton::new(bones, model.skeleton.has_hierarchy()) {
        model.skeleton = skeleton;
    }
}

/// The names, with a number appended if an earlier one is equal; empty names remain.
fn uniques<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let existing: HashSet<&str> = names.clone().collect();
    let mut taken = HashSet::new();
    let unique = |name: &str| {
        if name.is_empty() || taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let mut numbered = (2u32..).map(|number| format!("{name}_{number}"));
        let is_free = |new: &String| !existing.contains(new.as_str()) && taken.insert(new.clone());
        numbered.find(is_free).unwrap_or_default()
    };
    names.map(unique).collect()
}
