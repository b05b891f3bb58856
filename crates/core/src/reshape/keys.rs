//! The times at which a clip is sampled: at its own keys if they are evenly spaced, otherwise at a
//! rate.

use super::error::ReshapeError;
use crate::model::{Clip, ClipId, Model, Motion};
use crate::pose::{Moment, PoseSpec, Sampling};

/// Time between baked keys: 30 per second, as in every known BSM2 file.
pub const BAKE_INTERVAL_NS: u64 = 33_333_333;

/// The most positions in the vertex animations of a model whose meshes are merged; more would take
/// gigabytes.
const MAX_CACHED: u64 = 1 << 27;

/// Whether merging keeps vertex animations below the limit; all vertices must be stored at all
/// times of one.
pub(crate) fn check_num_cached(model: &Model) -> Result<(), ReshapeError> {
    let num_vertices = model.num_vertices() as u64;
    let positions = |clip: &Clip| match &clip.motion {
        Motion::VertexAnimation(cache) => {
            num_vertices.saturating_mul(cache.times_secs.len() as u64)
        }
        _ => 0,
    };
    let all = model.clips.iter().map(positions);
    match all.fold(0, u64::saturating_add) {
        count if count > MAX_CACHED => Err(ReshapeError::TooMany {
            what: "positions in the vertex animations of the merged meshes",
            count: usize::try_from(count).unwrap_or(usize::MAX),
            limit: usize::try_from(MAX_CACHED).unwrap_or(usize::MAX),
        }),
        _ => Ok(()),
    }
}

/// The key times of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    pub(crate) num_keys: u32,
    pub(crate) interval_ns: u64,
    pub(crate) duration_ns: u64,
    moments: Moments,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Moments {
    /// Only the default pose.
    Default,
    /// The keys as stored.
    Keys,
    /// At this interval in seconds from the clip's beginning.
    Every(f64),
}

impl Timing {
    /// The stored key times, if they exist and no rate is given; otherwise [`Clip::sampling_rate`].
    ///
    /// Source: all 163 animations of 155 real files have `duration = floor((keys - 1) * 1e9 / 30)`.
    pub(crate) fn of(clip: &Clip, rate: Option<f64>) -> Self {
        let one =
            |moments| Self { num_keys: 1, interval_ns: BAKE_INTERVAL_NS, duration_ns: 0, moments };
        let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0);
        match (&clip.motion, rate) {
            (Motion::VertexAnimation(_), _) => return one(Moments::Default),
            (Motion::Sampled(motion), _) if motion.is_bind_pair => return one(Moments::Default),
            (Motion::Sampled(motion), None) => {
                return match u32::try_from(motion.keys.num_keys()) {
                    Ok(0) => one(Moments::Default),
                    num_keys => Self {
                        num_keys: num_keys.unwrap_or(u32::MAX),
                        interval_ns: motion.interval_ns,
                        duration_ns: motion.duration_ns,
                        moments: Moments::Keys,
                    },
                };
            }
            _ => {}
        }
        let own = clip.uniform_keys().filter(|_| rate.is_none());
        if let Some((num_keys, interval_secs)) = own
            && interval_secs > 0.0
        {
            // Runtimes hold keys or blend matrices, so sparse keys need others between them.
            let num_parts = (interval_secs * clip.sampling_rate()).round().max(1.0);
            let num_steps = num_keys.saturating_sub(1) as f64 * num_parts;
            let num_steps = u32::try_from(whole(num_steps)).unwrap_or(u32::MAX - 1);
            return Self {
                num_keys: num_steps.saturating_add(1),
                interval_ns: nanoseconds(interval_secs / num_parts),
                duration_ns: nanoseconds(clip.duration_secs),
                moments: Moments::Every(interval_secs / num_parts),
            };
        }
        let rate = rate.unwrap_or_else(|| clip.sampling_rate());
        let num_steps = whole((clip.duration_secs.max(0.0) * rate).round());
        let num_steps = u32::try_from(num_steps).unwrap_or(u32::MAX - 1);
        Self {
            num_keys: num_steps.saturating_add(1),
            interval_ns: nanoseconds(1.0 / rate),
            // As in every known file.
            duration_ns: nanoseconds(f64::from(num_steps) / rate),
            moments: Moments::Every(1.0 / rate),
        }
    }

    /// Number of keys that are sampled instead of copied.
    pub(crate) fn num_sampled(&self) -> u64 {
        match self.moments {
            Moments::Every(_) => u64::from(self.num_keys),
            Moments::Default | Moments::Keys => 0,
        }
    }

    /// The pose of a key.
    pub(crate) fn spec(&self, id: ClipId, clip: &Clip, key: u32) -> PoseSpec {
        PoseSpec {
            clip: Some(id),
            moment: match self.moments {
                Moments::Default => Moment::Default,
                Moments::Keys => Moment::Key(key),
                Moments::Every(secs) => Moment::TimeSecs(clip.start_secs + f64::from(key) * secs),
            },
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        }
    }
}

/// Rounds down to whole nanoseconds, except for values within a rounding error below a whole
/// number.
fn nanoseconds(secs: f64) -> u64 {
    const HAIR: f64 = 1e-3;
    whole(secs.max(0.0) * 1e9 + HAIR)
}

fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let number = number as u64;
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reshape::fixture::still_clip;

    fn clip(times_secs: Vec<f64>, duration_secs: f64) -> Clip {
        Clip { start_secs: 0.5, duration_secs, ..still_clip(times_secs) }
    }

    #[test]
    fn timing_at_30_keys_per_second_matches_real_files() {
        let timing = Timing::of(&clip(vec![0.5, 0.7, 1.9], 43.0 / 30.0), Some(30.0));
        assert_eq!(timing.num_keys, 44);
        assert_eq!(timing.interval_ns, BAKE_INTERVAL_NS);
        assert_eq!(timing.duration_ns, 43_000_000_000 / 30);
        let other = Timing::of(&clip(vec![0.5, 0.7, 1.9], 2.0), Some(24.0));
        assert_eq!((other.num_keys, other.interval_ns), (49, 41_666_666));
    }

    #[test]
    fn uniform_keys_are_preserved_without_a_rate() {
        let dense = clip(vec![0.5, 0.54, 0.58], 0.08);
        let timing = Timing::of(&dense, None);
        assert_eq!((timing.num_keys, timing.interval_ns), (3, 40_000_000));
        let spec = timing.spec(ClipId(0), &dense, 2);
        assert!(matches!(spec.moment, Moment::TimeSecs(secs) if (secs - 0.58).abs() < 1e-9));
        // Sparse keys get others between them, so that there are at least 30 per second.
        let timing = Timing::of(&clip(vec![0.5, 0.75, 1.0], 0.5), None);
        assert_eq!((timing.num_keys, timing.interval_ns), (17, 31_250_000));
        let uneven = Timing::of(&clip(vec![0.5, 0.6, 1.0], 0.5), None);
        assert_eq!((uneven.num_keys, uneven.interval_ns), (16, BAKE_INTERVAL_NS));
    }

    #[test]
    fn zero_length_clip_has_one_key() {
        assert_eq!(Timing::of(&clip(vec![0.5], 0.0), Some(30.0)).num_keys, 1);
        assert_eq!(Timing::of(&clip(vec![0.5], 0.0), None).num_keys, 1);
        let endless = Timing::of(&clip(vec![0.5, 1.0, 9.0], 1e300), Some(30.0));
        assert_eq!(endless.num_keys, u32::MAX);
    }
}
