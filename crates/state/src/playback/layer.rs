//! A second clip that is blended with the current one.

use super::TimeRange;
use rigscope_core::model::ClipId;
use rigscope_core::pose::{ClipLayer, LayerMode};

/// A second clip chosen by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerChoice {
    pub clip: ClipId,
    /// 0 to 1.
    pub weight: f32,
    pub mode: LayerMode,
    /// Whether its length is scaled to the length of the current clip, which keeps the steps of two walk
    /// cycles in phase. Otherwise it plays at its own speed and loops.
    pub is_in_step: bool,
    /// The range of this clip.
    pub span: TimeRange,
    /// The range of the current clip.
    pub base: TimeRange,
}

impl LayerChoice {
    /// The layer at `time_secs` of the current clip.
    pub fn at(&self, time_secs: f64) -> ClipLayer {
        let passed = time_secs - self.base.start_secs;
        let (length, base) = (self.span.duration_secs(), self.base.duration_secs());
        let there = if length <= 0.0 {
            0.0
        } else if self.is_in_step && base > 0.0 {
            passed / base * length
        } else if passed >= 0.0 && passed <= length {
            // Exactly at its end, the clip doesn't wrap yet.
            passed
        } else {
            passed.rem_euclid(length)
        };
        ClipLayer {
            clip: self.clip,
            time_secs: self.span.start_secs + there,
            weight: self.weight,
            mode: self.mode,
        }
    }
}
