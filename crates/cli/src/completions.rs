//! `completions`: completion scripts for shells.

use clap::CommandFactory;

use super::exit::Exit;
use super::output::Output;
use super::{Cli, CompletionsArgs};

pub(super) fn run(args: &CompletionsArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rigscope", &mut script);
    output.print(script)?;
    Ok(Exit::Done)
}
