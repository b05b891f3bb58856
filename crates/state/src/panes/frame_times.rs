//! What the last frames took: CPU step by step, GPU pass by pass.
//!
//! Not for: figures of the last frame in the corner of the view (`FrameTimings`).
//!
//! Invariant: frames are kept only while somebody looks; a frame changes nothing that is drawn but the pane.

use std::collections::VecDeque;

use crate::{AppState, Pane};

/// Frames that are looked back on: four seconds of a screen that shows 60 a second.
pub const MAX_FRAMES: usize = 240;
/// What a screen that shows 60 frames a second has for each.
pub const FRAME_BUDGET_MS: f32 = 1e3 / 60.0;

/// What named parts took, in milliseconds, in their order.
pub type PartsMs = Vec<(&'static str, f32)>;

/// What one frame took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTimes {
    /// Counted from the start of the program.
    pub number: u64,
    /// On the CPU, without what was waited for.
    pub cpu_ms: f32,
    /// Steps on the CPU, waiting among them.
    pub steps_ms: PartsMs,
    /// On the GPU: all of it, and pass by pass; none before it has come back, and where nobody can say.
    pub gpu: Option<(f32, PartsMs)>,
}

/// The last frames, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameLog(VecDeque<FrameTimes>);

/// Which processor a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Processor {
    /// The clock on the wall.
    Cpu,
    /// The GPU's own clock.
    Gpu,
}

/// What something took in those of the last frames that had it, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRow {
    /// By whom it was done.
    pub processor: Processor,
    /// Step or pass; none for all of them.
    pub part: Option<&'static str>,
    /// In the last of these frames.
    pub last: f32,
    /// As many took longer as did not.
    pub median: f32,
    /// One of twenty took longer.
    pub most: f32,
    /// The longest.
    pub worst: f32,
    /// Frames that had it.
    pub num_frames: usize,
}

impl Processor {
    /// As it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
        }
    }
}

impl TimeRow {
    /// What it is about.
    pub fn name(&self) -> String {
        let name = self.processor.name();
        match self.part {
            Some(part) => format!("{name}: {}", part.replace('_', " ")),
            None => format!("{name}, all"),
        }
    }
}

impl FrameLog {
    /// Takes a frame, and forgets the oldest.
    pub fn push(&mut self, frame: FrameTimes) {
        while self.0.len() >= MAX_FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(frame);
    }

    /// The GPU's part of a frame has come back; one that is not known any more is nobody's.
    pub fn set_gpu(&mut self, number: u64, total_ms: f32, passes_ms: PartsMs) {
        if let Some(frame) = self.0.iter_mut().rev().find(|frame| frame.number == number) {
            frame.gpu = Some((total_ms, passes_ms));
        }
    }

    /// Whether no frame is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all frames.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All frames, the oldest first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &FrameTimes> + ExactSizeIterator {
        self.0.iter()
    }

    /// A row for each processor and each of its parts, in the order in which they come in frames.
    pub fn rows(&self) -> Vec<TimeRow> {
        let cpu = self.0.iter().map(|frame| (frame.cpu_ms, &frame.steps_ms));
        let gpu = self.0.iter().filter_map(|frame| frame.gpu.as_ref().map(|(ms, of)| (*ms, of)));
        let mut rows = rows_of(Processor::Cpu, cpu);
        rows.extend(rows_of(Processor::Gpu, gpu));
        rows
    }

    /// All rows as a table with tabs, for spreadsheets and reports.
    pub fn text(&self) -> String {
        let mut out = String::from("what\tlast ms\tmedian ms\t95 % ms\tworst ms\tframes\n");
        for row in self.rows() {
            let TimeRow { last, median, most, worst, num_frames, .. } = row;
            let name = row.name();
            out +=
                &format!("{name}\t{last:.3}\t{median:.3}\t{most:.3}\t{worst:.3}\t{num_frames}\n");
        }
        out
    }
}

/// Rows of one processor: all of it, then its parts.
fn rows_of<'a>(
    processor: Processor,
    frames: impl Iterator<Item = (f32, &'a PartsMs)>,
) -> Vec<TimeRow> {
    let mut parts: Vec<(Option<&'static str>, Vec<f32>)> = Vec::new();
    for (total_ms, parts_ms) in frames {
        // Where the next part that is new is put: after the one before it in its frame.
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
    // The smallest that so many of a hundred do not exceed.
    let share =
        |percent: usize| times.get((num_frames * percent).div_ceil(100).max(1) - 1).copied();
    let (median, most, worst) = (share(50)?, share(95)?, share(100)?);
    Some(TimeRow { processor, part, last, median, most, worst, num_frames })
}

impl AppState {
    /// Whether every frame is kept.
    pub fn keeps_frame_times(&self) -> bool {
        self.settings.panes.shows(Pane::FrameTimes)
    }

    /// Whether somebody looks at what the GPU takes.
    pub fn shows_gpu_times(&self) -> bool {
        self.keeps_frame_times() || self.tab.view.overlays.statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u64, cpu_ms: f32) -> FrameTimes {
        FrameTimes { number, cpu_ms, steps_ms: vec![("view", 0.5 * cpu_ms)], gpu: None }
    }

    #[test]
    fn rows_say_last_median_most_and_worst() {
        let mut log = FrameLog::default();
        for number in 1..=100 {
            log.push(frame(number, (101 - number) as f32));
        }
        let rows = log.rows();
        let names: Vec<_> = rows.iter().map(TimeRow::name).collect();
        assert_eq!(names, ["CPU, all", "CPU: view"]);
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
    fn the_gpu_answers_for_its_frame_and_parts_keep_their_order() {
        let mut log = FrameLog::default();
        (1..=3).for_each(|number| log.push(frame(number, 1.0)));
        log.set_gpu(1, 3.0, vec![("image", 2.0), ("panels", 1.0)]);
        log.set_gpu(2, 4.0, vec![("skinning", 1.0), ("mark_lines", 3.0)]);
        log.set_gpu(9, 9.0, Vec::new());
        let rows = log.rows();
        let gpu: Vec<_> = rows.iter().filter(|row| row.processor == Processor::Gpu).collect();
        let names: Vec<_> = gpu.iter().map(|row| row.name()).collect();
        let wanted = ["GPU, all", "GPU: skinning", "GPU: mark lines", "GPU: image", "GPU: panels"];
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
    fn nothing_is_measured_before_somebody_looks() {
        let mut state = AppState::default();
        assert!(!state.keeps_frame_times() && !state.shows_gpu_times());
        state.tab.view.overlays.statistics = true;
        assert!(!state.keeps_frame_times() && state.shows_gpu_times());
        state.tab.view.overlays.statistics = false;
        state.settings.panes.set(Pane::FrameTimes, true);
        assert!(state.keeps_frame_times() && state.shows_gpu_times());
    }
}
