//! Follows another skeleton in model space.

use glam::Affine3A;

use super::gaze::Eyes;
use super::retarget::Retarget;
use crate::model::{
    BoneId, BoneTrack, Clip, ClipId, Curves, IdVec, Model, Motion, Skeleton, SpaceChange,
};
use crate::pose::{PoseSpec, sample};

/// Times at which a bone of `clip` has a key.
pub(super) fn key_times(clip: &Clip) -> Vec<f64> {
    let mut times: Vec<f64> = match &clip.motion {
        Motion::Curves(curves) => return curves.0.key_times_secs(),
        Motion::Sampled(motion) => {
            let keys = 0..motion.keys.num_keys();
            return keys.map(|key| motion.key_secs(key)).collect();
        }
        Motion::VertexAnimation(cache) => return cache.times_secs.clone(),
        Motion::Tracks(tracks) => {
            let times = tracks.iter().flat_map(BoneTrack::times);
            times.flatten().copied().collect()
        }
    };
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Number of morph targets of each mesh.
pub(super) fn num_targets(model: &Model) -> Vec<usize> {
    let meshes = model.meshes.iter();
    meshes.map(|mesh| mesh.morph_targets.len()).collect()
}

/// Weights of all targets of `model`, set to NaN to mark them as unwritten.
pub(super) fn nan_weights(model: &Model) -> Vec<Vec<f32>> {
    unwritten(&num_targets(model))
}

fn unwritten(num_targets: &[usize]) -> Vec<Vec<f32>> {
    let lists = num_targets.iter();
    lists.map(|&num| vec![f32::NAN; num]).collect()
}

/// A clip of another skeleton, followed bone by bone in model space.
#[derive(Debug)]
pub(super) struct Replay {
    /// The other skeleton with only this clip.
    pub(super) animation: Model,
    /// The bone of the other skeleton that each bone follows.
    pub(super) source_of: IdVec<BoneId, Option<BoneId>>,
    pub(super) skeleton: Skeleton,
    pub(super) change: SpaceChange,
    /// If the rest poses differ.
    pub(super) retarget: Option<Retarget>,
    /// If the animation has a gaze that bones follow.
    pub(super) eyes: Option<Eyes>,
    pub(super) key_times_secs: Vec<f64>,
    /// Pairs of mesh and target: in the other model, in this one.
    pub(super) shapes: Vec<((usize, usize), (usize, usize))>,
    /// Per mesh of the other model.
    pub(super) num_targets: Vec<usize>,
}

impl Curves for Replay {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        let spec = PoseSpec::linear(ClipId(0), time_secs);
        let pose = sample(&self.animation, &spec);
        let source = pose.model_from_bone;
        if let Some(eyes) = &self.eyes {
            eyes.turn(&pose.parent_from_bone, self.skeleton.rest_locals(), parent_from_bone);
        }
        let mut model_from_bone = IdVec::filled(Affine3A::IDENTITY, parent_from_bone);
        for &bone in self.skeleton.parents_first() {
            let parent = self.skeleton.bones()[bone].parent;
            let model_from_parent =
                parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent]);
            let followed = self.source_of[bone].map(|from| source[from]);
            // Below a bone without volume, transforms are undefined.
            let is_placeable = model_from_parent.matrix3.determinant().abs() > f32::MIN_POSITIVE;
            if let Some(matrix) = followed.filter(|_| is_placeable) {
                let placed = match &self.retarget {
                    Some(retarget) => {
                        let unmoved = model_from_parent * self.skeleton.rest_locals()[bone];
                        retarget.place(bone, matrix, unmoved, &self.change)
                    }
                    None => self.change.matrix(matrix),
                };
                parent_from_bone[bone] = model_from_parent.inverse() * placed;
            }
            model_from_bone[bone] = model_from_parent * parent_from_bone[bone];
        }
        for leg in self.retarget.iter().flat_map(|retarget| &retarget.legs) {
            let (skeleton, change) = (&self.skeleton, &self.change);
            leg.place_foot(skeleton, &source, change, &model_from_bone, parent_from_bone);
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        let Some(Motion::Curves(curves)) = self.animation.clips.first().map(|clip| &clip.motion)
        else {
            return;
        };
        if self.shapes.is_empty() {
            return;
        }
        // Targets without curves keep the weight that they have here.
        let mut there = unwritten(&self.num_targets);
        curves.0.sample_morphs(time_secs, &mut there);
        for &((from_mesh, from), (mesh, target)) in &self.shapes {
            let weight = there.get(from_mesh).and_then(|weights| weights.get(from));
            let own = weights.get_mut(mesh).and_then(|own| own.get_mut(target));
            if let (Some(&weight), Some(own)) = (weight.filter(|weight| !weight.is_nan()), own) {
                *own = weight;
            }
        }
    }

    fn frames_per_sec(&self) -> Option<f64> {
        self.animation.clips.first()?.frames_per_sec()
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.key_times_secs.clone()
    }
}
