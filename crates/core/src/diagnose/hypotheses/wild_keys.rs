//! Single keys that are far from both of their neighbours.

use super::Hypothesis;
use crate::diagnose::cause::causes;
use crate::diagnose::evidence::keys::tracks_of;
use crate::diagnose::evidence::{from_reference, keys};
use crate::diagnose::specimen::Specimen;
use crate::diagnose::trial::Trial;
use crate::model::{AnimatedProperty, BoneTrack, KeyAt, Model, Motion, Track, counted};
use crate::reshape::smooth_keys;

causes! {
    WILD_KEY: "wild-key",
        "single keys are far from both of their neighbours",
        "delete the key, or bake the curve again",
        &["key-spike", "stretched-edge"];
}

pub(super) const ROWS: &[Hypothesis] = &[Hypothesis {
    cause: WILD_KEY,
    evidence: &[&keys::SPIKES, &from_reference::WILD_KEYS],
    trials: |case, _, items| {
        let clips: Vec<usize> =
            items.iter().filter_map(|item| case.clips.get(*item).copied()).collect();
        let keys = case.spikes().iter().filter(|key| clips.contains(&key.clip.index()));
        let keys: Vec<KeyAt> = keys.copied().collect();
        let detail = detail(case, &keys);
        let restored = of_reference(case, &keys);
        let restored = restored.map(|found| {
            Trial::new(detail.clone(), move |model| {
                found.iter().for_each(|(key, theirs)| copy_key(model, *key, theirs));
            })
        });
        let smoothed = Trial::new(detail, move |model| smooth_keys(model, &keys));
        restored.into_iter().chain([smoothed]).collect()
    },
}];

/// The first key, and the number of others.
fn detail(case: &Specimen, keys: &[KeyAt]) -> String {
    let Some(first) = keys.first() else { return String::new() };
    let property = match first.property {
        AnimatedProperty::Translation => "translation",
        AnimatedProperty::Rotation => "rotation",
        AnimatedProperty::Scale => "scale",
        AnimatedProperty::Weight => "weight",
    };
    let of = first
        .bone
        .map_or_else(|| "a morph target".to_owned(), |bone| case.model.skeleton.display_name(bone));
    let clip = &case.model.clips[first.clip].name;
    let others = match keys.len() {
        1 => String::new(),
        num => format!(", and {}", counted(num as u64 - 1, "other key")),
    };
    format!("key {} of the {property} of {of} in clip {clip:?}{others}", first.key)
}

/// The tracks of the reference that belong to some keys; `None` if one is missing, such as those of morph targets.
fn of_reference(case: &Specimen, keys: &[KeyAt]) -> Option<Vec<(KeyAt, BoneTrack)>> {
    let reference = case.reference.as_ref()?;
    let of_key = |key: &KeyAt| {
        let bone = reference.bones.get(key.bone?).copied().flatten()?;
        let clip = *reference.clips.get(&key.clip.index())?;
        let mut tracks = tracks_of(&reference.model, clip).iter();
        Some((*key, tracks.find(|track| track.bone == bone)?.clone()))
    };
    keys.iter().map(of_key).collect()
}

/// Replaces a key by that of a track with keys at the same times; otherwise does nothing.
fn copy_key(model: &mut Model, key: KeyAt, theirs: &BoneTrack) {
    let Some(clip) = model.clips.get_mut(key.clip) else { return };
    let Motion::Tracks(tracks) = &mut clip.motion else { return };
    let Some(own) = tracks.iter_mut().find(|track| Some(track.bone) == key.bone) else { return };
    match key.property {
        AnimatedProperty::Translation => copy(&mut own.translation, &theirs.translation, key.key),
        AnimatedProperty::Rotation => copy(&mut own.rotation, &theirs.rotation, key.key),
        AnimatedProperty::Scale => copy(&mut own.scale, &theirs.scale, key.key),
        AnimatedProperty::Weight => {}
    }
}

fn copy<T: Copy>(own: &mut Option<Track<T>>, theirs: &Option<Track<T>>, key: usize) {
    let (Some(own), Some(theirs)) = (own, theirs) else { return };
    let (_, values_per_key) = own.key_layout();
    let is_same = own.times_secs == theirs.times_secs && own.interpolation == theirs.interpolation;
    let range = key * values_per_key..(key + 1) * values_per_key;
    if let (true, Some(own), Some(theirs)) =
        (is_same, own.values.get_mut(range.clone()), theirs.values.get(range))
    {
        own.copy_from_slice(theirs);
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use crate::compare::drawing_difference;
    use crate::diagnose::{CauseId, Context, diagnose};
    use crate::model::testing::*;
    use crate::model::{Model, Report};
    use crate::reshape::plain;

    /// A clip that isn't linear, so that a smoothed key would be at another angle.
    fn arm(wild: Option<f32>) -> Model {
        let angle = |key: u8| f32::from(key * key) * 0.01;
        let keys = (0..12u8).map(|key| {
            let angle = wild.filter(|_| key == 6).unwrap_or(angle(key));
            (f64::from(key) / 10.0, Quat::from_rotation_z(angle))
        });
        let corners = [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y];
        ModelBuilder::new()
            .chain(&["a", "b"])
            .mesh(corners)
            .indices([0, 1, 2, 0, 2, 3])
            .bound([[(1, 1.0)]; 4])
            .clip("swing", 1.1)
            .rotation(1, linear(keys))
            .checked()
    }

    #[test]
    fn the_key_of_a_reference_is_restored_exactly() {
        let (good, bad) = (arm(None), arm(Some(2.5)));
        let context = Context { reference: Some(&good), ..Context::default() };
        let found = diagnose(&bad, context, &Report::new()).unwrap();
        assert_eq!(found.causes[0].info.name, "wild-key");
        let mut undone = found.model().clone();
        found.undo(CauseId { cause: 0, rival: None }, &mut undone);
        let expected = plain(&good, None);
        assert_eq!(undone.clips.iter().next(), expected.clips.iter().next());
        assert!(drawing_difference(&undone, &expected).is_none());
    }
}
