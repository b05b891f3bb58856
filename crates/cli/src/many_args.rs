//! What commands take that go through many files.

use std::path::PathBuf;

use clap::Args;

/// Many files, and what is done with what is found of each.
#[derive(Clone, Debug, Default, Args)]
pub struct ManyArgs {
    /// Read the files that this file lists too, one a line; -: stdin. Lists written with a zero byte
    /// after each name (find -print0) will do
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Write one JSON object a line, as soon as it is known, in the order of the files
    #[arg(long)]
    pub jsonl: bool,
    /// Keep what is found in this folder, and take it from there where a file and all that was read
    /// around it are as they were
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}
