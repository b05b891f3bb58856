//! Arguments of commands that process many files.

use std::path::PathBuf;

use clap::Args;

/// Options for many files.
#[derive(Clone, Debug, Default, Args)]
pub struct BatchArgs {
    /// Also read the files in this list, one path per line; - for stdin. Lists with a zero byte after
    /// each path (find -print0) are detected
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Write one JSON object per line, in the order of the files and as soon as it is available
    #[arg(long)]
    pub jsonl: bool,
    /// Cache results in this folder, and reuse them for files that haven't changed, including their
    /// related files
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
}
