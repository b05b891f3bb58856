//! `--timings`: prints the duration of each step of a command, and the memory use after it, to stderr.
//!
//! Steps are `tracing` spans and events, which [`StepTotals`] adds up; without it they cost nothing. Step names come
//! from the progress that readers, rules and writers report, from the commands and from the window. Steps of parallel
//! threads add up to more than the wall time. GPU times are listed separately, measured by the clock of the GPU.
//!
//! | target [`STEP_TARGET`], level trace | meaning |
//! |---|---|
//! | span with `step` | a step of this thread; the outer step continues after it |
//! | event with `next_step` | the step of this thread ends, and the next one begins |
//! | event with `step`, `took_secs` | a step measured elsewhere, whose time isn't part of this thread's step |
//! | event with `image_ms` | the GPU time of an image |
//! | event with `pass`, `pass_ms` | the GPU time of a pass of an image |

use std::cell::RefCell;
use std::fmt::{Debug, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, EnteredSpan, Id};
use tracing::{Event, Level, Subscriber, dispatcher};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::lines::Lines;
use super::output::Output;
use rigscope_core::model::{CancelToken, Report};
use rigscope_io::STEP_TARGET;

/// The layer that adds up the steps.
#[derive(Default)]
pub(super) struct StepTotals(Mutex<Totals>);

/// In the order of their first occurrence.
#[derive(Default)]
struct Totals {
    steps: Vec<Step>,
    gpu: GpuTotals,
}

/// GPU times, in total and per pass.
#[derive(Default)]
struct GpuTotals {
    images: u32,
    total_ms: f64,
    passes_ms: Vec<(String, f64)>,
}

/// All work under one name.
struct Step {
    name: String,
    took: Duration,
    /// Largest memory use at the end of the step, if the system reports it.
    memory_bytes: Option<u64>,
}

/// A step in progress.
struct RunningStep {
    name: String,
    since: Instant,
}

thread_local! {
    /// The steps of this thread, innermost last.
    static RUNNING: RefCell<Vec<RunningStep>> = const { RefCell::new(Vec::new()) };
}

/// Whether steps are measured.
pub(super) fn is_on() -> bool {
    tracing::enabled!(target: STEP_TARGET, Level::TRACE)
}

/// Switches this thread to `step`, if it is inside [`begin`].
pub(super) fn at(step: &'static str) {
    tracing::trace!(target: STEP_TARGET, next_step = step);
}

/// Starts `step` on this thread; when the guard is dropped, the previous step continues.
pub(super) fn begin(step: &'static str) -> EnteredSpan {
    tracing::trace_span!(target: STEP_TARGET, "step", step).entered()
}

