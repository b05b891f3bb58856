//! How many samples a pixel of the view has. A GPU always draws four. Where the CPU draws, that takes nearly twice
//! as long: while camera, pose or size change again and again there is one, and four once they rest.

use std::time::Duration;

use web_time::Instant;

use rigscope_gpu::{Gpu, Msaa};

/// What has not changed for so long rests.
const REST: Duration = Duration::from_millis(150);

/// Whether the view moves, and how it was drawn last.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// When the last picture of another moment or from elsewhere was there to be seen.
    moved_at: Option<Instant>,
    /// That picture has not been seen yet.
    is_moving: bool,
    /// The last picture has fewer samples than one that rests.
    is_draft: bool,
}

impl Samples {
    /// Those of the next picture; `moves`: it is from elsewhere or of another moment than the last.
    pub(super) fn of_next(&mut self, gpu: &Gpu, moves: bool) -> Msaa {
        let goes_on = self.moved_at.is_some_and(|at| at.elapsed() < REST);
        self.is_moving = moves;
        self.is_draft = gpu.caps.is_software && goes_on && (moves || self.is_draft);
        if self.is_draft { Msaa::Off } else { Msaa::X4 }
    }

    /// The window shows the picture. How long that took says nothing of whether the view moves.
    pub(super) fn presented(&mut self) {
        if std::mem::take(&mut self.is_moving) {
            self.moved_at = Some(Instant::now());
        }
    }

    /// The same picture would get more samples now.
    pub(super) fn is_rested_draft(&self) -> bool {
        self.rests_in().is_some_and(|wait| wait.is_zero())
    }

    /// When the last picture is to be drawn again with more samples; none: it has all.
    pub(super) fn rests_in(&self) -> Option<Duration> {
        let moved_at = self.moved_at.filter(|_| self.is_draft)?;
        Some(REST.saturating_sub(moved_at.elapsed()))
    }
}

/// Samples of all pictures that a view may have, those of the first picture first.
pub(super) fn of_views(gpu: &Gpu) -> Vec<Msaa> {
    match (gpu.caps.msaa4, gpu.caps.is_software) {
        (false, _) => vec![Msaa::Off],
        (true, false) => vec![Msaa::X4],
        (true, true) => vec![Msaa::X4, Msaa::Off],
    }
}
