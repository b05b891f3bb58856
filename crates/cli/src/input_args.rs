//! Input options shared by all commands that read files.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::values;
use rigscope_core::model::UpAxis;
use rigscope_io::formats::{EFFECT_CONFIG, FORMATS};

/// Input options.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct InputArgs {
    /// Read this related file too: a skeleton, skin, animation or texture, or a folder of them
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// Don't use this related file, given by name or by path relative to the folder of the input
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Show a mesh inside an effect without the materials of the effect
    #[arg(long)]
    pub no_effect: bool,
    /// Frame rate, for formats that count frames but don't store a rate
    #[arg(long, value_name = "NUMBER", value_parser = values::above_zero)]
    pub fps: Option<f64>,
    /// The axis that points up, instead of the one that the format defines
    #[arg(long, value_enum, value_name = "AXIS")]
    pub up: Option<UpArg>,
    /// Read the input as this format instead of detecting it
    #[arg(long, value_name = "ID", value_parser = readable_formats())]
    pub format: Option<String>,
}

impl InputArgs {
    /// Related files that must not be used.
    #[must_use]
    pub fn excluded(&self) -> Vec<String> {
        let config = self.no_effect.then(|| EFFECT_CONFIG.to_owned());
        self.without.iter().cloned().chain(config).collect()
    }
}

/// An axis that may point up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpArg {
    /// Y
    Y,
    /// Z
    Z,
}

impl From<UpArg> for UpAxis {
    fn from(up: UpArg) -> Self {
        match up {
            UpArg::Y => Self::Y,
            UpArg::Z => Self::Z,
        }
    }
}

fn readable_formats() -> PossibleValuesParser {
    let infos = FORMATS.iter().map(|format| &format.info);
    let ids = infos.filter(|info| info.can_read).map(|info| info.id);
    PossibleValuesParser::new(ids)
}