/// Adds the GPU times of an image.
#[cfg(feature = "gpu")]
pub(super) fn add_image(total_ms: f32, passes_ms: &[(&'static str, f32)]) {
    tracing::trace!(target: STEP_TARGET, image_ms = total_ms);
    for &(pass, ms) in passes_ms {
        tracing::trace!(target: STEP_TARGET, pass, pass_ms = ms);
    }
}

/// The fields of a span or an event.
#[derive(Default)]
struct Fields {
    step: Option<String>,
    next_step: Option<String>,
    pass: Option<String>,
    /// `took_secs`, `image_ms` or `pass_ms`.
    number: f64,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        let text = match field.name() {
            "step" => &mut self.step,
            "next_step" => &mut self.next_step,
            _ => &mut self.pass,
        };
        *text = Some(value.to_owned());
    }

    fn record_f64(&mut self, _: &Field, value: f64) {
        self.number = value;
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for StepTotals {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let (Some(span), Some(name)) = (context.span(id), fields.step) {
            span.extensions_mut().insert(StepName(name));
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let Some(StepName(name)) = span.extensions_mut().remove() else { return };
        let now = Instant::now();
        RUNNING.with_borrow_mut(|running| {
            if let Some(outer) = running.last_mut() {
                self.add_until(outer, now);
            }
            running.push(RunningStep { name, since: now });
        });
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        let now = Instant::now();
        RUNNING.with_borrow_mut(|running| {
            if let Some(mut step) = running.pop() {
                self.add_until(&mut step, now);
            }
            if let Some(outer) = running.last_mut() {
                outer.since = now;
            }
        });
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        match fields {
            Fields { next_step: Some(next), .. } => RUNNING.with_borrow_mut(|running| {
                if let Some(step) = running.last_mut().filter(|step| step.name != next) {
                    self.add_until(step, Instant::now());
                    step.name = next;
                }
            }),
            Fields { step: Some(name), number: took_secs, .. } => {
                let took = Duration::try_from_secs_f64(took_secs).unwrap_or_default();
                self.add(&name, took);
                RUNNING.with_borrow_mut(|running| {
                    if let Some(step) = running.last_mut() {
                        step.since += took;
                    }
                });
            }
            Fields { pass: Some(pass), number: ms, .. } => {
                let passes = &mut self.totals().gpu.passes_ms;
                match passes.iter_mut().find(|(name, _)| *name == pass) {
                    Some((_, sum)) => *sum += ms,
                    None => passes.push((pass, ms)),
                }
            }
            Fields { number: ms, .. } => {
                let gpu = &mut self.totals().gpu;
                gpu.images += 1;
                gpu.total_ms += ms;
            }
        }
    }
}

/// The name of a span that hasn't been entered.
struct StepName(String);

impl StepTotals {
    fn totals(&self) -> std::sync::MutexGuard<'_, Totals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the time of `step` until `now`, where it continues.
    fn add_until(&self, step: &mut RunningStep, now: Instant) {
        self.add(&step.name, now.saturating_duration_since(step.since));
        step.since = now;
    }

    fn add(&self, name: &str, took: Duration) {
        let memory_bytes = memory_bytes("VmRSS:");
        let steps = &mut self.totals().steps;
        match steps.iter_mut().find(|step| step.name == name) {
            Some(step) => {
                step.took += took;
                step.memory_bytes = step.memory_bytes.max(memory_bytes);
            }
            None => steps.push(Step { name: name.to_owned(), took, memory_bytes }),
        }
    }
}

/// A report whose progress messages become steps.
pub(super) fn report() -> Report {
    if is_on() {
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
    dispatcher::get_default(|dispatch| {
        if let Some(layer) = dispatch.downcast_ref::<StepTotals>() {
            let Totals { steps, gpu } = std::mem::take(&mut *layer.totals());
            let text = table(start.elapsed(), memory_bytes("VmHWM:"), &steps);
            output.plain_lines(&Lines::constant(&(text + &gpu_table(&gpu))));
        }
    });
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
fn gpu_table(GpuTotals { images, total_ms, passes_ms }: &GpuTotals) -> String {
    let of = match images {
        0 => return String::new(),
        1 => "one image".to_owned(),
        num => format!("{num} images"),
    };
    let mut text = format!("\nGPU time: {total_ms:.1} ms for {of}");
    let widest = passes_ms.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let all: f64 = passes_ms.iter().map(|(_, ms)| ms).sum();
    for (name, ms) in passes_ms {
        let share = 100.0 * ms / all.max(f64::MIN_POSITIVE);
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
    use tracing_subscriber::layer::SubscriberExt as _;

    #[test]
    fn steps_show_their_share_of_the_total() {
        let step = |name: &str, millis, memory_bytes| Step {
            name: name.to_owned(),
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
        let passes_ms = vec![("skinning".to_owned(), 1.0), ("ground_shadow".to_owned(), 3.0)];
        let text = gpu_table(&GpuTotals { images: 1, total_ms: 3.5, passes_ms });
        let wanted = "\nGPU time: 3.5 ms for one image\n  \
                      skinning             1.0 ms   25 %\n  \
                      ground shadow        3.0 ms   75 %";
        assert_eq!(text, wanted);
        assert_eq!(gpu_table(&GpuTotals::default()), "");
    }

    /// The steps of `work`, in the order of their first occurrence.
    fn steps_of(work: impl FnOnce()) -> Vec<(String, Duration)> {
        let subscriber = tracing_subscriber::registry().with(StepTotals::default());
        tracing::subscriber::with_default(subscriber, || {
            work();
            dispatcher::get_default(|dispatch| {
                let totals = dispatch.downcast_ref::<StepTotals>().unwrap().totals();
                totals.steps.iter().map(|step| (step.name.clone(), step.took)).collect()
            })
        })
    }

    #[test]
    fn externally_measured_step_is_counted_once() {
        let add =
            |step: &str, took_secs: f64| tracing::trace!(target: STEP_TARGET, step, took_secs);
        let steps = steps_of(|| {
            let outer = begin("window");
            std::thread::sleep(Duration::from_millis(4));
            add("frame", 0.003);
            drop(outer);
            // More than the elapsed time, because clocks of threads may differ.
            let outer = begin("short");
            add("long", 1.0);
            drop(outer);
        });
        let took = |name| steps.iter().find(|(step, _)| step == name).unwrap().1;
        assert_eq!(took("frame"), Duration::from_millis(3));
        assert!(took("window") >= Duration::from_millis(1), "{steps:?}");
        assert_eq!(took("short"), Duration::ZERO);
    }

    #[test]
    fn the_outer_step_continues_after_a_nested_one() {
        let steps = steps_of(|| {
            at("before");
            let outer = begin("outer");
            let inner = begin("inner");
            at("second");
            drop(inner);
            std::thread::sleep(Duration::from_millis(2));
            drop(outer);
            at("after");
        });
        let names: Vec<_> = steps.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["outer", "inner", "second"]);
        assert!(steps[0].1 >= Duration::from_millis(2), "{steps:?}");
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn gpu_times_of_images_are_added() {
        let subscriber = tracing_subscriber::registry().with(StepTotals::default());
        tracing::subscriber::with_default(subscriber, || {
            add_image(1.5, &[("surface", 1.0), ("grid", 0.5)]);
            add_image(2.0, &[("surface", 2.0)]);
            dispatcher::get_default(|dispatch| {
                let totals = dispatch.downcast_ref::<StepTotals>().unwrap().totals();
                assert_eq!((totals.gpu.images, totals.gpu.total_ms), (2, 3.5));
                let passes = [("surface".to_owned(), 3.0), ("grid".to_owned(), 0.5)];
                assert_eq!(totals.gpu.passes_ms, passes);
            });
        });
    }
}
