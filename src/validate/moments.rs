//! When rules look at a clip: at its keys where it has some, else evenly over its length.

use crate::model::{Clip, ClipId, Motion};
use crate::pose::{Moment, PoseSpec, Sampling};
use crate::validate::figures::{number, spread};

/// Most moments at which a rule looks at one clip. More would cost seconds on long takes, and what
/// these rules look for lasts longer than a 64th of a clip or is at its ends.
pub(super) const MAX_MOMENTS: usize = 64;

/// A moment, its time on the clip's clock, and its key where it is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) spec: PoseSpec,
    pub(super) time_secs: f64,
    pub(super) key: Option<u32>,
}

/// At most [`MAX_MOMENTS`] moments of a clip, the first and the last among them.
pub(super) fn moments(index: usize, clip: &Clip) -> Vec<At> {
    let spec = |moment| PoseSpec {
        clip: Some(ClipId::from_index(index)),
        moment,
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    };
    if let Motion::Sampled(motion) = &clip.motion {
        let keys = spread(motion.keys.num_keys(), MAX_MOMENTS);
        return keys
            .map(|key| At {
                spec: spec(Moment::Key(number(key))),
                time_secs: motion.key_secs(key),
                key: Some(number(key)),
            })
            .collect();
    }
    let num = match clip.duration_secs > 0.0 {
        true => MAX_MOMENTS,
        false => 1,
    };
    let last = (MAX_MOMENTS - 1) as f64;
    (0..num)
        .map(|at| {
            let time_secs = clip.start_secs + clip.duration_secs.max(0.0) * at as f64 / last;
            At { spec: spec(Moment::TimeSecs(time_secs)), time_secs, key: None }
        })
        .collect()
}
