//! Arguments of `render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{self, Angles, Selected, SizePx};
use super::{LightArgs, OptionArgs, PoseArgs};
use rigscope_core::visual::{SHOW, Show};
use rigscope_io::OpenOptions;

/// Compression of PNG files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompressArg {
    /// Fast encoding
    #[default]
    Fast,
    /// Small files
    Best,
}

/// Formats of `render`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImageFormat {
    /// One image per file
    Png,
    /// One GIF that plays all images, with 256 colours per image
    Gif,
    /// One PNG that plays all images, without loss
    Apng,
    /// One WebP that plays all images, without loss
    Webp,
}

/// `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The file to read, or - for standard input
    pub file: PathBuf,
    /// The PNG, or the GIF, APNG or WebP animation to write, or - for standard output; with --frames or --turntable,
    /// numbers are added to the PNG name
    ///
    /// An animation shows one loop of the clip, or one orbit of the camera with --turntable, and repeats.
    #[arg(long, short, value_name = "OUT.png|OUT.gif|OUT.apng|OUT.webp")]
    pub output: PathBuf,
    /// The format to write, regardless of the extension
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<ImageFormat>,
    /// Width and height in pixels, by default 1000x600; in a contact sheet, of each image, by default 240x180
    #[arg(long, value_name = "WxH", value_parser = values::size_px)]
    pub size: Option<SizePx>,
    /// Compression of PNG files
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub compress: CompressArg,
    /// Background of the image
    #[arg(long, value_enum, default_value_t)]
    pub background: BackgroundArg,
    /// Write N images, evenly spaced over one loop of the clip, as OUT_0000.png and so on
    ///
    /// Image i shows the time start + i * duration / N, so the sequence loops without a duplicate
    /// image. The camera doesn't move and keeps all poses in view.
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "key"],
          value_parser = values::num_images)]
    pub frames: Option<u32>,
    /// Write N images of one pose, evenly spaced over one orbit of the camera about the target
    #[arg(long, value_name = "N", conflicts_with = "frames",
          value_parser = values::num_images)]
    pub turntable: Option<u32>,
    /// Write a contact sheet: one PNG with a row per clip, or only of --clip, and N evenly spaced times from its start to
    /// its end
    #[arg(long, value_name = "N", conflicts_with_all = ["frames", "turntable", "time", "key", "blend"],
          num_args = 0..=1, default_missing_value = "6", value_parser = values::num_images)]
    pub sheet: Option<u32>,
    /// Images per second in an animation; by default the speed of the clip, or one orbit in 4 seconds
    #[arg(long, value_name = "NUMBER", value_parser = values::above_zero)]
    pub rate: Option<f64>,
    /// Overwrite outputs that exist
    #[arg(long)]
    pub force: bool,
    /// Pose options.
    #[command(flatten, next_help_heading = "Pose options")]
    pub pose: PoseArgs,
    /// View direction: front, back, side, left, top, bottom, iso, or YAW,PITCH in degrees
    ///
    /// At yaw 0 the camera is in front (+Z), at 90 on the subject's left (+X). Positive pitch looks
    /// down.
    #[arg(long, help_heading = "View options", value_name = "VIEW", value_parser = values::angles, allow_hyphen_values = true)]
    pub camera: Option<Angles>,
    /// The point to look at, in metres with Y up; by default the centre of the model
    #[arg(long, help_heading = "View options", value_name = "X,Y,Z", value_parser = values::numbers::<3>, allow_hyphen_values = true)]
    pub target: Option<[f32; 3]>,
    /// Distance from the camera to the target in metres; by default the whole model is in view
    #[arg(long, help_heading = "View options", value_name = "NUMBER", value_parser = values::factor)]
    pub distance: Option<f32>,
    /// Use parallel instead of perspective projection
    #[arg(long, help_heading = "View options")]
    pub orthographic: bool,
    /// Hide these subsets: numbers, separated by commas
    #[arg(long, help_heading = "View options", value_name = "LIST", value_delimiter = ',',
          value_parser = values::subset_number)]
    pub hide: Vec<usize>,
    /// Show these subsets, which the file hides: numbers, separated by commas
    #[arg(long, help_heading = "View options", value_name = "LIST", value_delimiter = ',',
          value_parser = values::subset_number)]
    pub unhide: Vec<usize>,
    /// Draw a subset, by number, in a colour: linear RGB from 0 to 1; may be repeated
    #[arg(long, help_heading = "View options", value_name = "NUMBER=R,G,B", value_parser = values::subset_color)]
    pub subset_color: Vec<(usize, [f32; 3])>,
    /// Outline a subset or a bone, by number
    #[arg(long, help_heading = "View options", value_name = "subset:NUMBER|bone:NUMBER", value_parser = values::selected)]
    pub select: Option<Selected>,
    /// What to draw, separated by commas; by default the textured surface, the grid and the axes
    #[arg(long, help_heading = "View options", value_name = "LIST", value_parser = Show::parse, long_help = show_help())]
    pub show: Option<Show>,
    /// The selected bone, by name or number, shown by bones-on-top and bone-weights
    #[arg(long, help_heading = "View options", value_name = "BONE")]
    pub bone: Option<String>,
    /// Lighting options.
    #[command(flatten, next_help_heading = "Light options")]
    pub light: LightArgs,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// Help for `--show`, with a line per choice.
fn show_help() -> String {
    let rows = SHOW.iter();
    let lines: String =
        rows.filter_map(|info| Some(format!("\n- {}: {}", info.word?, info.help))).collect();
    format!(
        "What to draw, separated by commas; by default the textured surface, the grid and the axes\n{lines}"
    )
}

/// Background of the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BackgroundArg {
    /// Dark grey, lighter at the top
    #[default]
    Gradient,
    /// Uniform dark grey
    Plain,
    /// Transparent (alpha 0)
    Transparent,
}
