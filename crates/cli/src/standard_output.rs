//! Outputs that may be `-`, which means standard output.
//!
//! Messages of such a command go to stderr, so that stdout has only the bytes of the file.

use std::path::Path;

use super::exit::at_path;
use super::output::Output;
use rigscope_io::files::{self, Inputs, is_standard_stream, save};

/// Checks before the work whether writing to `path` would be refused.
pub(super) fn check_output(path: &Path, force: bool, inputs: &Inputs) -> anyhow::Result<()> {
    if is_standard_stream(path) {
        return Ok(());
    }
    Ok(files::check_target(path, force, inputs)?)
}

/// The same for a command that writes several files or replaces them.
pub(super) fn check_target(path: &Path, force: bool, inputs: &Inputs) -> anyhow::Result<()> {
    if is_standard_stream(path) {
        let message = "this command can't write to standard output; give the name of a file";
        return Err(at_path(message, path));
    }
    Ok(files::check_target(path, force, inputs)?)
}

/// Writes a file, or to standard output.
pub(super) fn write_output(
    path: &Path,
    bytes: &[u8],
    force: bool,
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<()> {
    if is_standard_stream(path) {
        return output.print(bytes);
    }
    Ok(save(path, bytes, force, inputs)?)
}

/// The error about standard output without `--to`; a file name would have an extension.
pub(super) fn without_format(path: &Path, example: &str) -> anyhow::Error {
    let message = format!("give the format of standard output with --to, such as --to {example}");
    at_path(message, path)
}
