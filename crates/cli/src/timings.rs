//! `--timings`: what each step of a command took, and how much memory was in use after it, on stderr.
//!
//! Steps are named by what readers, rules and writers report as progress, and by commands for what they do
//! themselves. Steps of several threads at once add up to more than the clock on the wall shows. What the GPU
//! did meanwhile is told apart, by its own clock.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::Output;
use rigscope_core::model::{CancelToken, Report};

static IS_ON: AtomicBool = AtomicBool::new(false);
/// In the order in which they were first taken.
static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());
static ON_GPU: Mutex<OnGpu> =
    Mutex::new(OnGpu { pictures: 0, total_ms: 0.0, passes_ms: Vec::new() });

/// What the GPU did, pass by pass.
struct OnGpu {
    pictures: u32,
    total_ms: f32,
    passes_ms: Vec<(&'static str, f32)>,
}

/// What was done under one name.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    took: Duration,
    /// The most that was in use when it ended, where the system tells.
    memory_bytes: Option<u64>,
}

thread_local! {
    /// The step that this thread takes, and since when.
    static CURRENT: Cell<Option<(&'static str, Instant)>> = const { Cell::new(None) };
}

/// Whether somebody wants to know.
#[cfg(feature = "gpu")]
pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
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
        add(last, now.saturating_duration_since(since));
        CURRENT.set(Some((step, now)));
    }
}

/// Begins a piece of work of this thread with `step`; when it ends goes on what was done before.
pub(super) fn begin(step: &'static str) -> Work {
    let before = CURRENT.get();
    if IS_ON.load(Ordering::Relaxed) {
        let now = Instant::now();
        if let Some((last, since)) = before {
            add(last, now.saturating_duration_since(since));
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
            add(last, now.saturating_duration_since(since));
        }
        CURRENT.set(self.before.map(|step| (step, now)));
    }
}

/// Adds a step that was measured elsewhere; if this thread is in the middle of another one, it isn't counted there too.
pub fn add_step(step: &'static str, took: Duration) {
    if IS_ON.load(Ordering::Relaxed) {
        add(step, took);
        CURRENT.set(CURRENT.get().map(|(current, since)| (current, since + took)));
    }
}

