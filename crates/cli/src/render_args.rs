//! What can be typed after `render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{self, Angles, Selected, SizePx};
use super::{InputArgs, LightArgs, PoseArgs};
use rigscope_core::visual::{SHOW, Show};

/// How PNG files are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompressArg {
    /// Written soonest
    #[default]
    Fast,
    /// Smallest
    Best,
}

/// `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The file to read
    pub file: PathBuf,
    /// The PNG to write, with --frames or --turntable the name that numbers are added to; or a GIF
    ///
    /// A GIF shows one loop of the clip, or with --turntable a turn, and repeats it.
    #[arg(long, short, value_name = "OUT.png|OUT.gif")]
    pub output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1000x600", value_parser = values::size_px)]
    pub size: SizePx,
    /// Which pose.
    #[command(flatten)]
    pub pose: PoseArgs,
    /// From where: front, back, side, left, top, bottom, iso, or YAW,PITCH in degrees
    ///
    /// Yaw 0 looks from the front (+Z), 90 from the subject's left (+X). Positive pitch looks
    /// down.
    #[arg(long, value_name = "VIEW", value_parser = values::angles, allow_hyphen_values = true)]
    pub camera: Option<Angles>,
    /// The point to look at, in metres with Y up; otherwise the middle of what is shown
    #[arg(long, value_name = "X,Y,Z", value_parser = values::numbers::<3>, allow_hyphen_values = true)]
    pub target: Option<[f32; 3]>,
    /// How far the camera is from the target; otherwise so far that everything is seen
    #[arg(long, value_name = "NUMBER", value_parser = values::factor)]
    pub distance: Option<f32>,
    /// Parallel and not perspective
    #[arg(long)]
    pub orthographic: bool,
    /// Leave subsets out: their numbers, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub hide: Vec<usize>,
    /// Colour of a subset by its number, linear RGB from 0 to 1
    #[arg(long, value_name = "NUMBER=R,G,B", value_parser = values::subset_color)]
    pub color: Vec<(usize, [f32; 3])>,
    /// What is outlined: a subset or a bone, by number
    #[arg(long, value_name = "subset:NUMBER|bone:NUMBER", value_parser = values::selected)]
    pub select: Option<Selected>,
    /// What to draw, separated by commas
    #[arg(long, value_name = "LIST", value_parser = Show::parse, long_help = show_help())]
    pub show: Option<Show>,
    /// How materials are lit.
    #[command(flatten)]
    pub light: LightArgs,
    /// The bone to show as selected, by name or number: bones-on-top and bone-weights show it
    #[arg(long, value_name = "BONE")]
    pub bone: Option<String>,
    /// How PNG files are compressed
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub compress: CompressArg,
    /// What is behind the model
    #[arg(long, value_enum, default_value_t)]
    pub background: BackgroundArg,
    /// Write so many images, evenly over one loop of the clip: OUT_0000.png and so on
    ///
    /// Image i shows the time start + i * duration / N, so that the images loop without a
    /// doubled one. The camera stands still and sees all of them.
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "key"],
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: Option<u32>,
    /// Write so many images of the moment, evenly over a turn of the camera about the target
    #[arg(long, value_name = "N", conflicts_with = "frames",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub turntable: Option<u32>,
    /// Images a second in a GIF; otherwise as fast as the clip, and a turn in 4 seconds
    #[arg(long, value_name = "NUMBER", value_parser = values::above_zero)]
    pub rate: Option<f64>,
    /// Overwrite outputs that exist
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// What each word of `--show` means.
fn show_help() -> String {
    let rows = SHOW.iter();
    let lines: String =
        rows.filter_map(|info| Some(format!("\n- {}: {}", info.word?, info.help))).collect();
    format!("What to draw, separated by commas\n{lines}")
}

/// What is behind the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BackgroundArg {
    /// Dark grey, lighter at the top
    #[default]
    Gradient,
    /// One dark grey
    Plain,
    /// Nothing: alpha 0
    Transparent,
}
