//! Clips that take the model far away, and keys of roots that disagree with the rest pose.

use glam::Vec3;

use super::keys::{some_keys, tracks_of};
use super::{Evidence, Items, Kind};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::{Specimen, size_of, skin_of};
use crate::model::{BoneId, ClipId, Model, numbers};

pub(super) const ALL: &[&Evidence] = &[&TRAVEL, &ROOT_KEYS];

/// The distance between the model's centre at rest and in the nearest of some moments of a clip, in sizes of the model
/// at rest; one item per examined clip.
pub(crate) const TRAVEL: Evidence = Evidence {
    name: "travel",
    meaning: "the distance to which a clip takes the model",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Clips,
    noise: 0.05,
    weight: 1.0,
    measure: travel,
    text: |value| format!("{} times its size", numbers::significant(value, 2)),
};

/// The difference between the mean translation key of a joint that has no joint above it, and its rest translation, as
/// a fraction of the longer one; one item per examined clip, the largest of its roots.
pub(crate) const ROOT_KEYS: Evidence = Evidence {
    name: "root-keys",
    meaning: "the difference between the first translation key of the root and its rest translation",
    unit: "fraction",
    kind: Kind::Stored,
    items: Items::Clips,
    noise: 0.05,
    weight: 1.0,
    measure: |case, model| {
        let roots = moved_roots(&case.model);
        let of_clip = |clip: &usize| {
            let of_root = |root: &BoneId| root_difference(model, *clip, *root);
            roots.iter().filter_map(of_root).reduce(f64::max).unwrap_or(f64::NAN)
        };
        case.clips.iter().map(of_clip).collect()
    },
    text: |value| format!("{} of its length", numbers::percent(value)),
};

/// Rest translations shorter than this fraction of the mesh may be anything.
const SHORTEST: f32 = 0.1;

fn center(points: &[Vec<Vec3>]) -> Option<Vec3> {
    let (mut sum, mut num) = (Vec3::ZERO, 0.0);
    for point in points.iter().flatten().filter(|point| point.is_finite()) {
        sum += *point;
        num += 1.0;
    }
    (num > 0.0).then(|| sum / num)
}

fn travel(case: &Specimen, model: &Posed<'_>) -> Vec<f64> {
    let poses = model.points(case);
    let rest = poses.first().and_then(|rest| Some((center(rest)?, size_of(&rest.concat()))));
    let of_clip = |clip: &usize| {
        let (from, size) = rest.filter(|(_, size)| *size > 0.0)?;
        let own = case.poses.iter().zip(poses);
        let of_clip = own.filter(|(spec, _)| spec.clip == Some(ClipId::from_index(*clip)));
        let away = of_clip.filter_map(|(_, points)| Some(center(points)?.distance(from) / size));
        away.map(f64::from).reduce(f64::min)
    };
    case.clips.iter().map(|clip| of_clip(clip).unwrap_or(f64::NAN)).collect()
}

/// The joints above which there is no other joint, if they are far from their parent's origin compared with the size of
/// the bones below them.
pub(in crate::diagnose) fn moved_roots(model: &Model) -> Vec<BoneId> {
    let bones = model.skeleton.bones();
    let mut is_joint = vec![false; bones.len()];
    let skins = model.meshes.iter().filter_map(skin_of);
    for bone in skins.flat_map(|skin| &skin.bones) {
        is_joint[bone.index()] = true;
    }
    let local = |bone: BoneId| bones[bone].rest_local.to_trs().translation.length();
    let is_root = |bone: &BoneId| {
        let parent = bones[*bone].parent;
        is_joint[bone.index()] && parent.is_none_or(|parent| !is_joint[parent.index()])
    };
    let is_far = |bone: &BoneId| {
        let below = bones.ids().filter(|child| bones[*child].parent == Some(*bone)).map(local);
        local(*bone) > SHORTEST * below.fold(0.0, f32::max)
    };
    bones.ids().filter(|bone| is_root(bone) && is_far(bone)).collect()
}

fn root_difference(model: &Model, clip: usize, root: BoneId) -> Option<f64> {
    let rest = model.skeleton.bones()[root].rest_local.to_trs().translation;
    let track = tracks_of(model, clip).iter().find(|track| track.bone == root)?;
    let first = some_keys(track.translation.as_ref()?).next()?;
    let longer = rest.length().max(first.length()).max(f32::MIN_POSITIVE);
    Some(f64::from(rest.distance(first) / longer).min(1.0))
}
