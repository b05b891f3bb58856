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
    /// Compare with the file that it was exported from
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "good")]
    pub source: Option<PathBuf>,
    /// Compare with an older version of the file that was correct
    #[arg(long, value_name = "OLDER")]
    pub good: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Render the model with and without the fault, side by side
    #[arg(long, value_name = "OUT.png")]
    pub image: Option<PathBuf>,
    /// Ignore causes with this name; may be repeated
    #[arg(long = "allow", value_name = "CAUSE", value_delimiter = ',', value_parser = crate::values::finding_or_cause)]
    pub ignored_causes: Vec<&'static str>,
    /// Report causes with this name although a rigscope.toml ignores them; may be repeated
    #[arg(long = "deny", value_name = "CAUSE", value_delimiter = ',', value_parser = crate::values::finding_or_cause)]
    pub reported_causes: Vec<&'static str>,
    /// Read the settings from this file instead of the nearest rigscope.toml in or above the file's folder
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Overwrite the image if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}
