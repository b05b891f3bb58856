//! The motion of a human relative to its T-pose.
//!
//! A bone moves relative to its parent by the bones of the source between both. If only one of these has keys, its keys
//! are kept: rotations are multiplied by constants, which changes no interpolation. Otherwise the motion is sampled.

use std::collections::{BTreeSet, HashMap};

use glam::{Affine3A, Quat, Vec3};

use super::rotation_of;
use super::t_pose::TPose;
use crate::model::{
    BoneId, BoneTrack, Clip, ClipId, IdVec, Interpolation, Model, Motion, Track, as_u32,
};
use crate::pose::{PoseSpec, sample};
use crate::rig::VrmBone;

/// The most sampled keys per clip; longer clips get keys farther apart.
const MAX_KEYS: u32 = 1 << 16;
/// The most bone poses per sampled clip.
const MAX_POSES: u32 = 1 << 21;
/// Bones that move along their parent by less than this fraction of the height of the hips only turn.
const SAME_PLACE: f32 = 1e-3;
/// Scales that differ by less than this are equal.
const SAME_SCALE: f32 = 1e-3;

pub(super) struct Sampler<'a> {
    model: &'a Model,
    bones: &'a [VrmBone],
    pose: &'a TPose,
    rest: &'a IdVec<BoneId, Affine3A>,
    facing: Affine3A,
    /// The inverse of the rest matrix of each bone of the human.
    bone_from_model: Vec<Affine3A>,
    /// The bones of the source between each bone and its parent.
    between: Vec<BTreeSet<BoneId>>,
}

/// The tracks of a clip.
pub(super) struct ClipKeys {
    pub(super) tracks: Vec<BoneTrack>,
    /// For each bone, whether it moves along its parent.
    pub(super) stretched: Vec<bool>,
    pub(super) is_resampled: bool,
}

/// The keys of one track.
enum Keys {
    /// Those of the source.
    Kept(BoneId),
    /// At these times.
    Sampled(Vec<f64>),
}

impl<'a> Sampler<'a> {
    pub(super) fn new(
        model: &'a Model,
        bones: &'a [VrmBone],
        pose: &'a TPose,
        rest: &'a IdVec<BoneId, Affine3A>,
    ) -> Self {
        let up = |bone: BoneId| {
            let parent = |bone: &BoneId| model.skeleton.bones()[*bone].parent;
            std::iter::successors(Some(bone), parent).collect::<BTreeSet<BoneId>>()
        };
        let between = bones.iter().map(|own| {
            let above = own.parent.map_or_else(BTreeSet::new, |parent| up(bones[parent].bone));
            up(own.bone).symmetric_difference(&above).copied().collect()
        });
        Self {
            model,
            bones,
            pose,
            rest,
            facing: Affine3A::from_quat(pose.facing()),
            bone_from_model: bones
                .iter()
                .map(|own| rest[own.bone].inverse())
                .map(|inverse| if inverse.is_finite() { inverse } else { Affine3A::IDENTITY })
                .collect(),
            between: between.collect(),
        }
    }

    pub(super) fn clip(&self, id: ClipId, clip: &Clip) -> ClipKeys {
        let none: &[BoneTrack] = &[];
        let tracks = match &clip.motion {
            Motion::Tracks(tracks) => &tracks[..],
            _ => none,
        };
        let tracks: HashMap<BoneId, &BoneTrack> =
            tracks.iter().map(|track| (track.bone, track)).collect();
        let dense = dense_times(clip, self.model.skeleton.len());
        let rotations: Vec<Keys> = (0..self.bones.len())
            .map(|own| self.rotation_keys(own, &tracks, clip, &dense))
            .collect();
        let hips = self.hips_keys(&tracks, clip, &dense);
        let is_dense = |keys: &Keys| matches!(keys, Keys::Sampled(times) if times.len() > 2);
        let is_resampled = rotations.iter().chain(&hips).any(is_dense);
        let samples = self.samples(id, &rotations, hips.as_ref(), &dense);
        let mut out: Vec<BoneTrack> = Vec::new();
        for (own, keys) in rotations.into_iter().enumerate() {
            let rotation = match keys {
                Keys::Kept(source) => tracks
                    .get(&source)
                    .and_then(|track| track.rotation.clone())
                    .map(|track| self.kept_rotation(own, source, track)),
                Keys::Sampled(times) => self.sampled_rotation(own, times, &samples),
            };
            let is_hips = self.bones[own].parent.is_none();
            let translation = match &hips {
                Some(Keys::Kept(source)) if is_hips => tracks
                    .get(source)
                    .and_then(|track| track.translation.clone())
                    .map(|track| self.kept_translation(*source, track)),
                Some(Keys::Sampled(times)) if is_hips => Some(Track {
                    values: times.iter().map(|time| samples.at(*time).hips).collect(),
                    times_secs: times.clone(),
                    interpolation: Interpolation::Linear,
                }),
                _ => None,
            };
            if rotation.is_some() || translation.is_some() {
                let bone = BoneId::from_index(own);
                out.push(BoneTrack { bone, translation, rotation, scale: None });
            }
        }
        ClipKeys { tracks: out, stretched: samples.stretched, is_resampled }
    }

