//! Arguments of `fix`.

use std::path::PathBuf;

use clap::Args;

use crate::OptionArgs;
use rigscope_io::OpenOptions;

/// `fix`.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// The file to fix
    pub file: PathBuf,
    /// Write the fixed file here; its extension selects the format
    #[arg(long, short, value_name = "OUT", required_unless_present = "dry_run")]
    pub output: Option<PathBuf>,
    /// Fix all findings and causes, except guesses and fixes that remove, rename or reorder parts of the model (default)
    #[arg(long, conflicts_with_all = ["rule", "cause", "from_good"])]
    pub all: bool,
    /// Fix findings with these codes, as `validate` prints them
    #[arg(long, value_name = "CODE", value_delimiter = ',', num_args = 1..)]
    pub rule: Vec<String>,
    /// Undo these causes, as `diagnose` prints them
    #[arg(long, value_name = "NAME", value_delimiter = ',', num_args = 1..)]
    pub cause: Vec<String>,
    /// Take these pieces over from the file of --good or --source: rest-pose, inverse-binds, keys, positions, normals,
    /// tangents, uvs, colors, weights, triangles, morph-targets
    #[arg(long, value_name = "PIECE", value_delimiter = ',', num_args = 1.., requires = "reference")]
    pub from_good: Vec<String>,
    /// Find causes by comparison with the file that FILE was exported from
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "good", group = "reference")]
    pub source: Option<PathBuf>,
    /// Find causes by comparison with an older, correct version of the file
    #[arg(long, value_name = "OLDER", group = "reference")]
    pub good: Option<PathBuf>,
    /// Report the changes, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}
