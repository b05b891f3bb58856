//! Arguments of `thumbnail`, in the order that file managers pass.

use std::path::PathBuf;

use clap::Args;

use super::values;

/// `thumbnail`.
#[derive(Debug, Args)]
pub struct ThumbnailArgs {
    /// The file to read
    #[arg(value_name = "IN")]
    pub file: PathBuf,
    /// The PNG file to write, with any extension; an existing file is overwritten
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Width and height in pixels, at most 4096
    #[arg(value_name = "SIZE", value_parser = values::thumbnail_size_px)]
    pub size_px: u32,
}
