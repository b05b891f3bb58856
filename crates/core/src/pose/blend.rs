//! Finds the stored keys that make up a moment of a clip.

use super::{Moment, Sampling};
use crate::model::SampledMotion;

/// Two stored keys and how to combine them. Playback sends only this to the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyBlend {
    pub key0: u32,
    pub key1: u32,
    /// Weight of the later key; 0 with step sampling.
    pub fraction: f32,
    /// The matrices are multiplied (`key0 * key1`) instead of blended: a bind pair.
    pub is_product: bool,
}

/// A time within this fraction of the interval from a key counts as that key, because `k * interval
/// / interval` doesn't always give back `k` exactly.
const ON_KEY: f64 = 1e-6;

/// A position among keys, in intervals, rounded to a key if it differs only by rounding errors.
pub(super) fn snap_to_key(position: f64) -> f64 {
    if (position - position.round()).abs() < ON_KEY { position.round() } else { position }
}

/// The keys that make up `moment`; `None` if the clip has no keys.
#[must_use]
pub fn blend_keys(motion: &SampledMotion, moment: Moment, sampling: Sampling) -> Option<KeyBlend> {
    let last = u32::try_from(motion.keys.num_keys()).ok()?.checked_sub(1)?;
    let hold = |key: u32| KeyBlend {
        key0: key.min(last),
        key1: key.min(last),
        fraction: 0.0,
        is_product: false,
    };
    let time_secs = match moment {
        Moment::Default if motion.is_bind_pair => {
            return Some(KeyBlend { key0: 0, key1: 1, fraction: 0.0, is_product: true });
        }
        Moment::Default | Moment::Rest | Moment::Bind => return Some(hold(0)),
        Moment::Key(key) => return Some(hold(key)),
        Moment::TimeSecs(time_secs) => time_secs,
    };
    if motion.interval_ns == 0 || time_secs.is_nan() {
        return Some(hold(0));
    }
    let position = snap_to_key((time_secs / motion.interval_secs()).clamp(0.0, f64::from(last)));
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the keys")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to the keys")]
    let key0 = position.floor() as u32;
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
    let fraction = (position - position.floor()) as f32;
    if matches!(sampling, Sampling::Step | Sampling::Runtime) || fraction == 0.0 {
        return Some(hold(key0));
    }
    Some(KeyBlend { key0, key1: (key0 + 1).min(last), fraction, is_product: false })
}