/// Adds what the GPU took for a picture: all of it, and each pass.
#[cfg(feature = "gpu")]
pub(super) fn add_picture(total_ms: f32, passes_ms: &[(&'static str, f32)]) {
    let mut on_gpu = ON_GPU.lock().unwrap_or_else(PoisonError::into_inner);
    on_gpu.pictures += 1;
    on_gpu.total_ms += total_ms;
    for &(pass, ms) in passes_ms {
        match on_gpu.passes_ms.iter_mut().find(|(name, _)| *name == pass) {
            Some((_, sum)) => *sum += ms,
            None => on_gpu.passes_ms.push((pass, ms)),
        }
    }
}

fn add(name: &'static str, took: Duration) {
    let memory_bytes = IS_ON.load(Ordering::Relaxed).then(|| memory_bytes("VmRSS:")).flatten();
    let mut steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    match steps.iter_mut().find(|step| step.name == name) {
        Some(step) => {
            step.took += took;
            step.memory_bytes = step.memory_bytes.max(memory_bytes);
        }
        None => steps.push(Step { name, took, memory_bytes }),
    }
}

/// A report whose progress names steps.
pub(super) fn report() -> Report {
    match IS_ON.load(Ordering::Relaxed) {
        true => Report::with_progress(|progress| at(progress.what), CancelToken::default()),
        false => Report::new(),
    }
}

/// Runs a command, and prints how long its steps took if `--timings` was given. Time outside of any other step is
/// `first_step`.
pub fn timed<T>(output: &Output, first_step: &'static str, command: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let work = begin(first_step);
    let result = command();
    drop(work);
    if IS_ON.load(Ordering::Relaxed) {
        let steps = std::mem::take(&mut *STEPS.lock().unwrap_or_else(PoisonError::into_inner));
        let on_gpu = ON_GPU.lock().unwrap_or_else(PoisonError::into_inner);
        let text = table(start.elapsed(), memory_bytes("VmHWM:"), &steps);
        output.plain_lines(&(text + &gpu_table(&on_gpu)));
    }
    result
}

fn table(wall: Duration, peak_bytes: Option<u64>, steps: &[Step]) -> String {
    let mut text = format!("timings: {:.1} ms", millis(wall));
    if let Some(bytes) = peak_bytes {
        let _ = write!(text, ", {} MiB of memory at most", bytes >> 20);
    }
    // What rounds to nothing tells nothing.
    let steps = steps.iter().filter(|step| step.took >= Duration::from_micros(50));
    let widest = steps.clone().map(|step| step.name.len()).max().unwrap_or(0);
    let all: Duration = steps.clone().map(|step| step.took).sum();
    for Step { name, took, memory_bytes } in steps {
        let share = 100.0 * took.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
        let _ = write!(text, "\n  {name:widest$}  {:9.1} ms  {share:3.0} %", millis(*took));
        if let Some(bytes) = memory_bytes {
            let _ = write!(text, "  {:5} MiB", bytes >> 20);
        }
    }
    text
}

/// Nothing where no picture was measured.
fn gpu_table(OnGpu { pictures, total_ms, passes_ms }: &OnGpu) -> String {
    let of = match pictures {
        0 => return String::new(),
        1 => "the picture".to_owned(),
        num => format!("{num} pictures"),
    };
    let mut text = format!("\non the GPU, by its own clock: {total_ms:.1} ms for {of}");
    let widest = passes_ms.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let all: f32 = passes_ms.iter().map(|(_, ms)| ms).sum();
    for (name, ms) in passes_ms {
        let share = 100.0 * ms / all.max(f32::MIN_POSITIVE);
        let name = name.replace('_', " ");
        let _ = write!(text, "\n  {name:widest$}  {ms:9.1} ms  {share:3.0} %");
    }
    text
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Memory of the process, where the system tells: now (`VmRSS:`) or at most (`VmHWM:`).
fn memory_bytes(row: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(row))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_their_share_of_all() {
        let step = |name, millis, memory_bytes| Step {
            name,
            took: Duration::from_millis(millis),
            memory_bytes,
        };
        let steps =
            [step("reading", 30, Some(4 << 20)), step("done", 0, None), step("writing", 10, None)];
        let text = table(Duration::from_micros(41_250), Some(5 << 20), &steps);
        let wanted = "timings: 41.2 ms, 5 MiB of memory at most\n  \
                      reading       30.0 ms   75 %      4 MiB\n  \
                      writing       10.0 ms   25 %";
        assert_eq!(text, wanted);
    }

    #[test]
    fn passes_of_the_gpu_have_rows_of_their_own() {
        let passes_ms = vec![("skinning", 1.0), ("ground_shadow", 3.0)];
        let text = gpu_table(&OnGpu { pictures: 1, total_ms: 3.5, passes_ms });
        let wanted = "\non the GPU, by its own clock: 3.5 ms for the picture\n  \
                      skinning             1.0 ms   25 %\n  \
                      ground shadow        3.0 ms   75 %";
        assert_eq!(text, wanted);
        let none = OnGpu { pictures: 0, total_ms: 0.0, passes_ms: Vec::new() };
        assert_eq!(gpu_table(&none), "");
    }

    #[test]
    fn a_step_measured_elsewhere_is_counted_once() {
        start();
        let outer = begin("test: window");
        std::thread::sleep(Duration::from_millis(4));
        add_step("test: frame", Duration::from_millis(3));
        drop(outer);
        let steps = STEPS.lock().unwrap();
        let took = |name| steps.iter().find(|step| step.name == name).map(|step| step.took);
        assert_eq!(took("test: frame"), Some(Duration::from_millis(3)));
        let outer = took("test: window").unwrap();
        assert!(outer >= Duration::from_millis(1), "{outer:?}");
        drop(steps);
        // More than has passed since, as clocks of threads may differ.
        let outer = begin("test: short");
        add_step("test: long", Duration::from_secs(1));
        drop(outer);
        let steps = STEPS.lock().unwrap();
        let short = steps.iter().find(|step| step.name == "test: short").unwrap();
        assert_eq!(short.took, Duration::ZERO);
    }

    #[test]
    fn work_within_work_goes_back_to_what_was_done() {
        start();
        let outer = begin("test: nested outer");
        let inner = begin("test: nested inner");
        at("test: nested second");
        drop(inner);
        assert_eq!(CURRENT.get().map(|(step, _)| step), Some("test: nested outer"));
        drop(outer);
        at("test: nested never");
        assert!(CURRENT.get().is_none());
        let steps = STEPS.lock().unwrap();
        let own =
            steps.iter().map(|step| step.name).filter(|name| name.starts_with("test: nested "));
        let wanted = ["test: nested outer", "test: nested inner", "test: nested second"];
        assert_eq!(own.collect::<Vec<_>>(), wanted);
    }
}
