//! Runs the `git` program within limits of time, memory and output.
//!
//! Its output goes to temporary files, so that no thread has to wait for pipes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::process::Command;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::HistoryError;
use super::command::RunLimits;
use crate::files::MemoryMeter;

/// Longest wait between two checks of the process. The first waits are shorter.
const MAX_WAIT: Duration = Duration::from_millis(20);
/// Interval of the memory measurements, which list all processes.
const MEMORY_INTERVAL: Duration = Duration::from_millis(250);
/// Bytes of stderr that are searched for a message.
const MAX_STDERR_BYTES: u64 = 64 << 10;

/// The standard output of a run.
///
/// # Errors
/// If Git can't be started, fails, or exceeds a limit.
pub(super) fn run(mut command: Command, limits: RunLimits) -> Result<Vec<u8>, HistoryError> {
    let io = |error: std::io::Error| HistoryError::NoGit(error.to_string());
    let mut stdout = tempfile::tempfile().map_err(io)?;
    let mut stderr = tempfile::tempfile().map_err(io)?;
    command.stdout(stdout.try_clone().map_err(io)?).stderr(stderr.try_clone().map_err(io)?);
    // On Windows, the `git` in PATH may be a launcher whose child does the work.
    let mut wrap = CommandWrap::from(command);
    #[cfg(windows)]
    wrap.wrap(process_wrap::std::JobObject);
    let mut child = wrap.spawn().map_err(io)?;
    let is_success = wait(&mut *child, &stdout, limits);
    if is_success.is_err() {
        // The process may have ended in the meantime.
        let _ = child.kill();
    }
    if !is_success? {
        let text = content(&mut stderr, MAX_STDERR_BYTES).map_err(io)?;
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().find(|line| !line.is_empty()).unwrap_or("git failed");
        let message = line.trim_start_matches("fatal: ").trim_start_matches("error: ");
        return Err(HistoryError::git(message));
    }
    content(&mut stdout, limits.output_bytes).map_err(io)
}

/// Whether the process has ended without an error.
fn wait(
    child: &mut dyn ChildWrapper,
    stdout: &File,
    limits: RunLimits,
) -> Result<bool, HistoryError> {
    let io = |error: std::io::Error| HistoryError::NoGit(error.to_string());
    let mut meter = MemoryMeter::of(child.id());
    let start = Instant::now();
    let mut next_measurement = MEMORY_INTERVAL;
    let mut pause = Duration::from_micros(500);
    loop {
        let ended = child.try_wait().map_err(io)?;
        if stdout.metadata().map_err(io)?.len() > limits.output_bytes {
            let limit = limits.output_bytes;
            return Err(HistoryError::Stopped(format!("printed more than {limit} bytes")));
        }
        if let Some(status) = ended {
            return Ok(status.success());
        }
        let elapsed = start.elapsed();
        if elapsed > limits.time {
            let secs = limits.time.as_secs();
            return Err(HistoryError::Stopped(format!("took longer than {secs} s")));
        }
        if elapsed > next_measurement {
            next_measurement = elapsed + MEMORY_INTERVAL;
            if meter.used_bytes() > limits.memory_bytes {
                let limit = limits.memory_bytes >> 30;
                return Err(HistoryError::Stopped(format!("used more than {limit} GiB of memory")));
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(MAX_WAIT);
    }
}

/// A file from its beginning.
fn content(file: &mut File, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(limit_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::command::git;

    #[test]
    fn messages_of_git_have_no_control_characters() {
        let mut command = git();
        command.args(["rev-parse", "--verify", "a\u{1b}]0;b\u{7}"]);
        match run(command, RunLimits::QUERY) {
            Err(HistoryError::NoGit(_)) => {}
            Err(HistoryError::Git(message)) => {
                assert!(!message.chars().any(char::is_control), "{message:?}");
            }
            other => panic!("{other:?}"),
        }
        let HistoryError::Git(message) = HistoryError::git("bad \u{9b}31m\u{202e}x") else {
            panic!("of Git");
        };
        assert_eq!(message, "bad \\u{9b}31m\\u{202e}x");
    }

    #[test]
    #[cfg(unix)]
    fn a_process_beyond_a_limit_is_stopped() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let limits =
            RunLimits { time: Duration::from_millis(300), output_bytes: 1000, ..RunLimits::QUERY };
        let start = Instant::now();
        let Err(HistoryError::Stopped(message)) = run(shell("exec sleep 20"), limits) else {
            panic!("the time isn't limited");
        };
        assert!(message.starts_with("took longer"), "{message}");
        let endless = "while :; do echo too much output; done";
        let Err(HistoryError::Stopped(message)) = run(shell(endless), limits) else {
            panic!("the output isn't limited");
        };
        assert_eq!(message, "printed more than 1000 bytes");
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(run(shell("echo a"), limits), Ok(b"a\n".to_vec()));
    }
}
