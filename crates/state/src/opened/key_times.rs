//! The key times of a clip, for the ticks of the timeline and for stepping by key.

use rigscope_core::model::{BoneTrack, Clip, Motion};

/// Times closer than this belong to the same key: far below any frame interval, far above rounding
/// errors.
const SAME_KEY_SECS: f64 = 1e-6;

/// The key times of a clip, ascending.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyTimes {
    /// At equal intervals from `start_secs`.
    Uniform {
        /// Time of key 0.
        start_secs: f64,
        /// Time between keys; 0 if there is only one.
        interval_secs: f64,
        num: usize,
    },
    /// At arbitrary times.
    List(Vec<f64>),
}

impl KeyTimes {
    /// The keys of `clip`. For tracks and curves, these are the times at which any bone, morph
    /// target or material has a key.
    pub fn of(clip: &Clip) -> Self {
        let value_times = || clip.value_times();
        match &clip.motion {
            // Sampled keys are stepped through by number. A clip without bone motion has only the
            // keys of its morph targets and materials.
            Motion::Sampled(motion)
                if motion.keys.num_keys() > 1 || value_times().next().is_none() =>
            {
                let num = motion.keys.num_keys();
                Self::Uniform {
                    start_secs: clip.start_secs,
                    interval_secs: motion.interval_secs(),
                    // Keys without an interval are a single pose.
                    num: if motion.interval_ns == 0 { num.min(1) } else { num },
                }
            }
            Motion::Sampled(_) => Self::of_times(value_times()),
            Motion::Tracks(tracks) => {
                let bone_times = tracks.iter().flat_map(BoneTrack::times);
                Self::of_times(bone_times.chain(value_times()))
            }
            Motion::Curves(curves) => {
                let bone_times = curves.0.key_times_secs();
                Self::of_times(std::iter::once(&*bone_times).chain(value_times()))
            }
            Motion::VertexAnimation(cache) => {
                Self::of_times(std::iter::once(&*cache.times_secs).chain(value_times()))
            }
        }
    }

