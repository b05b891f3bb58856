//! Times of recent frames: CPU by step, GPU by pass.
//!
//! Not for: the statistics of the last frame in the corner of the view (`FrameTimings`).
//!
//! Invariant: frames are recorded only while the pane is open; recording doesn't change anything
//! drawn outside it.

use std::collections::VecDeque;

use crate::{AppState, Pane};

/// Number of recorded frames: four seconds at 60 Hz.
pub const MAX_FRAMES: usize = 240;
/// Time per frame at 60 Hz.
pub const FRAME_BUDGET_MS: f32 = 1e3 / 60.0;

/// Times of named parts in milliseconds, in order.
pub type PartsMs = Vec<(&'static str, f32)>;

/// The times of one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTimes {
    /// Counted from the start of the program.
    pub number: u64,
    /// CPU time, excluding waits.
    pub cpu_ms: f32,
    /// CPU time by step, including waits.
    pub steps_ms: PartsMs,
    /// GPU time, in total and by pass. `None` until the GPU has reported it, and without timestamp
    /// queries.
    pub gpu: Option<(f32, PartsMs)>,
}

/// Recent frames, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameLog(VecDeque<FrameTimes>);

/// The processor of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Processor {
    /// CPU steps, in wall-clock time.
    Cpu,
    /// GPU passes, by the GPU's clock.
    Gpu,
}

/// Statistics of one part in milliseconds, over the recent frames that contain it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRow {
    pub processor: Processor,
    /// Step or pass; `None` for the total.
    pub part: Option<&'static str>,
    /// Time in the latest frame.
    pub last: f32,
    /// Median.
    pub median: f32,
    /// 95th percentile.
    pub most: f32,
    /// Maximum.
    pub worst: f32,
    /// Number of frames that contain it.
    pub num_frames: usize,
}

impl Processor {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
        }
    }
}

impl TimeRow {
    /// The name shown to users.
    pub fn name(&self) -> String {
        let name = self.processor.name();
        match self.part {
            Some(part) => format!("{name}: {}", part.replace('_', " ")),
            None => format!("{name}, total"),
        }
    }
}

impl FrameLog {
    /// Adds a frame, dropping the oldest if necessary.
    pub fn push(&mut self, frame: FrameTimes) {
        while self.0.len() >= MAX_FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(frame);
    }

