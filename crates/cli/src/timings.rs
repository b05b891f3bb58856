//! `--timings`: prints the duration of each step of a command, and the memory use after it, to stderr.
//!
//! Step names come from the progress that readers, rules and writers report, and from the commands. Steps of parallel
//! threads add up to more than the wall time. GPU times are listed separately, measured by the clock of the GPU.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::Output;
use rigscope_core::model::{CancelToken, Report};

static IS_ON: AtomicBool = AtomicBool::new(false);
/// In the order of their first use.
static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());
static ON_GPU: Mutex<OnGpu> = Mutex::new(OnGpu { images: 0, total_ms: 0.0, passes_ms: Vec::new() });

/// GPU times, in total and per pass.
struct OnGpu {
    images: u32,
    total_ms: f32,
    passes_ms: Vec<(&'static str, f32)>,
}

/// All work under one name.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    took: Duration,
    /// Largest memory use at the end of the step, if the system reports it.
    memory_bytes: Option<u64>,
}

thread_local! {
    /// The current step of this thread, and its start.
    static CURRENT: Cell<Option<(&'static str, Instant)>> = const { Cell::new(None) };
}

#[cfg(feature = "gpu")]
pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Turns measuring on.
pub(super) fn start() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// Switches this thread to `step`, if it is inside [`begin`].
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

/// Starts `step` on this thread; when the guard is dropped, the previous step continues.
pub(super) fn begin(step: &'static str) -> StepGuard {
    let before = CURRENT.get();
    if IS_ON.load(Ordering::Relaxed) {
        let now = Instant::now();
        if let Some((last, since)) = before {
            add(last, now.saturating_duration_since(since));
        }
        CURRENT.set(Some((step, now)));
    }
    StepGuard { before: before.map(|(step, _)| step) }
}

/// Ends the step when dropped.
pub(super) struct StepGuard {
    before: Option<&'static str>,
}

impl Drop for StepGuard {
    fn drop(&mut self) {
        let now = Instant::now();
        if let Some((last, since)) = CURRENT.take() {
            add(last, now.saturating_duration_since(since));
        }
        CURRENT.set(self.before.map(|step| (step, now)));
    }
}

/// Adds a step that was measured elsewhere, and subtracts its time from the current step of this thread.
pub fn add_step(step: &'static str, took: Duration) {
    if IS_ON.load(Ordering::Relaxed) {
        add(step, took);
        CURRENT.set(CURRENT.get().map(|(current, since)| (current, since + took)));
    }
}

/// Adds the GPU times of an image.
#[cfg(feature = "gpu")]
pub(super) fn add_image(total_ms: f32, passes_ms: &[(&'static str, f32)]) {
    let mut on_gpu = ON_GPU.lock().unwrap_or_else(PoisonError::into_inner);
    on_gpu.images += 1;
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

/// A report whose progress messages become steps.
pub(super) fn report() -> Report {
    if IS_ON.load(Ordering::Relaxed) {
        Report::with_progress(|progress| at(progress.what), CancelToken::default())
    } else {
        Report::new()
    }
}

/// Runs a command, and prints the duration of its steps if `--timings` was given. Time outside of other steps counts
/// as `first_step`.
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
        let _ = write!(text, ", peak memory {} MiB", bytes >> 20);
    }
    // Steps that would be shown as 0.0 ms are left out.
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

/// Empty if no image was measured.
fn gpu_table(OnGpu { images, total_ms, passes_ms }: &OnGpu) -> String {
    let of = match images {
        0 => return String::new(),
        1 => "one image".to_owned(),
        num => format!("{num} images"),
    };
    let mut text = format!("\nGPU time: {total_ms:.1} ms for {of}");
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

/// Memory of the process: current (`VmRSS:`) or peak (`VmHWM:`). `None` if the system doesn't report it.
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
    fn steps_show_their_share_of_the_total() {
        let step = |name, millis, memory_bytes| Step {
            name,
            took: Duration::from_millis(millis),
            memory_bytes,
        };
        let steps =
            [step("reading", 30, Some(4 << 20)), step("done", 0, None), step("writing", 10, None)];
        let text = table(Duration::from_micros(41_250), Some(5 << 20), &steps);
        let wanted = "timings: 41.2 ms, peak memory 5 MiB\n  \
                      reading       30.0 ms   75 %      4 MiB\n  \
                      writing       10.0 ms   25 %";
        assert_eq!(text, wanted);
    }

    #[test]
    fn gpu_passes_have_separate_rows() {
        let passes_ms = vec![("skinning", 1.0), ("ground_shadow", 3.0)];
        let text = gpu_table(&OnGpu { images: 1, total_ms: 3.5, passes_ms });
        let wanted = "\nGPU time: 3.5 ms for one image\n  \
                      skinning             1.0 ms   25 %\n  \
                      ground shadow        3.0 ms   75 %";
        assert_eq!(text, wanted);
        let none = OnGpu { images: 0, total_ms: 0.0, passes_ms: Vec::new() };
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
        // More than the elapsed time, because clocks of threads may differ.
        let outer = begin("test: short");
        add_step("test: long", Duration::from_secs(1));
        drop(outer);
        let steps = STEPS.lock().unwrap();
        let short = steps.iter().find(|step| step.name == "test: short").unwrap();
        assert_eq!(short.took, Duration::ZERO);
    }

    #[test]
    fn the_outer_step_continues_after_a_nested_one() {
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
