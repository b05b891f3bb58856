//! `render`: pictures without a window.

use super::RenderArgs;
use super::exit::{Exit, NoGpu};
use super::output::Output;

/// Reads, draws, writes.
pub(super) fn run(_: &RenderArgs, _: &Output) -> anyhow::Result<Exit> {
    Err(NoGpu("this build cannot draw: it was made without the feature `gpu`".to_owned()).into())
}
