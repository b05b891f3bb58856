//! Arguments of `retarget`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::OptionArgs;
use rigscope_core::pose::transfer::RootMotion;
use rigscope_io::OpenOptions;

/// `retarget`.
#[derive(Debug, Args)]
pub struct RetargetArgs {
    /// Files with the clips
    #[arg(required = true)]
    pub clips: Vec<PathBuf>,
    /// The model whose skeleton should play the clips
    #[arg(long, value_name = "MODEL")]
    pub to: PathBuf,
    /// Write the model with the clips here; the extension selects the format
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Keep the model's own clips
    #[arg(long)]
    pub add: bool,
    /// The motion of the hips
    #[arg(long, value_enum, default_value_t)]
    pub root: RootArg,
    /// Keep feet where those of the clip are, by bending the legs
    #[arg(long)]
    pub feet: bool,
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

/// The motion of the hips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RootArg {
    /// In proportion to the lengths of the legs
    #[default]
    Scale,
    /// As far as in the clip
    Keep,
    /// None: the hips turn, but stay in place
    None,
}

impl From<RootArg> for RootMotion {
    fn from(root: RootArg) -> Self {
        match root {
            RootArg::Scale => Self::Scale,
            RootArg::Keep => Self::Keep,
            RootArg::None => Self::None,
        }
    }
}
