//! What each step of the window's thread costs, as `--verbose` says it.
//!
//! Times by the clock on the wall: where the GPU is the CPU, drawing takes its share of them. What is
//! felt is marked; nothing but the first upload of a model should be.

use std::fmt::{self, Write as _};
use std::sync::OnceLock;
use std::time::Duration;

use web_time::Instant;

/// A step that takes longer is felt: a frame of a screen that shows 60 a second.
const FELT: Duration = Duration::from_millis(16);
/// Of actions only those are said that take longer.
const SAID: Duration = Duration::from_millis(2);

/// The step in which nothing is done.
pub(super) const WAITING: &str = "waiting for the screen";

/// Receives the name of a finished step and its duration.
pub type StepListener = fn(&'static str, Duration);

static LISTENER: OnceLock<StepListener> = OnceLock::new();

/// From now on `listener` receives the steps of every frame, and the reading of files on other threads. A second
/// listener is ignored.
pub fn listen_to_steps(listener: StepListener) {
    let _ = LISTENER.set(listener);
}

/// Passes a finished step on to the listener, if there is one.
pub(super) fn finished(step: &'static str, took: Duration) {
    if let Some(listener) = LISTENER.get() {
        listener(step, took);
    }
}

/// The steps of one frame, one after another.
#[derive(Debug)]
pub(super) struct Laps {
    last: Instant,
    steps: Vec<(&'static str, Duration)>,
}

impl Laps {
    /// From now on.
    pub(super) fn new() -> Self {
        Self { last: Instant::now(), steps: Vec::new() }
    }

    /// Ends a step.
    pub(super) fn end(&mut self, step: &'static str) {
        let now = Instant::now();
        self.steps.push((step, now - self.last));
        finished(step, now - self.last);
        self.last = now;
    }

    /// Says what the frame took.
    pub(super) fn say(&self, frame: u64) {
        tracing::debug!(frame, felt = self.is_felt(), "drawn:{self}");
    }

    /// All steps, in milliseconds.
    pub(super) fn steps_ms(&self) -> Vec<(&'static str, f32)> {
        self.steps.iter().map(|(step, took)| (*step, took.as_secs_f32() * 1e3)).collect()
    }

    fn is_felt(&self) -> bool {
        self.steps.iter().any(|(_, took)| *took >= FELT)
    }
}

impl fmt::Display for Laps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, took) in &self.steps {
            write!(f, " {step} {:.2}", took.as_secs_f64() * 1e3)?;
        }
        f.write_str(" ms")
    }
}

/// What is about to be done, where somebody wants to know what it takes.
pub(super) struct Timed(Option<String>);

impl Timed {
    /// Of an action or effect.
    pub(super) fn of(what: &dyn fmt::Debug) -> Self {
        Self(tracing::enabled!(tracing::Level::DEBUG).then(|| name_of(what)))
    }

    /// Does it and says what it took, where that is much.
    pub(super) fn does<T>(&self, kind: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        let took = start.elapsed();
        if let Some(name) = self.0.as_ref().filter(|_| took >= SAID) {
            let ms = took.as_secs_f32() * 1e3;
            tracing::debug!(felt = took >= FELT, "{kind} {name}: {ms:.2} ms");
        }
        done
    }
}

/// The beginning of how a value is spelled: its name and those of what is in it.
fn name_of(of: &dyn fmt::Debug) -> String {
    /// Letters of it; the rest may be a whole model.
    const MAX_LEN: usize = 40;
    struct Beginning(String);
    impl fmt::Write for Beginning {
        fn write_str(&mut self, more: &str) -> fmt::Result {
            let left = MAX_LEN.saturating_sub(self.0.len());
            let end = (0..=left.min(more.len())).rev().find(|&at| more.is_char_boundary(at));
            self.0.push_str(&more[..end.unwrap_or(0)]);
            // Ends spelling.
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
    fn a_long_value_is_named_by_its_beginning() {
        assert_eq!(name_of(&Some(1)), "Some(1)");
        let long = vec![7_u8; 1 << 20];
        assert_eq!(name_of(&long).len(), 40);
        assert_eq!(name_of(&"é".repeat(40)).chars().filter(|c| *c == 'é').count(), 19);
    }

    #[test]
    fn a_frame_says_its_steps_in_order() {
        let mut laps = Laps::new();
        laps.end("panels");
        laps.end("view");
        let said = laps.to_string();
        assert!(said.starts_with(" panels 0.") && said.contains(" view 0."), "{said}");
        assert!(!laps.is_felt());
    }
}
