//! When curves over a clip are read.

use super::super::KeyTimes;
use rigscope_core::model::Clip;

/// Moments at which curves are read, besides keys: one for every few points of a wide window.
const NUM_MOMENTS: usize = 400;
/// Keys beyond this many are too near to each other to be distinguished.
const MAX_KEYS: usize = 2000;
/// Just before a key, where the key before still holds.
const BEFORE_SECS: f64 = 1e-5;

/// Times to read at, ascending, and whether a key is there.
pub(crate) fn clip_moments(clip: &Clip) -> Vec<(f64, bool)> {
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
    // A key goes before a moment at the same time, which then says nothing new.
    moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    moments.dedup_by(|later, earlier| later.0 == earlier.0);
    moments
}
