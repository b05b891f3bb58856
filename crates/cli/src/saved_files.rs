//! Saves the files of one conversion.

use std::path::{Path, PathBuf};

use rigscope_io::files::{Inputs, outputs_of, save_set};
use rigscope_io::formats::OutputFile;

/// Writes files next to `target`, the main file under its name. Returns the paths and lengths of those that were written,
/// the main file first.
pub(super) fn save_files(
    files: &[(String, OutputFile)],
    target: &Path,
    force: bool,
    inputs: &Inputs,
) -> anyhow::Result<Vec<(PathBuf, usize)>> {
    let outputs = outputs_of(files, target, force, force);
    let is_written = save_set(&outputs, inputs)?;
    let saved = outputs.iter().zip(is_written).filter(|(_, is_written)| *is_written);
    Ok(saved.rev().map(|(output, _)| (output.path.clone(), output.bytes.len())).collect())
}
