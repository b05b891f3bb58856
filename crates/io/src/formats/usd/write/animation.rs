//! Clips: a `SkelAnimation` for each, of which the first is bound, and time samples of prims and points.
//!
//! Source: OpenUSD, `UsdSkelAnimation`: all three components of the joints that it names; `scales` are half floats.
//! Other clips aren't played by UsdSkel, but tools list them.

use std::collections::HashMap;

use openusd::sdf::{Path, Value};

use super::super::ID;
use super::blend_shapes::WeightNames;
use super::layer::{Layer, tokens};
use super::skeleton::Joints;
use super::values::{half, quat, vec3};
use crate::formats::{WriteError, WriteOptions};
use rigscope_core::model::{BoneId, BoneTrack, Clip, Model, Motion, Track, Trs};
use rigscope_core::pose::Curve;
use rigscope_core::reshape::{CommonKeys, SampledKeys, check_keys, common_keys};

/// Times of a clip, as time codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) codes_per_sec: f64,
}

impl Timing {
    /// The time code of a time: a whole one if the time differs only by rounding.
    pub(super) fn code(self, time_secs: f64) -> f64 {
        const ROUNDING: f64 = 1e-10;
        let code = time_secs * self.codes_per_sec;
        let whole = code.round();
        if (code - whole).abs() <= ROUNDING * whole.abs().max(1.0) { whole } else { code }
    }

    pub(super) fn samples<T>(
        self,
        keys: CommonKeys<T>,
        value: impl Fn(Vec<T>) -> Value,
    ) -> Vec<(f64, Value)> {
        let times = keys.times_secs.into_iter().map(|time| self.code(time));
        times.zip(keys.values.into_iter().map(value)).collect()
    }
}

/// The ends of a clip, in seconds.
pub(super) fn ends(clip: &Clip) -> [f64; 2] {
    [clip.start_secs, clip.start_secs + clip.duration_secs.max(0.0)]
}

/// The tracks of bones in a clip.
pub(super) fn tracks(clip: &Clip) -> &[BoneTrack] {
    match &clip.motion {
        Motion::Tracks(tracks) => tracks,
        Motion::Sampled(_) | Motion::Curves(_) | Motion::VertexAnimation(_) => &[],
    }
}

/// The animations of a skeleton.
pub(super) struct Animations<'a> {
    pub(super) model: &'a Model,
    pub(super) joints: &'a Joints,
    pub(super) names: &'a WeightNames,
    pub(super) options: &'a WriteOptions,
    pub(super) timing: Timing,
}

