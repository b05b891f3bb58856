//! Local bone transforms over the keys of a clip, for motions without curves per property: sampled matrices
//! and live curves (FBX).

use glam::{Affine3A, Quat, Vec3};
use rayon::prelude::*;

use super::bone_reaches::{BoneReach, BoneReaches};
use super::channels::{Apart, place};
use super::{WHAT, is_bind_pair};
use crate::model::{
    BoneId, Cancelled, Clip, ClipId, Model, Motion, Place, Report, Trs, as_u32, numbered,
};
use crate::pose::{Moment, Pose, PoseSpec, sample};
use crate::validate::worst::bone_text;

/// The most keys per run: half a minute at 30 per second …
const MAX_KEYS: usize = 1024;
/// … and the most keys times bones, 200 MB of memory.
const MAX_LOCALS: usize = 1 << 22;
/// Number of keys that neighbouring runs share, so that the end of one is inside the other.
const OVERLAP: usize = 8;
/// The most keys of live curves to examine per clip: the library needs a millisecond for each.
const MAX_CURVE_KEYS: usize = 1024;
/// A shorter axis is hidden.
const HIDDEN: f32 = 1e-5;

/// One bone at one time, relative to its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// Position in model units.
    at: Vec3,
    rotation: Quat,
    pub(super) scale: Vec3,
}

impl Local {
    /// Whether it has no size along some axis.
    pub(super) fn is_hidden(&self) -> bool {
        self.scale.abs().min_element() < HIDDEN
    }

    /// The distance that the farthest vertex of the bone moves between two transforms, file units.
    pub(super) fn apart(&self, other: &Self, reach: BoneReach) -> f32 {
        let moved = self.at.distance(other.at) * reach.per_unit;
        let rotated = self.rotation.apart(other.rotation) * reach.farthest;
        moved + rotated + self.scale.distance(other.scale) * reach.farthest
    }
}

/// Consecutive keys of a clip.
pub(in crate::validate) struct Series {
    pub(super) clip: ClipId,
    /// Number of the first key.
    first: usize,
    is_last: bool,
    /// The time of each key; with [`Self::has_middles`], also of the middles.
    pub(super) times_secs: Vec<f64>,
    /// Whether every second time is the middle between two keys.
    pub(super) has_middles: bool,
    /// Whether keys are numbered in the file.
    is_numbered: bool,
    /// By time, then bone.
    locals: Vec<Vec<Local>>,
}

impl Series {
    /// The bones whose keys are stored in the order of their times.
    pub(super) fn bones<'m>(&self, model: &'m Model) -> impl Iterator<Item = BoneId> + use<'m> {
        let unsorted = &model.clips[self.clip].unsorted_curves;
        let bones = (0..model.skeleton.len()).map(BoneId::from_index);
        bones.filter(|bone| !unsorted.iter().any(|curve| curve.bone == Some(*bone)))
    }

    pub(super) fn at(&self, time: usize, bone: usize) -> Option<&Local> {
        self.locals.get(time)?.get(bone)
    }

    /// Whether this run reports the time, since runs overlap.
    pub(super) fn owns(&self, time: usize) -> bool {
        let is_after = self.first == 0 || time >= OVERLAP / 2;
        is_after && (self.is_last || time + OVERLAP / 2 < self.times_secs.len())
    }

    /// `clip 0 "walk", bone 3 "hand"`.
    pub(super) fn subject(&self, model: &Model, bone: BoneId) -> String {
        let name = &*model.clips[self.clip].name;
        format!("{}, {}", numbered("clip", self.clip.index(), name), bone_text(model, bone))
    }

    /// A bone at one of the times.
    pub(super) fn place(&self, model: &Model, time: usize, bone: usize) -> Place {
        let bone = BoneId::from_index(bone);
        if self.is_numbered {
            Place::Key {
                clip: as_u32(self.clip.index()),
                key: as_u32(self.first + time),
                bone: bone.0,
            }
        } else {
            let time_secs = self.times_secs.get(time).copied().unwrap_or_default();
            place(model, self.clip.index(), time_secs, Some(bone))
        }
    }
}

