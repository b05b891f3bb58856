//! The only module that prints: results to stdout, everything else to stderr.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::exit::{ClosedPipe, Exit, PathError};
use super::lines::Lines;
use super::message_args::{ColorArg, MessageArgs};
use super::text::plain;
use rigscope_core::model::output_text::{self, OutputTarget, text_for, without_commands};
use rigscope_core::model::{Severity, display_text};
use rigscope_io::files::{SaveError, io_message, path_text};

/// Minimum time between updates of the progress line.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// The target of messages that are printed in any case.
pub(super) const MESSAGES: &str = "rigscope::messages";
/// Moves to the start of the line and erases it.
const CLEAR_LINE: &str = "\r\x1b[K";

/// All escape codes that [`Paint`] writes.
const CODES: [&str; 7] =
    ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[36m"];

/// The output streams.
#[derive(Debug)]
pub struct Output {
    stdout: Paint,
    stderr: Paint,
    progress: Option<Mutex<ProgressLine>>,
    /// Whether notes and warnings are left out.
    is_quiet: bool,
}

#[derive(Debug, Default)]
struct ProgressLine {
    last: Option<Instant>,
    is_shown: bool,
}

/// Colours the text, if the stream is a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    enabled: bool,
}

impl Paint {
    fn for_stream(is_terminal: bool, color: ColorArg) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let enabled = match color {
            ColorArg::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
            ColorArg::Always => true,
            ColorArg::Never => false,
        };
        Self { enabled }
    }

    /// No colours.
    pub(super) const fn none() -> Self {
        Self { enabled: false }
    }

    fn code(self, code: &str, text: &str) -> String {
        if self.enabled { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    /// For secondary text.
    pub(super) fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    /// For success.
    pub(super) fn good(self, text: &str) -> String {
        self.code("32", text)
    }

    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        match severity {
            Severity::Error => self.code("1;31", text),
            Severity::Warning => self.code("33", text),
            Severity::Info => self.code("36", text),
        }
    }
}

impl Output {
    /// The streams of the process; colours and progress only on terminals.
    pub fn of_process() -> Self {
        Self::new(&MessageArgs::default())
    }

    /// The same with the options of a command.
    pub fn new(args: &MessageArgs) -> Self {
        let stderr_is_terminal = std::io::stderr().is_terminal();
        Self {
            stdout: Paint::for_stream(std::io::stdout().is_terminal(), args.color),
            stderr: Paint::for_stream(stderr_is_terminal, args.color),
            progress: (stderr_is_terminal && !args.quiet).then(Mutex::default),
            is_quiet: args.quiet,
        }
    }

    /// Colours of stdout.
    pub(super) fn paint(&self) -> Paint {
        self.stdout
    }

    /// Colours of stderr.
    pub(super) fn stderr_paint(&self) -> Paint {
        self.stderr
    }

    /// Writes lines to stdout; invisible characters except colour codes are escaped.
    pub(super) fn print_lines(&self, lines: &Lines) -> anyhow::Result<()> {
        self.print_text(lines.as_str())
    }

    /// The same for text with line ends, in which everything from files is escaped already.
    pub(super) fn print_text(&self, text: impl AsRef<str>) -> anyhow::Result<()> {
        self.print(printable(text.as_ref(), self.stdout).as_bytes())
    }

    /// Writes a report whose text is escaped for its format.
    pub(super) fn print_report(&self, text: &str) -> anyhow::Result<()> {
        self.print(visible(text, Paint { enabled: false }).as_bytes())
    }

    /// Writes bytes to stdout as they are: files of a format, and text that contains nothing from files.
    pub(super) fn print(&self, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.clear_progress();
        let mut stdout = std::io::stdout().lock();
        let written = stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush());
        match written {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(ClosedPipe.into()),
            Err(error) => {
                Err(anyhow::anyhow!("standard output can't be written: {}", io_message(&error)))
            }
        }
    }

    /// Writes a result to stdout as indented JSON.
    pub(super) fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.print_line_of_json(serde_json::to_string_pretty(value)?)
    }

    /// Writes a result to stdout as one line of JSON.
    pub(super) fn print_json_line(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.print_line_of_json(serde_json::to_string(value)?)
    }

    /// Writes JSON to stdout, followed by a line end.
    pub(super) fn print_line_of_json(&self, mut text: String) -> anyhow::Result<()> {
        text.push('\n');
        self.print(output_text::json(&text).as_bytes())
    }

    /// Prints an error; one that concerns a file begins with the path.
    pub(super) fn error(&self, error: &anyhow::Error) {
        match error.downcast_ref() {
            Some(PathError { path, message }) => self.report_at(Severity::Error, path, message),
            None => match error.downcast_ref() {
                Some(SaveError { path, refusal }) => {
                    self.report_at(Severity::Error, path, &refusal.to_string())
                }
                None => self.report(Severity::Error, &format!("{error:#}")),
            },
        }
    }

    /// Prints a message with its severity.
    pub(super) fn report(&self, severity: Severity, message: &str) {
        log_message(severity, message);
        if self.is_quiet && severity != Severity::Error {
            return;
        }
        self.write_line(&format!("{} {}", self.label(severity), plain(message)));
    }

    /// Prints a message about a file, the path first for editors and `grep`.
    pub(super) fn report_at(&self, severity: Severity, path: &Path, message: &str) {
        let path = plain(&path_text(path));
        log_message(severity, &format!("{path}: {message}"));
        if self.is_quiet && severity != Severity::Error {
            return;
        }
        let label = self.label(severity);
        self.write_line(&format!("{path}: {label} {}", plain(message)));
    }

    fn label(&self, severity: Severity) -> String {
        let word = match severity {
            Severity::Info => "note:",
            Severity::Warning => "warning:",
            Severity::Error => "error:",
        };
        self.stderr.severity(severity, word)
    }

    /// Prints lines without a label to stderr.
    pub(super) fn plain_lines(&self, lines: &Lines) {
        self.clear_progress();
        // A closed stderr is ignored.
        let text = printable(lines.as_str(), self.stderr);
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    fn write_line(&self, line: &str) {
        self.plain_lines(&[line].into_iter().collect());
    }

    /// Updates the progress line, on terminals only.
    pub(super) fn progress(&self, text: impl FnOnce() -> String) {
        let Some(progress) = &self.progress else { return };
        let mut line = progress.lock().unwrap_or_else(PoisonError::into_inner);
        if line.last.is_some_and(|at| at.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        *line = ProgressLine { last: Some(Instant::now()), is_shown: true };
        let mut stderr = std::io::stderr().lock();
        let _ = write!(stderr, "{CLEAR_LINE}{}", plain(&text()));
        let _ = stderr.flush();
    }

    /// Erases the progress line.
    pub(super) fn clear_progress(&self) {
        let Some(progress) = &self.progress else { return };
        let mut line = progress.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut line.is_shown) {
            let _ = write!(std::io::stderr().lock(), "{CLEAR_LINE}");
        }
    }
}

