//! When rules look at a clip: at its keys and, if it has few, between them.

use crate::model::{Clip, ClipId, Model, Motion};
use crate::pose::{BoneAnchors, Moment, PoseSpec, clip_times, farthest_out};
use crate::validate::figures::{number, spread};

/// Most moments at which a rule looks at one clip. More would cost seconds on long takes, and what
/// these rules look for lasts longer than a 64th of a clip or is at its ends. Curves between so many keys are
/// looked at in the middle of each interval as well.
pub(super) const MAX_MOMENTS: usize = 64;

/// A moment, its time on the clip's clock, and its key where it is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) spec: PoseSpec,
    pub(super) time_secs: f64,
    pub(super) key: Option<u32>,
}

/// Most moments of a clip among which those with bones farthest out are found.
const MAX_CANDIDATES: usize = 512;

/// At most [`MAX_MOMENTS`] keys of a clip with times between them, the first and the last among them.
pub(super) fn moments(index: usize, clip: &Clip) -> Vec<At> {
    up_to(index, clip, MAX_MOMENTS)
}

/// At most seven moments of a clip at which bones are farthest out or morph targets are most visible.
pub(super) fn farthest_moments(
    model: &Model,
    anchors: &BoneAnchors,
    index: usize,
    clip: &Clip,
) -> Vec<At> {
    let candidates = up_to(index, clip, MAX_CANDIDATES);
    let specs: Vec<PoseSpec> = candidates.iter().map(|at| at.spec).collect();
    let found = farthest_out(model, anchors, &specs).into_iter();
    found.filter_map(|at| candidates.get(at).copied()).collect()
}

fn up_to(index: usize, clip: &Clip, most: usize) -> Vec<At> {
    let spec = |moment| PoseSpec { moment, ..PoseSpec::linear(ClipId::from_index(index), 0.0) };
    if let Motion::Sampled(motion) = &clip.motion {
        let keys = spread(motion.keys.num_keys(), most);
        return keys
            .map(|key| At {
                spec: spec(Moment::Key(number(key))),
                time_secs: motion.key_secs(key),
                key: Some(number(key)),
            })
            .collect();
    }
    let times = clip_times(clip, MAX_MOMENTS, most).into_iter();
    times
        .map(|time_secs| At { spec: spec(Moment::TimeSecs(time_secs)), time_secs, key: None })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::{ModelBuilder, linear};

    #[test]
    fn a_key_that_even_moments_would_miss_is_looked_at() {
        let track =
            linear([(0.0, Vec3::ZERO), (31.3, Vec3::X), (31.4, Vec3::ZERO), (100.0, Vec3::Y)]);
        let clip = ModelBuilder::new().clip("a", 100.0).translation(0, track).into_clip();
        let times: Vec<f64> = moments(0, &clip).iter().map(|at| at.time_secs).collect();
        assert!(times.contains(&31.3) && times.contains(&100.0), "{times:?}");
        assert!((MAX_MOMENTS..2 * MAX_MOMENTS).contains(&times.len()), "{}", times.len());
    }
}