    /// The union of several lists of times.
    pub fn of_times<'a>(lists: impl Iterator<Item = &'a [f64]>) -> Self {
        let mut times: Vec<f64> = lists.flatten().copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|later, earlier| *later - *earlier < SAME_KEY_SECS);
        Self::List(times)
    }

    /// The time of the key nearest to `time_secs`.
    pub fn nearest(&self, time_secs: f64) -> Option<f64> {
        let before = self.secs(self.at(time_secs))?;
        let after = self.after(time_secs).filter(|after| after - time_secs < time_secs - before);
        Some(after.unwrap_or(before))
    }

    /// The indices of the keys from `start_secs` up to but not including `end_secs`.
    pub fn between(&self, start_secs: f64, end_secs: f64) -> std::ops::Range<usize> {
        let first = self.num_until(start_secs - 2.0 * SAME_KEY_SECS);
        first..self.num_until(end_secs - 2.0 * SAME_KEY_SECS).max(first)
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Uniform { num, .. } => *num,
            Self::List(times) => times.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of key `index`, if it exists.
    pub fn secs(&self, index: usize) -> Option<f64> {
        match self {
            Self::Uniform { start_secs, interval_secs, num } => {
                (index < *num).then(|| start_secs + index as f64 * interval_secs)
            }
            Self::List(times) => times.get(index).copied(),
        }
    }

    /// The index of the last key at or before `time_secs`, or 0 before the first key.
    pub fn at(&self, time_secs: f64) -> usize {
        self.num_until(time_secs).saturating_sub(1)
    }

    /// The time of the next key after `time_secs`.
    pub fn after(&self, time_secs: f64) -> Option<f64> {
        self.secs(self.num_until(time_secs))
    }

    /// The time of the last key before `time_secs`.
    pub fn before(&self, time_secs: f64) -> Option<f64> {
        let num = self.num_until(time_secs - 2.0 * SAME_KEY_SECS);
        self.secs(num.checked_sub(1)?)
    }

    /// Number of keys at or before `time_secs`.
    fn num_until(&self, time_secs: f64) -> usize {
        let limit = time_secs + SAME_KEY_SECS;
        match self {
            Self::Uniform { num: 0, .. } => 0,
            Self::Uniform { start_secs, interval_secs, num } => {
                let passed = limit - start_secs;
                if passed < 0.0 || passed.is_nan() {
                    return 0;
                }
                if *interval_secs <= 0.0 {
                    return *num;
                }
                #[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
                #[expect(clippy::cast_sign_loss, reason = "negative times returned above")]
                let whole = (passed / interval_secs) as usize;
                whole.saturating_add(1).min(*num)
            }
            Self::List(times) => times.partition_point(|&time| time <= limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use rigscope_core::model::{BoneId, Interpolation, MeshId, MorphTrack, Track};

    #[test]
    fn uniform_keys_are_found_despite_rounded_times() {
        let interval_secs = 33_333_333.0 / 1e9;
        let keys = KeyTimes::Uniform { start_secs: 0.0, interval_secs, num: 300 };
        for key in 0..300 {
            let time = keys.secs(key).unwrap();
            assert_eq!(keys.at(time), key);
            assert_eq!(keys.after(time), keys.secs(key + 1));
            assert_eq!(keys.before(time), key.checked_sub(1).and_then(|k| keys.secs(k)));
        }
        assert_eq!(keys.at(-1.0), 0);
        assert_eq!(keys.at(1e9), 299);
    }

    #[test]
    fn listed_keys_are_found_at_times_between_them() {
        let keys = KeyTimes::List(vec![0.5, 1.0, 4.0]);
        assert_eq!((keys.at(0.0), keys.at(1.5), keys.at(9.0)), (0, 1, 2));
        assert_eq!(keys.before(0.5), None);
        assert_eq!(keys.before(1.5), Some(1.0));
        assert_eq!(keys.after(1.0), Some(4.0));
        assert_eq!(keys.after(4.0), None);
    }

    #[test]
    fn the_nearest_key_and_those_between_two_times_are_found() {
        let keys = KeyTimes::List(vec![0.5, 1.0, 4.0]);
        let nearest = [0.0, 0.7, 0.8, 2.4, 2.6, 9.0].map(|time| keys.nearest(time));
        assert_eq!(nearest, [0.5, 0.5, 1.0, 1.0, 4.0, 4.0].map(Some));
        assert_eq!(keys.between(0.5, 4.0), 0..2);
        assert_eq!(keys.between(0.6, 9.0), 1..3);
        assert_eq!(keys.between(2.0, 3.0), 2..2);
        assert_eq!(KeyTimes::List(Vec::new()).nearest(1.0), None);
    }

    #[test]
    fn morph_keys_are_included_with_and_without_bone_keys() {
        let track = |times: &[f64]| MorphTrack {
            mesh: MeshId(0),
            target: 0,
            weights: Track {
                times_secs: times.to_vec(),
                values: vec![0.0; times.len()],
                interpolation: Interpolation::Linear,
            },
        };
        let morph_only =
            Clip { morph_tracks: vec![track(&[0.0, 1.0]), track(&[0.5, 1.0])], ..Clip::default() };
        assert_eq!(KeyTimes::of(&morph_only), KeyTimes::List(vec![0.0, 0.5, 1.0]));
        let bone = BoneTrack {
            bone: BoneId(0),
            translation: None,
            rotation: None,
            scale: Some(Track {
                times_secs: vec![0.25],
                values: vec![Vec3::ONE],
                interpolation: Interpolation::Step,
            }),
        };
        let both = Clip { motion: Motion::Tracks(vec![bone]), ..morph_only };
        assert_eq!(KeyTimes::of(&both), KeyTimes::List(vec![0.0, 0.25, 0.5, 1.0]));
    }

    #[test]
    fn without_keys_there_are_no_next_or_previous_keys() {
        let keys = KeyTimes::List(Vec::new());
        assert!(keys.is_empty());
        assert_eq!((keys.at(1.0), keys.after(1.0), keys.before(1.0)), (0, None, None));
    }
}