impl Animations<'_> {
    /// Writes a clip as a prim below the skeleton's. One that moves nothing is only written if it `must_exist`.
    pub(super) fn write(
        &self,
        skeleton: &Path,
        clip: &Clip,
        must_exist: bool,
        layer: &mut Layer,
    ) -> Result<Path, WriteError> {
        let mut moved: Vec<(BoneId, &BoneTrack)> = Vec::new();
        for track in tracks(clip) {
            if self.joints.of_bone(track.bone).is_some() && !self.is_at_rest(track) {
                moved.push((track.bone, track));
            }
        }
        // A prim without values would be no clip.
        let is_empty = moved.is_empty() && self.names.in_clip(clip, self.model).is_empty();
        let first = self.joints.bones.iter().flatten().next().filter(|_| must_exist && is_empty);
        let still = first.map(|bone| BoneTrack {
            bone: *bone,
            translation: None,
            rotation: None,
            scale: None,
        });
        moved.extend(still.iter().map(|track| (track.bone, track)));
        // In the order of the skeleton.
        moved.sort_by_key(|(bone, _)| self.joints.of_bone(*bone));
        moved.dedup_by_key(|(bone, _)| *bone);
        self.check(clip, &moved)?;
        let prim = layer.prim(skeleton, &clip.name, "SkelAnimation");
        self.write_joints(&prim, clip, &moved, layer);
        self.write_weights(&prim, clip, layer);
        Ok(prim)
    }

    fn rest(&self, bone: BoneId) -> Trs {
        let bone = self.model.skeleton.bones().get(bone);
        bone.map_or(Trs::IDENTITY, |bone| bone.rest_local.to_trs())
    }

    /// Whether the bone has its rest transform at all times, which USD doesn't round.
    fn is_at_rest(&self, track: &BoneTrack) -> bool {
        fn all<T: Curve>(track: Option<&Track<T>>, rest: &T) -> bool {
            track.is_none_or(|track| track.straightened().values.iter().all(|value| value == rest))
        }
        let rest = self.rest(track.bone);
        let has_shear = self
            .model
            .skeleton
            .bones()
            .get(track.bone)
            .is_some_and(|bone| bone.rest_local.to_affine() != rest.to_affine());
        !has_shear
            && all(track.translation.as_ref(), &rest.translation)
            && all(track.rotation.as_ref(), &rest.rotation)
            && all(track.scale.as_ref(), &rest.scale)
    }

    /// Checks the number of keys, which is the product of joints and times.
    fn check(&self, clip: &Clip, moved: &[(BoneId, &BoneTrack)]) -> Result<(), WriteError> {
        let mut times: Vec<f64> =
            moved.iter().flat_map(|(_, track)| track.times()).flatten().copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let keys = SampledKeys { clip, num_keys: times.len() as u64 };
        check_keys([keys].into_iter(), moved.len() as u64, true, self.options.sampling)
            .map_err(|source| WriteError::Bake { format: ID, source })
    }

    fn write_joints(
        &self,
        prim: &Path,
        clip: &Clip,
        moved: &[(BoneId, &BoneTrack)],
        layer: &mut Layer,
    ) {
        if moved.is_empty() {
            return;
        }
        let joints = moved.iter().filter_map(|(bone, _)| self.joints.of_bone(*bone));
        let paths = tokens(joints.map(|joint| self.joints.path(joint)));
        layer.attribute(prim, "joints", "token[]").uniform().value(paths);
        let ends = ends(clip);
        let translations: Vec<_> = (moved.iter())
            .map(|(bone, track)| (track.translation.as_ref(), self.rest(*bone).translation))
            .collect();
        let keys = common_keys(&translations, &ends);
        let samples =
            self.timing.samples(keys, |row| Value::Vec3fVec(row.iter().map(vec3).collect()));
        layer.attribute(prim, "translations", "float3[]").samples(samples);
        let rotations: Vec<_> = (moved.iter())
            .map(|(bone, track)| (track.rotation.as_ref(), self.rest(*bone).rotation))
            .collect();
        let keys = CommonKeys::of_rotations(&rotations, &ends);
        let samples =
            self.timing.samples(keys, |row| Value::QuatfVec(row.iter().map(quat).collect()));
        layer.attribute(prim, "rotations", "quatf[]").samples(samples);
        let scales: Vec<_> = (moved.iter())
            .map(|(bone, track)| (track.scale.as_ref(), self.rest(*bone).scale))
            .collect();
        let keys = common_keys(&scales, &ends);
        let samples =
            self.timing.samples(keys, |row| Value::Vec3hVec(row.iter().map(half).collect()));
        layer.attribute(prim, "scales", "half3[]").samples(samples);
    }

    /// Weights of blend shapes; those that the clip doesn't animate have their default weight.
    fn write_weights(&self, prim: &Path, clip: &Clip, layer: &mut Layer) {
        let names = self.names.in_clip(clip, self.model);
        if names.is_empty() {
            return;
        }
        let list = tokens(names.iter().map(|(name, ..)| name));
        layer.attribute(prim, "blendShapes", "token[]").uniform().value(list);
        let tracks: Vec<_> = names.iter().map(|(_, track, usual)| (*track, *usual)).collect();
        let keys = common_keys(&tracks, &ends(clip));
        let samples = self.timing.samples(keys, Value::FloatVec);
        layer.attribute(prim, "blendShapeWeights", "float[]").samples(samples);
    }
}

/// The tracks of a clip by bone; of several for one bone, the first.
pub(super) fn tracks_by_bone(clip: &Clip) -> HashMap<BoneId, &BoneTrack> {
    tracks(clip).iter().rev().map(|track| (track.bone, track)).collect()
}
