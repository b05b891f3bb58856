//! A page can't start programs.

use std::path::Path;

use super::output::{ReaderFault, ReaderOutput};
use super::program::ReaderProgram;
use crate::files::FileError;
use rigscope_core::model::Report;

pub(super) fn run(
    program: &ReaderProgram,
    _folder: &Path,
    _path: &Path,
    _report: &Report,
) -> Result<ReaderOutput, FileError> {
    let message = "a page can't start programs".to_owned();
    Err(ReaderFault::Failed { reader: program.name.clone(), message }.into())
}