    /// Sets the GPU times of a frame, if it is still recorded.
    pub fn set_gpu(&mut self, number: u64, total_ms: f32, passes_ms: PartsMs) {
        if let Some(frame) = self.0.iter_mut().rev().find(|frame| frame.number == number) {
            frame.gpu = Some((total_ms, passes_ms));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All frames, oldest first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &FrameTimes> + ExactSizeIterator {
        self.0.iter()
    }

    /// The rows of each processor: the total, then its parts in frame order.
    pub fn rows(&self) -> Vec<TimeRow> {
        let cpu = self.0.iter().map(|frame| (frame.cpu_ms, &frame.steps_ms));
        let gpu = self.0.iter().filter_map(|frame| frame.gpu.as_ref().map(|(ms, of)| (*ms, of)));
        let mut rows = rows_of(Processor::Cpu, cpu);
        rows.extend(rows_of(Processor::Gpu, gpu));
        rows
    }

    /// All rows as a tab-separated table.
    pub fn text(&self) -> String {
        let mut out = String::from("step\tlast ms\tmedian ms\t95 % ms\tworst ms\tframes\n");
        for row in self.rows() {
            let TimeRow { last, median, most, worst, num_frames, .. } = row;
            let name = row.name();
            out +=
                &format!("{name}\t{last:.3}\t{median:.3}\t{most:.3}\t{worst:.3}\t{num_frames}\n");
        }
        out
    }
}

/// The rows of one processor: the total, then its parts.
fn rows_of<'a>(
    processor: Processor,
    frames: impl Iterator<Item = (f32, &'a PartsMs)>,
) -> Vec<TimeRow> {
    let mut parts: Vec<(Option<&'static str>, Vec<f32>)> = Vec::new();
    for (total_ms, parts_ms) in frames {
        // Where to insert a part that is new: after the previous part of the same frame.
        let mut next = 0;
        let whole = [(None, total_ms)];
        for (part, ms) in whole.into_iter().chain(parts_ms.iter().map(|(p, ms)| (Some(*p), *ms))) {
            let known = parts.iter().position(|(name, _)| *name == part);
            let at = known.unwrap_or(next);
            if known.is_none() {
                parts.insert(at, (part, Vec::new()));
            }
            if let Some((_, times)) = parts.get_mut(at) {
                times.push(ms);
            }
            next = at + 1;
        }
    }
    let row = |(part, times): (_, Vec<f32>)| row_of(processor, part, times);
    parts.into_iter().filter_map(row).collect()
}

fn row_of(
    processor: Processor,
    part: Option<&'static str>,
    mut times: Vec<f32>,
) -> Option<TimeRow> {
    let last = *times.last()?;
    times.sort_unstable_by(f32::total_cmp);
    let num_frames = times.len();
    // The smallest value that this percentage of the values doesn't exceed.
    let share =
        |percent: usize| times.get((num_frames * percent).div_ceil(100).max(1) - 1).copied();
    let (median, most, worst) = (share(50)?, share(95)?, share(100)?);
    Some(TimeRow { processor, part, last, median, most, worst, num_frames })
}

impl AppState {
    /// Whether frames are recorded.
    pub fn records_frame_times(&self) -> bool {
        self.settings.panes.shows(Pane::FrameTimes)
    }

    /// Whether GPU times are shown.
    pub fn shows_gpu_times(&self) -> bool {
        self.records_frame_times() || self.tab.view.overlays.statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u64, cpu_ms: f32) -> FrameTimes {
        FrameTimes { number, cpu_ms, steps_ms: vec![("view", 0.5 * cpu_ms)], gpu: None }
    }

    #[test]
    fn rows_contain_last_median_95th_percentile_and_worst() {
        let mut log = FrameLog::default();
        for number in 1..=100 {
            log.push(frame(number, (101 - number) as f32));
        }
        let rows = log.rows();
        let names: Vec<_> = rows.iter().map(TimeRow::name).collect();
        assert_eq!(names, ["CPU, total", "CPU: view"]);
        let TimeRow { last, median, most, worst, num_frames, .. } = rows[0];
        assert_eq!((last, median, most, worst, num_frames), (1.0, 50.0, 95.0, 100.0, 100));
        assert_eq!(rows[1].worst, 50.0);
    }

    #[test]
    fn the_oldest_frames_are_forgotten() {
        let mut log = FrameLog::default();
        for number in 0..MAX_FRAMES as u64 + 10 {
            log.push(frame(number, 1.0));
        }
        assert_eq!(log.frames().len(), MAX_FRAMES);
        assert_eq!(log.frames().next().unwrap().number, 10);
    }

    #[test]
    fn gpu_times_are_assigned_to_their_frame_and_passes_stay_in_order() {
        let mut log = FrameLog::default();
        (1..=3).for_each(|number| log.push(frame(number, 1.0)));
        log.set_gpu(1, 3.0, vec![("image", 2.0), ("panels", 1.0)]);
        log.set_gpu(2, 4.0, vec![("skinning", 1.0), ("mark_lines", 3.0)]);
        log.set_gpu(9, 9.0, Vec::new());
        let rows = log.rows();
        let gpu: Vec<_> = rows.iter().filter(|row| row.processor == Processor::Gpu).collect();
        let names: Vec<_> = gpu.iter().map(|row| row.name()).collect();
        let wanted =
            ["GPU, total", "GPU: skinning", "GPU: mark lines", "GPU: image", "GPU: panels"];
        assert_eq!(names, wanted);
        assert_eq!((gpu[0].last, gpu[0].worst, gpu[0].num_frames), (4.0, 4.0, 2));
        assert!(
            log.text().contains("GPU: image\t2.000\t2.000\t2.000\t2.000\t1\n"),
            "{}",
            log.text()
        );
        log.clear();
        assert_eq!(log.rows(), []);
    }

    #[test]
    fn frame_times_are_measured_only_while_shown() {
        let mut state = AppState::default();
        assert!(!state.records_frame_times() && !state.shows_gpu_times());
        state.tab.view.overlays.statistics = true;
        assert!(!state.records_frame_times() && state.shows_gpu_times());
        state.tab.view.overlays.statistics = false;
        state.settings.panes.set(Pane::FrameTimes, true);
        assert!(state.records_frame_times() && state.shows_gpu_times());
    }
}
