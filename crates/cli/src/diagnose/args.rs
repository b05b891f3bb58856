//! Arguments of `diagnose`.

use std::path::PathBuf;

use clap::Args;

use crate::OptionArgs;
use rigscope_io::OpenOptions;

/// `diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// The file to examine
    pub file: PathBuf,
    /// The file that it was exported from, which is right
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "good")]
    pub source: Option<PathBuf>,
    /// An older version of the file, which was good
    #[arg(long, value_name = "OLDER")]
    pub good: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Render the model with and without the causes, side by side
    #[arg(long, value_name = "OUT.png")]
    pub image: Option<PathBuf>,
    /// Overwrite the image if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}