    fn rotation_keys(
        &self,
        own: usize,
        tracks: &HashMap<BoneId, &BoneTrack>,
        clip: &Clip,
        dense: &[f64],
    ) -> Keys {
        let turned = |bone: &BoneId| tracks.get(bone).is_some_and(|own| own.rotation.is_some());
        let scaled = |bone: &BoneId| tracks.get(bone).is_some_and(|own| own.scale.is_some());
        let mut moving = self.between[own].iter().copied().filter(turned);
        match (moving.next(), moving.next()) {
            (None, _) => Keys::Sampled(ends(clip, self.bones[own].parent.is_none())),
            (Some(bone), None)
                if self.is_even_above(bone)
                    && self.is_ancestor(bone, self.bones[own].bone)
                    && !self.between[own].iter().any(scaled) =>
            {
                Keys::Kept(bone)
            }
            _ => Keys::Sampled(dense.to_vec()),
        }
    }

    /// The keys of the place of the hips; `None` if they don't move.
    fn hips_keys(
        &self,
        tracks: &HashMap<BoneId, &BoneTrack>,
        clip: &Clip,
        dense: &[f64],
    ) -> Option<Keys> {
        let hips = self.bones.iter().position(|own| own.parent.is_none())?;
        let bone = self.bones[hips].bone;
        let mut moving = self.between[hips].iter().filter(|own| tracks.contains_key(own));
        let above = moving.clone().any(|own| *own != bone);
        let moves = tracks.get(&bone).is_some_and(|track| track.translation.is_some());
        moving.next()?;
        match (above, moves) {
            (false, true) => Some(Keys::Kept(bone)),
            (false, false) if self.pose.positions[hips] == self.hips_at(&self.rest[bone]) => None,
            (false, false) => Some(Keys::Sampled(ends(clip, false))),
            (true, _) => Some(Keys::Sampled(dense.to_vec())),
        }
    }

    fn hips_at(&self, matrix: &Affine3A) -> Vec3 {
        (self.facing * *matrix).translation.into()
    }

    fn is_ancestor(&self, bone: BoneId, of: BoneId) -> bool {
        let parent = |bone: &BoneId| self.model.skeleton.bones()[*bone].parent;
        std::iter::successors(Some(of), parent).any(|own| own == bone)
    }

    /// Whether the bones above one have no scale that changes rotations.
    fn is_even_above(&self, bone: BoneId) -> bool {
        let matrix = self.above(bone).matrix3;
        let scale = matrix.x_axis.length();
        let is_same = |own: f32| (own - scale).abs() <= SAME_SCALE * scale;
        matrix.determinant() > 0.0
            && is_same(matrix.y_axis.length())
            && is_same(matrix.z_axis.length())
            && matrix.x_axis.dot(matrix.y_axis).abs() <= SAME_SCALE * scale * scale
            && matrix.y_axis.dot(matrix.z_axis).abs() <= SAME_SCALE * scale * scale
    }

    /// The rest matrix of the parent of a bone.
    fn above(&self, bone: BoneId) -> Affine3A {
        let parent = self.model.skeleton.bones()[bone].parent;
        parent.map_or(Affine3A::IDENTITY, |parent| self.rest[parent])
    }

    fn parent_turn(&self, own: usize) -> Quat {
        self.bones[own].parent.map_or(Quat::IDENTITY, |parent| self.pose.turns[parent])
    }

    /// The keys of `source` as rotations of bone `own`, with constant factors on both sides.
    fn kept_rotation(&self, own: usize, source: BoneId, track: Track<Quat>) -> Track<Quat> {
        let facing = self.pose.facing();
        let left = self.parent_turn(own) * facing * rotation_of(&self.above(source));
        let right = rotation_of(&self.rest[source]).inverse()
            * facing.inverse()
            * self.pose.turns[own].inverse();
        track.map(|turn| left * turn * right)
    }

    fn kept_translation(&self, source: BoneId, track: Track<Vec3>) -> Track<Vec3> {
        let matrix = self.facing * self.above(source);
        let (own, step) = track.key_layout();
        let value = |(at, value): (usize, Vec3)| {
            // Tangents have no place.
            let is_key = step == 1 || at % step == own;
            if is_key { matrix.transform_point3(value) } else { matrix.transform_vector3(value) }
        };
        Track {
            times_secs: track.times_secs,
            values: track.values.into_iter().enumerate().map(value).collect(),
            interpolation: track.interpolation,
        }
    }