/// Calls `visit` with the keys of each clip of sampled matrices or live curves, run by run.
pub(super) fn for_each(
    model: &Model,
    reaches: &BoneReaches,
    report: &Report,
    mut visit: impl FnMut(&Series),
) -> Result<(), Cancelled> {
    for (index, clip) in model.clips.iter().enumerate() {
        let spec = |moment| PoseSpec { moment, ..PoseSpec::linear(ClipId::from_index(index), 0.0) };
        let (moments, has_middles): (Vec<(Moment, f64)>, bool) = match &clip.motion {
            motion if is_bind_pair(motion) => continue,
            Motion::Sampled(motion) if motion.interval_ns > 0 => {
                let keys = 0..motion.keys.num_keys();
                let moment = |key| (Moment::Key(as_u32(key)), motion.key_secs(key));
                (keys.map(moment).collect(), false)
            }
            Motion::Curves(curves) => (curve_moments(clip, &curves.0.key_times_secs()), true),
            _ => continue,
        };
        let max_keys = (MAX_LOCALS / model.skeleton.len().max(1)).clamp(4 * OVERLAP, MAX_KEYS);
        let mut first = 0;
        while first < moments.len() {
            report.progress(WHAT, 0.25)?;
            let run = moments.get(first..moments.len().min(first + max_keys)).unwrap_or_default();
            let of_pose = |(moment, _): &(Moment, f64)| {
                locals(model, reaches, &sample(model, &spec(*moment)))
            };
            visit(&Series {
                clip: ClipId::from_index(index),
                first,
                is_last: first + run.len() == moments.len(),
                times_secs: run.iter().map(|(_, time_secs)| *time_secs).collect(),
                has_middles,
                is_numbered: !has_middles,
                locals: run.par_iter().map(of_pose).collect(),
            });
            if first + run.len() == moments.len() {
                break;
            }
            first += max_keys - OVERLAP;
        }
    }
    Ok(())
}

/// The keys of live curves inside the clip, with the middle between each pair.
fn curve_moments(clip: &Clip, keys: &[f64]) -> Vec<(Moment, f64)> {
    let end = clip.start_secs + clip.duration_secs.max(0.0);
    let inside = keys.iter().filter(|time| (clip.start_secs..=end).contains(*time));
    let keys: Vec<f64> = inside.copied().take(MAX_CURVE_KEYS).collect();
    let mut times = Vec::with_capacity(keys.len() * 2);
    for (at, &key) in keys.iter().enumerate() {
        times.push(key);
        times.extend(keys.get(at + 1).map(|next| 0.5 * (key + next)));
    }
    times.into_iter().map(|time| (Moment::TimeSecs(time), time)).collect()
}

/// The transform of every bone of `pose` relative to its parent. If the pose only has baked skinning
/// matrices, the transform from the parent's matrix to the bone's, at the centre of the vertices that the
/// bone moves.
fn locals(model: &Model, reaches: &BoneReaches, pose: &Pose) -> Vec<Local> {
    let local = |bone: BoneId| match &pose.model_from_mesh {
        None => {
            let parts = Trs::from_affine(pose.parent_from_bone[bone]);
            Local { at: parts.translation, rotation: parts.rotation, scale: parts.scale }
        }
        Some(matrices) => {
            let own = matrices[bone];
            let parent = model.skeleton.bones()[bone].parent.map(|parent| &matrices[parent]);
            let is_flat = |m: &Affine3A| m.matrix3.determinant().abs() < f32::MIN_POSITIVE;
            let matrix = match parent.filter(|parent| !is_flat(parent)) {
                Some(parent) => parent.inverse() * own,
                None => own,
            };
            let parts = Trs::from_affine(matrix);
            let at = matrix.transform_point3(reaches.center(bone));
            Local { at, rotation: parts.rotation, scale: parts.scale }
        }
    };
    model.skeleton.bones().ids().map(local).collect()
}
