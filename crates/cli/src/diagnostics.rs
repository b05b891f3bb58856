//! `--verbose`, `--log-file` and `--timings`, which listen to `tracing`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Mutex;

use rigscope_io::STEP_TARGET;
use rigscope_io::files::io_message;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::exit::at_path;
use super::output::{LogStderr, MESSAGES};
use super::timings::StepTotals;

/// The first bytes of a `--log-file`, by which one is recognized.
const LOG_START: &[u8] = b"# rigscope ";

/// Starts `--verbose`, which logs messages of this program and warnings of libraries to stderr, `--log-file`, and
/// `--timings`.
///
/// # Errors
/// The file of `--log-file` can't be written, or isn't a log.
pub(super) fn subscribe(
    verbose: bool,
    timings: bool,
    log_file: Option<&Path>,
) -> anyhow::Result<()> {
    let log_file = log_file.map(open_log).transpose()?;
    if !verbose && !timings && log_file.is_none() {
        return Ok(());
    }
    let levels = || {
        let levels = Targets::new().with_target("rigscope", LevelFilter::DEBUG);
        levels.with_default(LevelFilter::WARN)
    };
    let lines = verbose.then(|| {
        let lines = tracing_subscriber::fmt::layer().with_writer(|| LogStderr).without_time();
        lines.with_filter(levels().with_target(MESSAGES, LevelFilter::OFF))
    });
    let log = log_file.map(|file| {
        let lines = tracing_subscriber::fmt::layer().with_writer(Mutex::new(file)).with_ansi(false);
        lines.with_filter(levels())
    });
    let steps = timings.then(|| {
        StepTotals::default()
            .with_filter(Targets::new().with_target(STEP_TARGET, LevelFilter::TRACE))
    });
    // Fails only if a subscriber is already set.
    let _ = tracing_subscriber::registry().with(lines).with(log).with(steps).try_init();
    Ok(())
}

/// Opens a log for appending, and begins it with the version and the arguments.
fn open_log(path: &Path) -> anyhow::Result<File> {
    let failed = |error: std::io::Error| at_path(io_message(&error), path);
    let mut file =
        OpenOptions::new().create(true).append(true).read(true).open(path).map_err(failed)?;
    let mut start = Vec::new();
    (&mut file).take(LOG_START.len() as u64).read_to_end(&mut start).map_err(failed)?;
    // After a typing error, the file may be a model.
    if !start.is_empty() && start != LOG_START {
        return Err(at_path(
            "the file exists and isn't a log of rigscope; name another file",
            path,
        ));
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args = super::text::plain(&args.join(" "));
    let start = String::from_utf8_lossy(LOG_START);
    writeln!(file, "{start}{} {args}", env!("CARGO_PKG_VERSION")).map_err(failed)?;
    Ok(file)
}
