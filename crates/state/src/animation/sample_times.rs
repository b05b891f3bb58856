//! Sample times of curves over a clip.

use super::super::KeyTimes;
use rigscope_core::model::Clip;

/// Samples in addition to keys: one for every few pixels of a wide window.
const NUM_MOMENTS: usize = 400;
/// With more keys than this, they are too close together to be distinguished, and aren't sampled.
const MAX_KEYS: usize = 2000;
/// Just before a key, so that stepped curves show the previous value.
const BEFORE_SECS: f64 = 1e-5;

/// The sample times, ascending, with whether each is a key.
pub(crate) fn sample_times(clip: &Clip) -> Vec<(f64, bool)> {
    let (start, length) = (clip.start_secs, clip.duration_secs.max(0.0));
    let keys = KeyTimes::of(clip);
    let step = length / NUM_MOMENTS as f64;
    let mut moments: Vec<(f64, bool)> =
        (0..=NUM_MOMENTS).map(|at| (start + at as f64 * step, false)).collect();
    if keys.len() <= MAX_KEYS {
        let inside = |time: &f64| (start..=start + length + BEFORE_SECS).contains(time);
        for time in (0..keys.len()).filter_map(|key| keys.secs(key)).filter(inside) {
            moments.push((time, true));
            if time - BEFORE_SECS > start {
                moments.push((time - BEFORE_SECS, false));
            }
        }
    }
    // A key is sorted before a sample at the same time, which is then removed.
    moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    moments.dedup_by(|later, earlier| later.0 == earlier.0);
    moments
}
