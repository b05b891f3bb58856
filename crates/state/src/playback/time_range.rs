//! A stretch of a clip.

/// From one moment to a later one, on the clip's own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeRange {
    /// Where it begins.
    pub start_secs: f64,
    /// Where it ends, not before its start.
    pub end_secs: f64,
}

impl TimeRange {
    /// Its length.
    pub fn duration_secs(&self) -> f64 {
        self.end_secs - self.start_secs
    }

    /// The time nearest to `time_secs` inside; the start for what is no number.
    pub fn clamp(&self, time_secs: f64) -> f64 {
        if time_secs.is_nan() {
            return self.start_secs;
        }
        // Not `f64::clamp`, which panics on a range that runs backwards.
        time_secs.min(self.end_secs).max(self.start_secs)
    }
}
