//! The second clip as part of what plays.

use super::TimeRange;
use rigscope_core::model::ClipId;
use rigscope_core::pose::{ClipLayer, LayerMode};

/// A second clip as the user has chosen it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerChoice {
    /// Which clip.
    pub clip: ClipId,
    /// How much of it, 0 to 1.
    pub weight: f32,
    /// In which way.
    pub mode: LayerMode,
    /// It is stretched to the length of the clip shown, as steps of two walks must be; else it
    /// runs at its own speed and begins again at its end.
    pub is_in_step: bool,
    /// From its start to its end.
    pub span: TimeRange,
    /// From start to end of the clip shown.
    pub base: TimeRange,
}

impl LayerChoice {
    /// What is laid over a pose at `time_secs` of the clip shown.
    pub fn at(&self, time_secs: f64) -> ClipLayer {
        let passed = time_secs - self.base.start_secs;
        let (length, base) = (self.span.duration_secs(), self.base.duration_secs());
        let there = if length <= 0.0 {
            0.0
        } else if self.is_in_step && base > 0.0 {
            passed / base * length
        } else if passed >= 0.0 && passed <= length {
            // The end itself is not yet the beginning again.
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
