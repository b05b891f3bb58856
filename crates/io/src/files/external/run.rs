//! Runs a program: its output goes to temporary files, so that no thread has to wait for pipes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::memory::MemoryMeter;
use super::output::{ReaderFault, ReaderOutput};
use super::program::{FILE_WORD, ReaderProgram};
use crate::files::{FileError, Pipes, disk, io_message};
use rigscope_core::model::Report;

/// Longest wait between two checks of a program. The first waits are shorter.
const MAX_WAIT: Duration = Duration::from_millis(50);
/// Interval of the memory measurements, which list all processes.
const MEMORY_INTERVAL: Duration = Duration::from_millis(250);
/// Text on stderr beyond this is ignored.
const MAX_STDERR_BYTES: u64 = 64 << 10;
/// Maximum number of lines on stderr that become warnings.
const MAX_WARNINGS: usize = 20;

/// The output of `program` for the file at `path`.
pub(super) fn run(
    program: &ReaderProgram,
    folder: &Path,
    path: &Path,
    report: &Report,
) -> Result<ReaderOutput, FileError> {
    // A missing file is reported like one of any other format.
    let file_bytes = disk::readable(path, Pipes::Allowed)?.len();
    let io = |source: std::io::Error| ReaderFault::Io { reader: program.name.clone(), source };
    let mut stdout = tempfile::tempfile().map_err(io)?;
    let mut stderr = tempfile::tempfile().map_err(io)?;
    let path = std::path::absolute(path).map_err(io)?;
    tracing::debug!(reader = program.name, path = %path.display(), "running");
    let command = command(program, folder, &path, &stdout, &stderr).map_err(io)?;
    let child = start(command, program)?;
    let status = wait(child, program, &stdout, report)?;
    let text = text_of(&mut stderr).map_err(io)?;
    if !status.success() {
        let message = match text.trim() {
            "" => format!("it ended with {status} without a message"),
            // The last line of a Python traceback has the reason.
            text => text.lines().last().unwrap_or_default().trim().to_owned(),
        };
        return Err(ReaderFault::Failed { reader: program.name.clone(), message }.into());
    }
    let mut bytes = Vec::new();
    stdout.seek(SeekFrom::Start(0)).map_err(io)?;
    // A process that it left behind may still be writing.
    stdout.take(program.max_memory_bytes).read_to_end(&mut bytes).map_err(io)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut warnings: Vec<String> = lines.map(str::to_owned).collect();
    if let Some(num_more) = warnings.len().checked_sub(MAX_WARNINGS).filter(|num| *num > 0) {
        warnings.truncate(MAX_WARNINGS);
        warnings.push(format!("{num_more} more lines"));
    }
    Ok(ReaderOutput { reader: program.name.clone(), bytes, warnings, file_bytes })
}

fn command(
    program: &ReaderProgram,
    folder: &Path,
    path: &Path,
    stdout: &File,
    stderr: &File,
) -> std::io::Result<Command> {
    let mut words = program.command.iter();
    let mut command = Command::new(executable(words.next().map_or("", |word| word), folder));
    for word in words {
        // Paths needn't be UTF-8.
        let mut parts = word.split(FILE_WORD);
        let mut argument = std::ffi::OsString::from(parts.next().unwrap_or_default());
        for part in parts {
            argument.push(path);
            argument.push(part);
        }
        command.arg(argument);
    }
    command.current_dir(folder).stdin(Stdio::null());
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    Ok(command)
}

/// A program with a folder in its name is relative to the settings folder; any other is searched for in PATH.
fn executable(word: &str, folder: &Path) -> PathBuf {
    let path = Path::new(word);
    if path.components().count() > 1 { folder.join(path) } else { path.to_owned() }
}

fn start(command: Command, program: &ReaderProgram) -> Result<Box<dyn ChildWrapper>, ReaderFault> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut wrap = CommandWrap::from(command);
    // All processes that the program starts end with it.
    #[cfg(unix)]
    wrap.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::std::JobObject);
    wrap.spawn().map_err(|error| ReaderFault::Start {
        reader: program.name.clone(),
        program: name,
        why: io_message(&error),
    })
}

/// Waits for the end of the program, and stops it if it exceeds a limit or is cancelled.
fn wait(
    mut child: Box<dyn ChildWrapper>,
    program: &ReaderProgram,
    stdout: &File,
    report: &Report,
) -> Result<ExitStatus, ReaderFault> {
    let result = wait_until_limit(&mut *child, program, stdout, report);
    if result.is_err() {
        // The program may have ended in the meantime.
        let _ = child.kill();
    }
    result
}

fn wait_until_limit(
    child: &mut dyn ChildWrapper,
    program: &ReaderProgram,
    stdout: &File,
    report: &Report,
) -> Result<ExitStatus, ReaderFault> {
    let reader = || program.name.clone();
    let io = |source: std::io::Error| ReaderFault::Io { reader: reader(), source };
    let limit_bytes = program.max_memory_bytes;
    let too_large = |what| ReaderFault::TooLarge { reader: reader(), what, limit_bytes };
    let mut meter = MemoryMeter::of(child.id());
    let start = Instant::now();
    let mut next_measurement = MEMORY_INTERVAL;
    let mut pause = Duration::from_millis(1);
    loop {
        let ended = child.try_wait().map_err(io)?;
        if stdout.metadata().map_err(io)?.len() > limit_bytes {
            return Err(too_large("printed"));
        }
        if let Some(status) = ended {
            return Ok(status);
        }
        let elapsed = start.elapsed();
        if elapsed > program.timeout {
            return Err(ReaderFault::Timeout { reader: reader(), limit: program.timeout });
        }
        if elapsed > next_measurement {
            next_measurement = elapsed + MEMORY_INTERVAL;
            if meter.used_bytes() > limit_bytes {
                return Err(too_large("used"));
            }
        }
        report.progress("running the reader", 0.1)?;
        std::thread::sleep(pause);
        pause = (pause * 2).min(MAX_WAIT);
    }
}

fn text_of(file: &mut File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(MAX_STDERR_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
