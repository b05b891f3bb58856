//! Arguments of `diff`.

use std::path::PathBuf;

use clap::Args;

use crate::OptionArgs;
use rigscope_core::compare::DiffOptions;
use rigscope_io::OpenOptions;
use rigscope_io::history::RevisionRange;

/// `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The reference file and the file to compare; with --git, files or folders to limit the comparison to; - for
    /// standard input
    #[arg(value_name = "FILE", required_unless_present = "git")]
    pub files: Vec<PathBuf>,
    /// Compare the files that changed since this revision of the Git repository, or between two revisions
    #[arg(long, value_name = "REV[..REV]", conflicts_with_all = ["heat_map", "with_a", "with_b"])]
    pub git: Option<RevisionRange>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// How files are compared.
    #[command(flatten)]
    pub compare: OptionArgs<DiffOptions>,
    /// Render B coloured by deviation, from blue to red; unmatched vertices are grey
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
