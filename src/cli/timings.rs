//! `--timings`: what each step of a command took, on stderr.
//!
//! Steps are named by what readers, rules and writers report as progress, and by commands for what they do
//! themselves. Steps of several threads at once add up to more than the clock on the wall shows.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::Output;
use crate::model::{CancelToken, Report};

static IS_ON: AtomicBool = AtomicBool::new(false);
/// In the order in which they were first taken.
static STEPS: Mutex<Vec<(&'static str, Duration)>> = Mutex::new(Vec::new());

thread_local! {
    /// The step that this thread takes, and since when.
    static CURRENT: Cell<Option<(&'static str, Instant)>> = const { Cell::new(None) };
}

/// Begins to measure.
pub(super) fn start() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// What this thread does from here on is called `step`, if it has begun something.
pub(super) fn at(step: &'static str) {
    if IS_ON.load(Ordering::Relaxed)
        && let Some((last, since)) = CURRENT.get()
        && last != step
    {
        let now = Instant::now();
        add(last, now - since);
        CURRENT.set(Some((step, now)));
    }
}

/// Begins a piece of work of this thread with `step`; when it ends goes on what was done before.
pub(super) fn begin(step: &'static str) -> Work {
    let before = CURRENT.get();
    if IS_ON.load(Ordering::Relaxed) {
        let now = Instant::now();
        if let Some((last, since)) = before {
            add(last, now - since);
        }
        CURRENT.set(Some((step, now)));
    }
    Work { before: before.map(|(step, _)| step) }
}

/// A piece of work that goes on.
pub(super) struct Work {
    before: Option<&'static str>,
}

impl Drop for Work {
    fn drop(&mut self) {
        let now = Instant::now();
        if let Some((last, since)) = CURRENT.take() {
            add(last, now - since);
        }
        CURRENT.set(self.before.map(|step| (step, now)));
    }
}

fn add(step: &'static str, took: Duration) {
    let mut steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    match steps.iter_mut().find(|(known, _)| *known == step) {
        Some((_, all)) => *all += took,
        None => steps.push((step, took)),
    }
}

/// A report whose progress names steps.
pub(super) fn report() -> Report {
    match IS_ON.load(Ordering::Relaxed) {
        true => Report::with_progress(|progress| at(progress.what), CancelToken::default()),
        false => Report::new(),
    }
}

/// Runs a command and tells what its steps took, where that was asked for.
pub(super) fn told<T>(output: &Output, command: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let work = begin("starting");
    let result = command();
    drop(work);
    if IS_ON.load(Ordering::Relaxed) {
        let steps = std::mem::take(&mut *STEPS.lock().unwrap_or_else(PoisonError::into_inner));
        output.plain_lines(&table(start.elapsed(), peak_memory_bytes(), &steps));
    }
    result
}

fn table(wall: Duration, peak_bytes: Option<u64>, steps: &[(&'static str, Duration)]) -> String {
    let mut text = format!("timings: {:.1} ms", millis(wall));
    if let Some(bytes) = peak_bytes {
        let _ = write!(text, ", {} MiB of memory at most", bytes >> 20);
    }
    // What rounds to nothing tells nothing.
    let steps = steps.iter().filter(|(_, took)| *took >= Duration::from_micros(50));
    let widest = steps.clone().map(|(step, _)| step.len()).max().unwrap_or(0);
    let all: Duration = steps.clone().map(|(_, took)| *took).sum();
    for (step, took) in steps {
        let share = 100.0 * took.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
        let _ = write!(text, "\n  {step:widest$}  {:9.1} ms  {share:3.0} %", millis(*took));
    }
    text
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Most memory that the process has had, where the system tells.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_their_share_of_all() {
        let steps = [
            ("reading", Duration::from_millis(30)),
            ("done", Duration::ZERO),
            ("writing", Duration::from_millis(10)),
        ];
        let text = table(Duration::from_micros(41_250), Some(5 << 20), &steps);
        let wanted = "timings: 41.2 ms, 5 MiB of memory at most\n  \
                      reading       30.0 ms   75 %\n  \
                      writing       10.0 ms   25 %";
        assert_eq!(text, wanted);
    }

    #[test]
    fn work_within_work_goes_back_to_what_was_done() {
        start();
        let outer = begin("test: outer");
        let inner = begin("test: inner");
        at("test: second");
        drop(inner);
        assert_eq!(CURRENT.get().map(|(step, _)| step), Some("test: outer"));
        drop(outer);
        at("test: never");
        assert!(CURRENT.get().is_none());
        let steps = STEPS.lock().unwrap();
        let own = steps.iter().map(|(step, _)| *step).filter(|step| step.starts_with("test: "));
        assert_eq!(own.collect::<Vec<_>>(), ["test: outer", "test: inner", "test: second"]);
    }
}
