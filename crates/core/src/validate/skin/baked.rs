//! Compares baked skinning matrices with the local keys of the same motion.
//!
//! Files of the supported formats store one kind of keys. A model has both after clips of another
//! file were added (`pose::transfer`), for example a packed file with hierarchy and its flat twin. A
//! clip of `KeySpace::Skin` and a local one are assumed to be the same motion if they have the same
//! name, or otherwise the same number of keys at the same interval. Their palettes must agree:
//! `key[b]` and `model_from_bone[b] * bone_from_mesh[b]`.
//!
//! A bind pair isn't a motion and is skipped; its reader recognises it because its matrices are
//! inverse to each other.

use super::{bound_meshes, bounds_corners, misfit};
use crate::model::stats::used_slots;
use crate::model::{
    Cancelled, Clip, ClipId, FindingKind, KeySpace, MeshId, Model, Motion, Place, Report, as_u32,
    findings, numbered, numbers,
};
use crate::pose::{PoseSpec, Sampling, sample};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    BakedKeysDiffer, "baked-keys-differ", Warning, Skin,
        "the baked skinning matrices differ from the local keys of the same motion",
        "the same motion looks different in the two clips, so runtimes that use one or the other disagree",
        "export both clips again from the same scene and frame range",
        "key 3 moves the mesh differently than clip 0 \"walk\" does, by 6.9 % of its size at clips[1].keys[3].bones[6]";
}

/// Palettes are the same if the bounds that they give differ by less than this fraction of the
/// mesh's size: a thousandth is 2 mm on a person, and single precision keeps long chains well
/// below.
const MAX_MISFIT: f32 = 1e-3;
/// Keys to compare per pair, spread over the clip.
const MAX_KEYS: usize = 16;
/// Clips of baked matrices to compare: files with more are made to keep a program busy.
const MAX_PAIRS: usize = 64;
/// Two clocks are the same if their intervals differ by less than this fraction.
const INTERVAL_TOLERANCE: f64 = 1e-3;

/// Reports clips of baked matrices that contradict a clip of local keys.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    for (baked, local) in pairs(model) {
        report.progress("checking skins", 0.8)?;
        compare(model, baked, local, report)?;
    }
    Ok(())
}

/// Each clip of baked matrices with the local clip of the same motion.
fn pairs(model: &Model) -> Vec<(usize, usize)> {
    let is_baked = |clip: &Clip| {
        clip.as_sampled()
            .is_some_and(|motion| motion.space == KeySpace::Skin && !motion.is_bind_pair)
    };
    let is_local = |clip: &Clip| match &clip.motion {
        Motion::Sampled(motion) => motion.space == KeySpace::Local,
        Motion::Tracks(_) | Motion::Curves(_) => true,
        Motion::VertexAnimation(_) => false,
    };
    let numbered = || model.clips.iter().enumerate();
    let counterpart = |clip: &Clip| {
        let mut locals = numbered().filter(|(_, other)| is_local(other));
        let by_name =
            locals.clone().find(|(_, other)| !clip.name.is_empty() && other.name == clip.name);
        by_name.or_else(|| locals.find(|(_, other)| has_same_clock(clip, other)))
    };
    let baked = numbered().filter(|(_, clip)| is_baked(clip));
    baked
        .take(MAX_PAIRS)
        .filter_map(|(number, clip)| Some((number, counterpart(clip)?.0)))
        .collect()
}

/// Whether two clips have the same number of keys, more than one, at the same interval.
fn has_same_clock(one: &Clip, other: &Clip) -> bool {
    let (Some(a), Some(b)) = (one.uniform_keys(), other.uniform_keys()) else { return false };
    a.0 > 1 && a.0 == b.0 && (a.1 - b.1).abs() <= a.1 * INTERVAL_TOLERANCE
}

fn compare(model: &Model, baked: usize, local: usize, report: &Report) -> Result<(), Cancelled> {
    let num_keys = model
        .clips
        .get(ClipId::from_index(baked))
        .and_then(Clip::uniform_keys)
        .map_or(0, |(num_keys, _)| num_keys);
    let step = num_keys.div_ceil(MAX_KEYS).max(1);
    let meshes: Vec<_> = bound_meshes(model)
        .map(|(number, mesh, skin)| {
            let used = used_slots(mesh, skin);
            (MeshId(number), mesh, skin, used, bounds_corners(mesh))
        })
        .collect();
    if meshes.is_empty() {
        return Ok(());
    }
    let mut differing = Worst::default();
    for key in (0..num_keys).step_by(step) {
        report.progress("checking skins", 0.8)?;
        let key = as_u32(key);
        let pose_of = |clip: usize| {
            let spec = PoseSpec {
                sampling: Sampling::Step,
                ..PoseSpec::at_key(ClipId::from_index(clip), key)
            };
            sample(model, &spec)
        };
        let (finished, composed) = (pose_of(baked), pose_of(local));
        for (number, mesh, skin, used, corners) in &meshes {
            let finished = finished.of_mesh(*number, mesh).palette;
            let composed = composed.of_mesh(*number, mesh).palette;
            let slots = skin.bones.iter().zip(finished.iter().zip(&composed));
            for ((bone, (one, other)), is_used) in slots.zip(used) {
                let misfit = match is_used {
                    true => misfit(corners, one, other),
                    false => 0.0,
                };
                if misfit > MAX_MISFIT {
                    differing.add(misfit, (key, *bone));
                }
            }
        }
    }
    let Some((worst, (key, bone))) = differing.worst else { return Ok(()) };
    let place = Place::Key { clip: as_u32(baked), key, bone: bone.0 };
    report.add_many(FindingKind::BakedKeysDiffer, place, differing.count, || {
        let name = &*model.clips[ClipId::from_index(local)].name;
        let (clip, percent) = (numbered("clip", local, name), numbers::percent(worst));
        format!("key {key} moves the mesh differently than {clip} does, by {percent} of its size")
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, with_baked_twin};

    #[test]
    fn differing_baked_key_is_reported_and_an_exact_copy_is_not() {
        let mut model = clean_model();
        with_baked_twin(&mut model, |_, _, matrix| matrix);
        assert_eq!(model.clips.len(), 2);
        assert_eq!(find(&findings_of_rules(&model, check), FindingKind::BakedKeysDiffer), None);

        let mut model = clean_model();
        with_baked_twin(&mut model, |key, bone, matrix| match (key, bone) {
            (2, 1) => glam::Affine3A::from_translation(glam::Vec3::X) * matrix,
            _ => matrix,
        });
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::BakedKeysDiffer).unwrap();
        assert_eq!(finding.count, 1);
        assert_eq!(finding.place.to_string(), "clips[1].keys[2].bones[1]");
    }

    #[test]
    fn clips_with_another_name_and_length_are_not_compared() {
        let mut model = clean_model();
        with_baked_twin(&mut model, |_, _, matrix| {
            glam::Affine3A::from_translation(glam::Vec3::X) * matrix
        });
        assert!(find(&findings_of_rules(&model, check), FindingKind::BakedKeysDiffer).is_some());
        model.clips[ClipId(1)].name = "other".to_owned();
        assert!(find(&findings_of_rules(&model, check), FindingKind::BakedKeysDiffer).is_some());
        let Motion::Sampled(motion) = &mut model.clips[ClipId(1)].motion else { unreachable!() };
        motion.interval_ns /= 2;
        assert_eq!(find(&findings_of_rules(&model, check), FindingKind::BakedKeysDiffer), None);
    }
}
