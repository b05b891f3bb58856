//! The times of a clip's keys as numbers: their range, and intervals from times that are evenly spaced.

use super::{BoneTrack, Clip, Motion, SampledMotion};

const NANOS_PER_SEC: f64 = 1e9;

impl Clip {
    /// Times of the earliest and latest key; `None` without keys. Ignores keys of live curves.
    pub fn key_range(&self) -> Option<(f64, f64)> {
        let of_motion: Vec<&[f64]> = match &self.motion {
            Motion::Tracks(tracks) => tracks.iter().flat_map(BoneTrack::times).collect(),
            Motion::VertexAnimation(cache) => vec![&cache.times_secs],
            Motion::Sampled(_) | Motion::Curves(_) => Vec::new(),
        };
        let of_matrices = self.as_sampled().map(|motion| {
            let last = motion.keys.num_keys().saturating_sub(1);
            (0.0, motion.key_secs(last))
        });
        let lists = of_motion.into_iter().chain(self.value_times());
        // Readers use it before the keys are sorted.
        let ends = lists.flatten().map(|time| (*time, *time));
        ends.chain(of_matrices).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

impl SampledMotion {
    /// The time between keys at `times_secs`, in nanoseconds; `None` unless they are evenly spaced from 0. 0 for a
    /// single key, which has no interval.
    #[must_use]
    pub fn interval_of(times_secs: &[f64]) -> Option<u64> {
        let num_steps = times_secs.len().saturating_sub(1);
        let last = times_secs.last().copied().unwrap_or_default();
        let interval_ns = nanos(last / num_steps.max(1) as f64);
        let interval_secs = interval_ns as f64 / NANOS_PER_SEC;
        // Half a nanosecond per key, and rounding of 32-bit floats.
        let tolerance = num_steps as f64 / NANOS_PER_SEC + last.abs() * 1e-6;
        let mut keys = times_secs.iter().enumerate();
        let is_even =
            keys.all(|(key, time)| (time - key as f64 * interval_secs).abs() <= tolerance);
        is_even.then_some(if num_steps == 0 { 0 } else { interval_ns })
    }
}

/// Seconds in nanoseconds: 0 if they are negative, and the largest number if there are too many.
#[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
#[expect(clippy::cast_sign_loss, reason = "float casts saturate")]
#[must_use]
pub fn nanos(secs: f64) -> u64 {
    (secs * NANOS_PER_SEC).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_found_from_times_on_whole_nanoseconds() {
        for interval_ns in [1u64, 33_333_333, 1_000_000_000] {
            let times: Vec<f64> =
                (0..1000u32).map(|key| f64::from(key) * interval_ns as f64 / 1e9).collect();
            assert_eq!(SampledMotion::interval_of(&times), Some(interval_ns));
        }
        assert_eq!(SampledMotion::interval_of(&[0.0, 0.1, 0.3]), None);
        assert_eq!(SampledMotion::interval_of(&[1.0, 2.0]), None);
        assert_eq!(SampledMotion::interval_of(&[0.0]), Some(0));
        assert_eq!(SampledMotion::interval_of(&[0.0, 0.0]), Some(0));
        assert_eq!(SampledMotion::interval_of(&[]), Some(0));
    }
}