/// Adds a printed message to the `--log-file`.
fn log_message(severity: Severity, message: &str) {
    match severity {
        Severity::Error => tracing::error!(target: MESSAGES, "{message}"),
        Severity::Warning => tracing::warn!(target: MESSAGES, "{message}"),
        Severity::Info => tracing::info!(target: MESSAGES, "{message}"),
    }
}

/// Prints help, the version or a usage error, and returns the exit code.
pub(super) fn usage(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    let printed = printable(&text, Paint { enabled: false });
    // A closed stream is ignored.
    let _ = if printed == text {
        error.print()
    } else {
        // Arguments are often file names, which may contain invisible characters.
        std::io::stderr().lock().write_all(printed.as_bytes())
    };
    match error.exit_code() {
        0 => Exit::Done,
        _ => Exit::BadInput,
    }
}

/// `text` for a terminal or a log: visible, and without commands of CI systems.
fn printable(text: &str, paint: Paint) -> Cow<'_, str> {
    let text = visible(text, paint);
    let is_plain = |line: &str| matches!(without_commands(line.into()), Cow::Borrowed(_));
    if text.split('\n').all(is_plain) {
        return text;
    }
    let lines: Vec<_> = text.split('\n').map(|line| without_commands(line.into())).collect();
    lines.join("\n").into()
}

/// Escapes the invisible characters in `text`, except line ends and the codes of `paint`.
fn visible(text: &str, paint: Paint) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || !display_text::is_invisible(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let code = CODES.iter().find(|code| paint.enabled && rest.starts_with(**code));
        let own = code.map_or(c.len_utf8(), |code| code.len());
        let (own, next) = rest.split_at(own);
        if code.is_some() || c == '\n' || !display_text::is_invisible(c) {
            out.push_str(own)
        } else {
            out.extend(display_text::escape(c))
        }
        rest = next;
    }
    Cow::Owned(out)
}

/// Stderr for the log: each write is a message, which becomes a line.
pub(super) struct LogStderr;

impl Write for LogStderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let message = text_for(OutputTarget::Line, text.trim_end_matches('\n'));
        std::io::stderr().lock().write_all(format!("{message}\n").as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_except_colours_are_escaped() {
        let on = Paint { enabled: true };
        let text = format!("{}\u{1b}[2J\u{202e}\n", on.bold("a"));
        let expected = "\u{1b}[1ma\u{1b}[0m\\u{1b}[2J\\u{202e}\n";
        assert_eq!(printable(&text, on), expected);
        let off = Paint { enabled: false };
        assert_eq!(printable("\u{1b}[1ma\n", off), "\\u{1b}[1ma\n");
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            let painted = on.severity(severity, "x") + &on.dim("y") + &on.good("z");
            assert_eq!(printable(&painted, on), painted);
        }
    }

    #[test]
    fn no_line_begins_a_command_of_a_ci_system() {
        let on = Paint { enabled: true };
        let text = "a\n::add-mask::x\n  ::error::y\nb ##[group]\nc::d\n";
        let expected = "a\n\\u{3a}:add-mask::x\n  \\u{3a}:error::y\nb #\\u{23}[group]\nc::d\n";
        assert_eq!(printable(text, on), expected);
        assert!(matches!(printable("a::b\n", on), Cow::Borrowed(_)));
    }

    #[test]
    fn only_terminals_get_colours() {
        let bold = |color| Paint::for_stream(false, color).bold("x");
        assert_eq!((bold(ColorArg::Auto), bold(ColorArg::Never)), ("x".to_owned(), "x".to_owned()));
        assert_eq!(bold(ColorArg::Always), "\x1b[1mx\x1b[0m");
        let on = Paint { enabled: true };
        assert_eq!(on.bold("x"), "\x1b[1mx\x1b[0m");
    }
}
