//! A page can't start programs.

use std::process::Command;

use super::HistoryError;
use super::command::RunLimits;

pub(super) fn run(_command: Command, _limits: RunLimits) -> Result<Vec<u8>, HistoryError> {
    Err(HistoryError::NoGit("a page can't start programs".to_owned()))
}
