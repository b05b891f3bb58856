//! Converts between times of the clip and positions on the track.

use egui::Rangef;

use rigscope_state::TimeRange;

/// The visible part of the clip across the track's width.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeScale {
    pub(super) x: Rangef,
    pub(super) visible: TimeRange,
}

impl TimeScale {
    /// The position of `time_secs`; outside the track if it isn't visible.
    pub(super) fn x(&self, time_secs: f64) -> f32 {
        let length = self.visible.duration_secs();
        let share = if length > 0.0 { (time_secs - self.visible.start_secs) / length } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
        let share = share as f32;
        egui::lerp(self.x, share)
    }

    /// The time at `x`, limited to the visible part.
    pub(super) fn time(&self, x: f32) -> f64 {
        let share = egui::remap_clamp(x, self.x, 0.0..=1.0);
        self.visible.start_secs + f64::from(share) * self.visible.duration_secs()
    }

    /// The duration of `points` along the track.
    pub(super) fn secs(&self, points: f32) -> f64 {
        f64::from(points) * self.visible.duration_secs() / f64::from(self.x.span().max(1.0))
    }

    /// Whether `time_secs` is visible.
    pub(super) fn shows(&self, time_secs: f64) -> bool {
        let slack = self.secs(0.5);
        (self.visible.start_secs - slack..=self.visible.end_secs + slack).contains(&time_secs)
    }
}
