//! Arguments of `diff`.

use std::path::PathBuf;

use clap::Args;

use crate::OptionArgs;
use rigscope_core::compare::DiffOptions;
use rigscope_io::OpenOptions;

/// `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The reference file
    pub a: PathBuf,
    /// The file to compare
    pub b: PathBuf,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// How files are compared.
    #[command(flatten)]
    pub compare: OptionArgs<DiffOptions>,
    /// Render B coloured by deviation, from blue to red; unmatched vertices are magenta
    #[arg(long, value_name = "OUT.png")]
    pub heat_map: Option<PathBuf>,
    /// Overwrite the heat map if it exists
    #[arg(long)]
    pub force: bool,
    /// A related file to read with A only
    #[arg(long, value_name = "FILE")]
    pub with_a: Vec<PathBuf>,
    /// A related file to read with B only
    #[arg(long, value_name = "FILE")]
    pub with_b: Vec<PathBuf>,
    /// How both files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}
