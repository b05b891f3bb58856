//! Samples per pixel of the view. Hardware GPUs always use 4x MSAA. On software adapters, where that takes
//! nearly twice as long, a changing camera, pose or size drops to one sample until the view rests.

use std::time::Duration;

use web_time::Instant;

use rigscope_gpu::{Gpu, Msaa};

/// The view rests after this time without a change.
const REST: Duration = Duration::from_millis(150);

/// Whether the view is moving, and how it was drawn last.
#[derive(Debug, Default)]
pub(super) struct SampleCount {
    /// When the last image with a different camera, pose or size was presented.
    moved_at: Option<Instant>,
    /// That image hasn't been presented yet.
    is_moving: bool,
    /// The last image has fewer samples than a resting view gets.
    is_draft: bool,
}

impl SampleCount {
    /// The sample count for the next image; `moves` is set if camera, pose or size differ from the last
    /// one.
    pub(super) fn of_next(&mut self, gpu: &Gpu, moves: bool) -> Msaa {
        let goes_on = self.moved_at.is_some_and(|at| at.elapsed() < REST);
        self.is_moving = moves;
        self.is_draft = gpu.caps.is_software && goes_on && (moves || self.is_draft);
        if self.is_draft { Msaa::Off } else { Msaa::X4 }
    }

    /// Records that the image has been presented. The time until then doesn't count towards resting.
    pub(super) fn presented(&mut self) {
        if std::mem::take(&mut self.is_moving) {
            self.moved_at = Some(Instant::now());
        }
    }

    /// Whether the same image would now get more samples.
    pub(super) fn is_rested_draft(&self) -> bool {
        self.rests_in().is_some_and(|wait| wait.is_zero())
    }

    /// Time until the last image is redrawn with more samples; `None` if it already has them.
    pub(super) fn rests_in(&self) -> Option<Duration> {
        let moved_at = self.moved_at.filter(|_| self.is_draft)?;
        Some(REST.saturating_sub(moved_at.elapsed()))
    }
}

/// The sample counts that a view may use, starting with the first image's.
pub(super) fn of_views(gpu: &Gpu) -> Vec<Msaa> {
    match (gpu.caps.msaa4, gpu.caps.is_software) {
        (false, _) => vec![Msaa::Off],
        (true, false) => vec![Msaa::X4],
        (true, true) => vec![Msaa::X4, Msaa::Off],
    }
}
