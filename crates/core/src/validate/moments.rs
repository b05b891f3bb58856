//! The moments at which rules examine a clip: its keys and, if there are few, times between them.

use crate::model::{Clip, ClipId, Model, Motion};
use crate::pose::{BoneAnchors, Moment, PoseSpec, clip_times, extreme_poses};
use crate::validate::figures::{number, spread};

/// The most moments of a clip to examine. More would take seconds on long takes, and the problems in question
/// last longer than a 64th of a clip or are at its ends. If a clip has curves and few enough keys, the middle
/// of each interval is examined too.
pub(super) const MAX_MOMENTS: usize = 64;

/// A moment, its time on the clip's clock, and its key if it is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipMoment {
    pub(super) spec: PoseSpec,
    pub(super) time_secs: f64,
    pub(super) key: Option<u32>,
}

/// The most moments of a clip among which to look for those with bones farthest out.
const MAX_CANDIDATES: usize = 512;

/// ClipMoment most [`MAX_MOMENTS`] keys of a clip and times between them, including the first and the last.
pub(super) fn moments(index: usize, clip: &Clip) -> Vec<ClipMoment> {
    up_to(index, clip, MAX_MOMENTS)
}

/// ClipMoment most seven moments of a clip in which bones are farthest out or morph targets are most visible.
pub(super) fn farthest_moments(
    model: &Model,
    anchors: &BoneAnchors,
    index: usize,
    clip: &Clip,
) -> Vec<ClipMoment> {
    let candidates = up_to(index, clip, MAX_CANDIDATES);
    let specs: Vec<PoseSpec> = candidates.iter().map(|at| at.spec).collect();
    let found = extreme_poses(model, anchors, &specs).into_iter();
    found.filter_map(|at| candidates.get(at).copied()).collect()
}

fn up_to(index: usize, clip: &Clip, most: usize) -> Vec<ClipMoment> {
    let spec = |moment| PoseSpec { moment, ..PoseSpec::linear(ClipId::from_index(index), 0.0) };
    if let Motion::Sampled(motion) = &clip.motion {
        let keys = spread(motion.keys.num_keys(), most);
        return keys
            .map(|key| ClipMoment {
                spec: spec(Moment::Key(number(key))),
                time_secs: motion.key_secs(key),
                key: Some(number(key)),
            })
            .collect();
    }
    let times = clip_times(clip, MAX_MOMENTS, most).into_iter();
    times
        .map(|time_secs| ClipMoment {
            spec: spec(Moment::TimeSecs(time_secs)),
            time_secs,
            key: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::{ModelBuilder, linear};

    #[test]
    fn keys_between_uniform_moments_are_included() {
        let track =
            linear([(0.0, Vec3::ZERO), (31.3, Vec3::X), (31.4, Vec3::ZERO), (100.0, Vec3::Y)]);
        let clip = ModelBuilder::new().clip("a", 100.0).translation(0, track).into_clip();
        let times: Vec<f64> = moments(0, &clip).iter().map(|at| at.time_secs).collect();
        assert!(times.contains(&31.3) && times.contains(&100.0), "{times:?}");
        assert!((MAX_MOMENTS..2 * MAX_MOMENTS).contains(&times.len()), "{}", times.len());
    }
}
