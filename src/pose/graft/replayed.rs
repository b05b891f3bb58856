//! Following another skeleton in model space.

use glam::Affine3A;

use super::change::Change;
use crate::model::{BoneId, BoneTrack, Clip, ClipId, Curves, Model, Motion, Skeleton};
use crate::pose::{Moment, PoseSpec, Sampling, sample};

/// Times at which a bone of `clip` has a key.
pub(super) fn key_times(clip: &Clip) -> Vec<f64> {
    let mut times: Vec<f64> = match &clip.motion {
        Motion::Curves(curves) => return curves.0.key_times_secs(),
        Motion::Sampled(motion) => {
            let keys = 0..motion.keys.num_keys();
            return keys.map(|key| motion.key_secs(key)).collect();
        }
        Motion::VertexCache(cache) => return cache.times_secs.clone(),
        Motion::Tracks(tracks) => {
            let times = tracks.iter().flat_map(BoneTrack::times);
            times.flatten().copied().collect()
        }
    };
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// A clip of another skeleton, followed bone by bone in model space.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The other skeleton and its one clip.
    pub(super) animation: Model,
    /// The other skeleton's bone that each bone follows.
    pub(super) source_of: Vec<Option<BoneId>>,
    pub(super) skeleton: Skeleton,
    pub(super) change: Change,
    pub(super) key_times_secs: Vec<f64>,
}

impl Curves for Replayed {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut [Affine3A]) {
        let spec = PoseSpec {
            clip: Some(ClipId(0)),
            moment: Moment::TimeSecs(time_secs),
            sampling: Sampling::Linear,
        };
        let source = sample(&self.animation, &spec).model_from_bone;
        let mut model_from_bone = vec![Affine3A::IDENTITY; parent_from_bone.len()];
        for &bone in self.skeleton.parents_first() {
            let at = bone.index();
            let parent = self.skeleton.bones()[at].parent;
            let model_from_parent =
                parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
            let followed = self.source_of[at].and_then(|from| source.get(from.index()));
            // Below a bone without volume nothing can be placed.
            let is_placeable = model_from_parent.matrix3.determinant().abs() > f32::MIN_POSITIVE;
            if let Some(matrix) = followed.filter(|_| is_placeable) {
                parent_from_bone[at] = model_from_parent.inverse() * self.change.matrix(*matrix);
            }
            model_from_bone[at] = model_from_parent * parent_from_bone[at];
        }
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.key_times_secs.clone()
    }
}
