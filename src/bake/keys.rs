//! Sampling a clip's motion at equal intervals.

use crate::model::Clip;

/// Time between baked keys: 30 a second, as every real BSM2 file stores it.
pub const BAKE_INTERVAL_NS: u64 = 33_333_333;
/// Baked keys a second.
const BAKE_RATE: f64 = 30.0;

/// Number of keys for a clip at 30 a second, first and last moment included.
///
/// Source: all 163 animations of 155 real files have
/// `duration = floor((keys - 1) * 1e9 / 30)`.
#[must_use]
pub fn key_count(clip: &Clip) -> u32 {
    let steps = (clip.duration_secs.max(0.0) * BAKE_RATE).round();
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let steps = steps as u32;
    steps.saturating_add(1)
}

/// The stored duration of `num_keys` keys.
pub(super) fn duration_ns(num_keys: u32) -> u64 {
    u64::from(num_keys.saturating_sub(1)) * 1_000_000_000 / 30
}

/// The moment of `key` on the clip's own clock.
pub(super) fn key_secs(clip: &Clip, key: u32) -> f64 {
    clip.start_secs + f64::from(key) / BAKE_RATE
}