    /// `None` if the bone has no rotation at any time.
    fn sampled_rotation(
        &self,
        own: usize,
        times: Vec<f64>,
        samples: &Samples,
    ) -> Option<Track<Quat>> {
        let mut values: Vec<Quat> = Vec::with_capacity(times.len());
        for time in &times {
            let turn = samples.at(*time).turns[own];
            let is_far = values.last().is_some_and(|last| last.dot(turn) < 0.0);
            values.push(if is_far { -turn } else { turn });
        }
        let is_still = values.iter().all(|turn| turn.angle_between(Quat::IDENTITY) == 0.0);
        let is_hips = self.bones[own].parent.is_none();
        (is_hips || !is_still).then_some(Track {
            times_secs: times,
            values,
            interpolation: Interpolation::Linear,
        })
    }

    /// Samples the clip at all times of `keys`, and looks for bones that move along their parents.
    fn samples(
        &self,
        id: ClipId,
        rotations: &[Keys],
        hips: Option<&Keys>,
        dense: &[f64],
    ) -> Samples {
        let mut times: Vec<f64> = rotations
            .iter()
            .chain(hips)
            .filter_map(|keys| match keys {
                Keys::Sampled(times) => Some(times),
                Keys::Kept(_) => None,
            })
            .flatten()
            .copied()
            .collect();
        // The moments at which bones are compared with their rest place.
        times.extend(dense.iter().step_by((dense.len() / 16).max(1)));
        times.sort_by(f64::total_cmp);
        times.dedup();
        let height = self.pose.positions.first().map_or(0.0, |hips| hips.length());
        let mut stretched = vec![false; self.bones.len()];
        let mut list = Vec::with_capacity(times.len());
        for time in &times {
            let pose = sample(self.model, &PoseSpec::linear(id, *time)).model_from_bone;
            let turns: Vec<Quat> = (self.bones.iter().zip(&self.bone_from_model))
                .zip(&self.pose.turns)
                .map(|((own, bone_from_model), turn)| {
                    let moved = self.facing * pose[own.bone] * *bone_from_model;
                    let facing = self.pose.facing();
                    rotation_of(&moved) * facing.inverse() * turn.inverse()
                })
                .collect();
            for (at, own) in self.bones.iter().enumerate() {
                let Some(parent) = own.parent.map(|parent| &self.bones[parent]) else { continue };
                let offset = |of: &IdVec<BoneId, Affine3A>| {
                    of[parent.bone].inverse().transform_point3(of[own.bone].translation.into())
                };
                let moved = offset(&pose) - offset(self.rest);
                let moved = self.rest[parent.bone].transform_vector3(moved).length();
                stretched[at] |= moved > SAME_PLACE * height;
            }
            let local = |(at, own): (usize, &VrmBone)| match own.parent {
                Some(parent) => (turns[parent].inverse() * turns[at]).normalize(),
                None => turns[at].normalize(),
            };
            list.push(Sample {
                hips: self.bones.first().map_or(Vec3::ZERO, |hips| self.hips_at(&pose[hips.bone])),
                turns: self.bones.iter().enumerate().map(local).collect(),
            });
        }
        Samples { times, list, stretched }
    }
}

/// The pose of the human at some times.
struct Samples {
    times: Vec<f64>,
    list: Vec<Sample>,
    stretched: Vec<bool>,
}

struct Sample {
    hips: Vec3,
    /// Relative to the parent.
    turns: Vec<Quat>,
}

impl Samples {
    fn at(&self, time: f64) -> &Sample {
        let at = self.times.partition_point(|own| *own < time);
        &self.list[at.min(self.list.len() - 1)]
    }
}

/// The start of a clip, and its end for a track that shows how long the clip is.
fn ends(clip: &Clip, both: bool) -> Vec<f64> {
    let end = clip.start_secs + clip.duration_secs;
    if both && end > clip.start_secs { vec![clip.start_secs, end] } else { vec![clip.start_secs] }
}

/// The times of all keys, and times at the rate at which clips are sampled.
fn dense_times(clip: &Clip, num_bones: usize) -> Vec<f64> {
    let duration = clip.duration_secs.max(0.0);
    let most = (MAX_POSES / as_u32(num_bones).max(1)).clamp(1, MAX_KEYS);
    let num = (duration * clip.sampling_rate()).ceil().clamp(1.0, most.into());
    #[expect(clippy::cast_possible_truncation, reason = "at most `MAX_KEYS`")]
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    let steps = 0..=num as u32;
    let mut times: Vec<f64> =
        steps.map(|step| clip.start_secs + duration * f64::from(step) / num).collect();
    times.dedup();
    times
}
