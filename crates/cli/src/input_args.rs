//! How files are read: what all commands share that read one.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::values;
use rigscope_core::model::UpAxis;
use rigscope_io::formats::{EFFECT_CONFIG, FORMATS};

/// How files are read.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct InputArgs {
    /// A companion to read along: skeleton, skin, animation, texture, or a folder of such
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// A file beside the input that must not go with it, by name or path below its folder
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Show a mesh that lies in an effect alone, without the effect's materials
    #[arg(long)]
    pub no_effect: bool,
    /// Frame rate, for formats that count frames and state no rate
    #[arg(long, value_name = "NUMBER", value_parser = values::above_zero)]
    pub fps: Option<f64>,
    /// The axis that points up, overriding the format's
    #[arg(long, value_enum, value_name = "AXIS")]
    pub up: Option<UpArg>,
    /// Read the input as this format, whatever its content and name
    #[arg(long, value_name = "ID", value_parser = readable_formats())]
    pub format: Option<String>,
}

impl InputArgs {
    /// Files around the input that must not go with it.
    #[must_use]
    pub fn hidden(&self) -> Vec<String> {
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
    let infos = FORMATS.iter().map(|format| format.info());
    let ids = infos.filter(|info| info.can_read).map(|info| info.id);
    PossibleValuesParser::new(ids)
}
