//! The only place that prints: results to stdout, everything else to stderr.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::exit::ClosedPipe;
use super::text::plain;
use crate::files::io_message;
use crate::model::Severity;

/// The progress line is drawn this often at most.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// Back to the line's beginning, and erase to its end.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Where results, errors and progress go.
#[derive(Debug)]
pub struct Output {
    stdout: Paint,
    stderr: Paint,
    progress: Option<Mutex<ProgressLine>>,
}

#[derive(Debug, Default)]
struct ProgressLine {
    last: Option<Instant>,
    is_shown: bool,
}

/// Colours, where they are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    enabled: bool,
}

impl Paint {
    fn for_stream(is_terminal: bool) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            enabled: is_terminal && !is_set("NO_COLOR") && !is_dumb,
        }
    }

    fn code(self, code: &str, text: &str) -> String {
        match self.enabled {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// For headings.
    pub(super) fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    /// For what matters less.
    pub(super) fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    /// For what is as it should be.
    pub(super) fn good(self, text: &str) -> String {
        self.code("32", text)
    }

    /// For findings.
    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        match severity {
            Severity::Error => self.code("1;31", text),
            Severity::Warning => self.code("33", text),
            Severity::Info => self.code("36", text),
        }
    }
}

impl Output {
    /// The process's own streams; colours and progress only on terminals.
    #[must_use]
    pub fn of_process() -> Self {
        let stderr_is_terminal = std::io::stderr().is_terminal();
        Self {
            stdout: Paint::for_stream(std::io::stdout().is_terminal()),
            stderr: Paint::for_stream(stderr_is_terminal),
            progress: stderr_is_terminal.then(Mutex::default),
        }
    }

    /// Sends what the program tells about its own work to stderr.
    pub(super) fn trace() {
        // Fails only where a subscriber is set already, which then does the same.
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
            .with_writer(std::io::stderr)
            .with_ansi(Paint::for_stream(std::io::stderr().is_terminal()).enabled)
            .without_time()
            .try_init();
    }

    /// Colours of stdout.
    pub(super) fn paint(&self) -> Paint {
        self.stdout
    }

    /// Writes a result to stdout.
    pub(super) fn print(&self, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.clear_progress();
        let mut stdout = std::io::stdout().lock();
        let written = stdout
            .write_all(bytes.as_ref())
            .and_then(|()| stdout.flush());
        match written {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(ClosedPipe.into()),
            Err(error) => Err(anyhow::anyhow!("{}: stdout", io_message(&error))),
        }
    }

    /// Writes a result to stdout as indented JSON.
    pub(super) fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(value)?;
        bytes.push(b'\n');
        self.print(bytes)
    }

    /// Tells of an error.
    pub fn error(&self, message: &str) {
        let label = self.stderr.severity(Severity::Error, "error:");
        self.tell(&format!("{label} {}", plain(message)));
    }

    /// Tells of something worth knowing.
    pub(super) fn note(&self, severity: Severity, message: &str) {
        let word = match severity {
            Severity::Info => "note:",
            Severity::Warning => "warning:",
            Severity::Error => "error:",
        };
        let label = self.stderr.severity(severity, word);
        self.tell(&format!("{label} {}", plain(message)));
    }

    fn tell(&self, line: &str) {
        self.clear_progress();
        // A closed stderr leaves nobody to tell.
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    /// Shows how far the work is, on terminals, now and then.
    pub(super) fn progress(&self, what: impl FnOnce() -> String) {
        let Some(progress) = &self.progress else {
            return;
        };
        let mut line = progress.lock().unwrap_or_else(PoisonError::into_inner);
        if line.last.is_some_and(|at| at.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        *line = ProgressLine {
            last: Some(Instant::now()),
            is_shown: true,
        };
        let mut stderr = std::io::stderr().lock();
        let _ = write!(stderr, "{CLEAR_LINE}{}", plain(&what()));
        let _ = stderr.flush();
    }

    /// Takes the progress line away.
    pub(super) fn clear_progress(&self) {
        let Some(progress) = &self.progress else {
            return;
        };
        let mut line = progress.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut line.is_shown) {
            let _ = write!(std::io::stderr().lock(), "{CLEAR_LINE}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_are_painted() {
        assert_eq!(Paint::for_stream(false).bold("x"), "x");
        let on = Paint { enabled: true };
        assert_eq!(on.bold("x"), "\x1b[1mx\x1b[0m");
    }
}
