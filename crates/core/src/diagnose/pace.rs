//! The times of clips: the interval of their keys, and their start.

use crate::model::{BoneTrack, Clip, Motion};

/// The interval of a clip with fewer keys is a coincidence.
const MIN_KEYS: usize = 8;
/// Intervals are the same if they differ by less than this fraction.
pub(super) const SAME: f64 = 2e-3;
/// Clips that start within this fraction of their duration start at 0 …
const AT_ZERO: f64 = 0.02;
/// … and those that start within a frame: many programs count frames from 1.
const FRAME_SECS: f64 = 0.05;

/// The times of a clip's keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The interval of the keys, if they are regular.
    pub(super) interval_secs: Option<f64>,
    pub(super) start_secs: f64,
    pub(super) duration_secs: f64,
}

impl Pace {
    pub(super) fn of(clip: &Clip) -> Self {
        let Clip { start_secs, duration_secs, .. } = *clip;
        Self { interval_secs: interval(clip), start_secs, duration_secs }
    }

    pub(super) fn starts_at_zero(&self) -> bool {
        self.start_secs.abs() <= FRAME_SECS.max(self.duration_secs * AT_ZERO)
    }
}

/// The interval of the keys, from the track with the most keys.
pub(super) fn interval(clip: &Clip) -> Option<f64> {
    let tracks = match &clip.motion {
        Motion::Sampled(motion) if motion.keys.num_keys() >= MIN_KEYS => {
            return Some(motion.interval_secs());
        }
        Motion::Tracks(tracks) => tracks,
        _ => return None,
    };
    let times = tracks.iter().flat_map(BoneTrack::times).max_by_key(|times| times.len())?;
    if times.len() < MIN_KEYS {
        return None;
    }
    let mean = (times.last()? - times.first()?) / (times.len() - 1) as f64;
    let is_regular =
        times.windows(2).all(|pair| ((pair[1] - pair[0]) / mean - 1.0).abs() < SAME * 5.0);
    (is_regular && mean.is_normal() && mean > 0.0).then_some(mean)
}
