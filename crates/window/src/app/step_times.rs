//! Durations of the steps of a frame, logged with `--verbose` and added up with `--timings`.
//!
//! These are wall-clock times: on a software adapter, drawing competes for the same cores. Slow steps are
//! marked; only the first upload of a model should be one.

use std::fmt::{self, Write as _};
use std::time::Duration;

use rigscope_io::STEP_TARGET;
use web_time::Instant;

/// Steps that take longer than a frame at 60 Hz are marked as slow.
const SLOW: Duration = Duration::from_millis(16);
/// Only actions that take longer are logged.
const LOGGED: Duration = Duration::from_millis(2);

/// The step that waits for the screen.
pub(super) const WAITING: &str = "waiting for the screen";

/// Reports a finished step for `--timings`.
pub(super) fn report_step(step: &'static str, took: Duration) {
    tracing::trace!(target: STEP_TARGET, step, took_secs = took.as_secs_f64());
}

/// The steps of one frame, in order.
#[derive(Debug)]
pub(super) struct StepTimes {
    last: Instant,
    steps: Vec<(&'static str, Duration)>,
}

impl StepTimes {
    /// Starts timing.
    pub(super) fn new() -> Self {
        Self { last: Instant::now(), steps: Vec::new() }
    }

    /// Ends a step.
    pub(super) fn end(&mut self, step: &'static str) {
        let now = Instant::now();
        self.steps.push((step, now - self.last));
        report_step(step, now - self.last);
        self.last = now;
    }

    /// Logs the frame's steps.
    pub(super) fn log(&self, frame: u64) {
        tracing::debug!(frame, slow = self.is_slow(), "drawn:{self}");
    }

    /// The durations of all steps, in milliseconds.
    pub(super) fn steps_ms(&self) -> Vec<(&'static str, f32)> {
        self.steps.iter().map(|(step, took)| (*step, took.as_secs_f32() * 1e3)).collect()
    }

    fn is_slow(&self) -> bool {
        self.steps.iter().any(|(_, took)| *took >= SLOW)
    }
}

impl fmt::Display for StepTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, took) in &self.steps {
            write!(f, " {step} {:.2}", took.as_secs_f64() * 1e3)?;
        }
        f.write_str(" ms")
    }
}

/// An action or request to time, if logging is enabled.
pub(super) struct TimedCall(Option<String>);

impl TimedCall {
    pub(super) fn of(what: &dyn fmt::Debug) -> Self {
        Self(tracing::enabled!(tracing::Level::DEBUG).then(|| name_of(what)))
    }

    /// Runs `work` and logs its duration if it's long.
    pub(super) fn run<T>(&self, kind: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        let took = start.elapsed();
        if let Some(name) = self.0.as_ref().filter(|_| took >= LOGGED) {
            let ms = took.as_secs_f32() * 1e3;
            tracing::debug!(slow = took >= SLOW, "{kind} {name}: {ms:.2} ms");
        }
        done
    }
}

/// The beginning of a value's debug output: its name and the names of its contents.
fn name_of(of: &dyn fmt::Debug) -> String {
    /// The rest may be a whole model.
    const MAX_LEN: usize = 40;
    struct Beginning(String);
    impl fmt::Write for Beginning {
        fn write_str(&mut self, more: &str) -> fmt::Result {
            let left = MAX_LEN.saturating_sub(self.0.len());
            let end = (0..=left.min(more.len())).rev().find(|&at| more.is_char_boundary(at));
            self.0.push_str(&more[..end.unwrap_or(0)]);
            // Stops formatting.
            if self.0.len() < MAX_LEN { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut name = Beginning(String::new());
    let _ = write!(name, "{of:?}");
    name.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_truncated_in_its_name() {
        assert_eq!(name_of(&Some(1)), "Some(1)");
        let long = vec![7_u8; 1 << 20];
        assert_eq!(name_of(&long).len(), 40);
        assert_eq!(name_of(&"é".repeat(40)).chars().filter(|c| *c == 'é').count(), 19);
    }

    #[test]
    fn a_frame_lists_its_steps_in_order() {
        let mut steps = StepTimes::new();
        steps.end("panels");
        steps.end("view");
        let text = steps.to_string();
        assert!(text.starts_with(" panels 0.") && text.contains(" view 0."), "{text}");
        assert!(!steps.is_slow());
    }
}
