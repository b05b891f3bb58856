//! What `thumbnail` takes, which file managers know.

use std::path::PathBuf;

use clap::Args;

/// `thumbnail`.
#[derive(Debug, Args)]
pub struct ThumbnailArgs {
    /// The file to read
    #[arg(value_name = "IN")]
    pub file: PathBuf,
    /// The PNG file to write, whatever it is called; one that is there is overwritten
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Pixels of a side
    #[arg(value_name = "SIZE", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub size_px: u32,
}
