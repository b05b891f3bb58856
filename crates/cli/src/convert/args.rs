//! What can be typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{InputArgs, values};
use rigscope_io::convert::{TextureMode, target_of};
use rigscope_io::formats::FORMATS;

/// `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// What to convert: files, and with --out-dir folders of them
    #[arg(required = true, value_name = "IN")]
    pub inputs: Vec<PathBuf>,
    /// Where to write the one input; its extension says what, unless --to does
    #[arg(long, short, value_name = "OUT", required_unless_present = "out_dir")]
    pub output: Option<PathBuf>,
    /// A folder to write all inputs to, under their own names
    #[arg(long, value_name = "FOLDER", conflicts_with = "output", requires = "to")]
    pub out_dir: Option<PathBuf>,
    /// The format to write, by id or extension
    #[arg(long, value_name = "FORMAT", value_parser = target, long_help = targets_help())]
    pub to: Option<String>,
    /// Write only this part of a format of several files
    #[arg(long, value_name = "PART")]
    pub part: Option<String>,
    /// Fail, and write nothing, where anything would be lost
    #[arg(long)]
    pub strict: bool,
    /// Do all but write: say what would be lost and how far numbers would move
    #[arg(long)]
    pub dry_run: bool,
    /// Do not read back and measure what was written
    #[arg(long)]
    pub unchecked: bool,
    /// Overwrite outputs that exist; never an input
    #[arg(long)]
    pub force: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Only this clip, by name or number
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// Keys a second; every clip is sampled so. Otherwise curves that must be sampled are so at the
    /// frames a second that their file states (FBX), and 30 times a second where none does
    #[arg(long, value_name = "NUMBER", value_parser = values::above_zero)]
    pub rate: Option<f64>,
    /// Make everything larger by this factor
    #[arg(long, value_name = "FACTOR", value_parser = values::factor)]
    pub scale: Option<f32>,
    /// Join all meshes into one
    #[arg(long)]
    pub merge: bool,
    /// Make vertices one that are equal to the last bit
    #[arg(long)]
    pub weld: bool,
    /// Keep only the largest influences of each vertex
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    pub limit_influences: Option<u8>,
    /// Count v of texture coordinates from the other side
    #[arg(long)]
    pub flip_v: bool,
    /// Keep parents, names and inverse binds where the format leaves the choice (bsm2)
    #[arg(long)]
    pub hierarchy: bool,
    /// Keep bones below those that move vertices (bsm2)
    #[arg(long)]
    pub last_bones: bool,
    /// Make a convex hull of each mesh where there is none (bsm)
    #[arg(long)]
    pub hull: bool,
    /// Make a simplified occlusion mesh where there is none (bsm)
    #[arg(long)]
    pub occluder: bool,
    /// What becomes of the images of textures
    ///
    /// copy: they are written with the output, beside it or inside (glb), under names that every
    /// system takes; those that lie in the output's folder or below already are named there. Formats
    /// that take no such image get a PNG. reference: they stay where they are and are named there,
    /// seen from the output's folder; those inside the input are written. none: they are left out.
    #[arg(long, value_enum, default_value_t = Textures::Copy, value_name = "WHAT")]
    pub textures: Textures,
    /// So many files at once; as many as there are cores where not given
    #[arg(long, value_name = "NUMBER", value_parser = values::jobs)]
    pub jobs: Option<usize>,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// What `--textures` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Textures {
    /// Written with the output, where they are not there already
    Copy,
    /// Named where they lie
    Reference,
    /// Left out
    None,
}

impl From<Textures> for TextureMode {
    fn from(textures: Textures) -> Self {
        match textures {
            Textures::Copy => Self::Copy,
            Textures::Reference => Self::Reference,
            Textures::None => Self::None,
        }
    }
}

fn target(text: &str) -> Result<String, String> {
    match target_of(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("not one of {}", names().join(", "))),
    }
}

fn names() -> Vec<&'static str> {
    let infos = FORMATS.iter().map(|format| format.info());
    let writers = infos.filter(|info| info.can_write);
    writers.map(|info| info.id).collect()
}

fn targets_help() -> String {
    let mut help = "The format to write, by id or extension".to_owned();
    for format in FORMATS.iter().filter(|format| format.info().can_write) {
        let info = format.info();
        help.push_str(&format!("\n- {}: {}", info.id, info.name));
        for part in info.parts {
            help.push_str(&format!("\n  --part {}: {}", part.id, part.meaning));
        }
    }
    help
}
