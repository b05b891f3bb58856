//! A time range in a clip.

/// A range on the clip's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeRange {
    pub start_secs: f64,
    /// Not before the start.
    pub end_secs: f64,
}

impl TimeRange {
    pub fn duration_secs(&self) -> f64 {
        self.end_secs - self.start_secs
    }

    /// The time in the range nearest to `time_secs`; the start for NaN.
    pub fn clamp(&self, time_secs: f64) -> f64 {
        if time_secs.is_nan() {
            return self.start_secs;
        }
        // `f64::clamp` panics on a reversed range.
        time_secs.min(self.end_secs).max(self.start_secs)
    }
}
