//! `--quiet`, `--color` and `--log-file`: which messages a command prints, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub struct MessageArgs {
    /// Print only results and errors: no notes, warnings or progress
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// When to colour the output
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_default_value = true,
        help_heading = "Global options"
    )]
    pub color: ColorArg,
    /// Append messages and the log of --verbose, with times, to this file
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub log_file: Option<PathBuf>,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On terminals, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}
