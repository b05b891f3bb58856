//! What can be typed. Parsing does nothing but parse.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::DiffArgs;
use super::codes::{self, Deny, RuleArg};
use super::values::{self, Angles, Selected, SizePx};
use crate::formats::FORMATS;
use crate::model::{NoteKind, UpAxis};
use crate::pose::{Normals, Sampling};
use crate::visual::{SHOW, Show};

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  findings: validate found errors or what --deny names, diff found differences,
     convert --strict would lose something
  2  bad input or usage
  3  no GPU";

/// Views, checks and converts packed skinned meshes.
///
/// Without a subcommand the files are opened in a window; without files, a sample.
#[derive(Debug, Parser)]
#[command(
    name = "rigscope",
    version,
    override_usage = "rigscope [OPTIONS] [FILE]...\n       rigscope <COMMAND>",
    after_help = EXIT_CODES
)]
pub struct Cli {
    /// What to do; nothing: open the window.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to open.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Log progress to stderr
    #[arg(long, short, global = true)]
    pub verbose: bool,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open files in a window
    View(ViewArgs),
    /// List what files hold
    Info(InfoArgs),
    /// Check files and list findings
    Validate(ValidateArgs),
    /// Convert files to other formats, and report what is lost
    Convert(super::ConvertArgs),
    /// Write the skinned vertices at a time of a clip
    Pose(PoseCommandArgs),
    /// Compare two files of any formats
    Diff(DiffArgs),
    /// Draw into PNG files
    Render(RenderArgs),
    /// List all formats
    Formats(FormatsArgs),
    /// List all findings, and how to mend them
    Rules(RulesArgs),
    /// Write a completion script for a shell to stdout
    Completions(CompletionsArgs),
    /// Write the manual page to stdout
    Man,
}

/// How files are read.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct InputArgs {
    /// A companion to read along: skeleton, skin, animation, texture, or a folder of such
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// A file beside the input that must not go with it, by name or path below its folder
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
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

/// Which pose.
#[derive(Clone, Debug, Default, Args)]
pub struct PoseArgs {
    /// The clip, by name or number; the first one where none is named
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time on the file's own clock, in seconds; clamped to the clip
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The key as stored, counted from 0; clamped to the last one. Clips of curves count frames: at
    /// the interval of their keys where all have one, else as their file states, else 30 a second
    #[arg(long, value_name = "NUMBER", conflicts_with = "time")]
    pub key: Option<u32>,
    /// How to read between keys
    #[arg(long, value_enum, default_value_t)]
    pub sampling: SamplingArg,
    /// Which normals and tangents
    #[arg(long, value_enum, default_value_t)]
    pub normals: NormalsArg,
}

/// How to read between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SamplingArg {
    /// As players of the format: stored matrices and vertex caches hold the earlier key, matrices
    /// of IQM frames are blended, curves are read at the time itself
    #[default]
    Player,
    /// The earlier key holds; of curves, the earlier frame, as --key counts them
    Step,
    /// The matrices of both keys are blended; curves are read at the time itself
    Linear,
    /// Translation, rotation and scale of both keys are blended; curves are read at the time itself
    Decomposed,
}

impl From<SamplingArg> for Sampling {
    fn from(sampling: SamplingArg) -> Self {
        match sampling {
            SamplingArg::Player => Self::Player,
            SamplingArg::Step => Self::Step,
            SamplingArg::Linear => Self::Linear,
            SamplingArg::Decomposed => Self::Decomposed,
        }
    }
}

/// Which normals and tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NormalsArg {
    /// Those that the format's own runtime makes: what its engine will show
    #[default]
    Runtime,
    /// Those that stand upright on the moved surface
    Exact,
}

impl From<NormalsArg> for Normals {
    fn from(normals: NormalsArg) -> Self {
        match normals {
            NormalsArg::Runtime => Self::Runtime,
            NormalsArg::Exact => Self::Exact,
        }
    }
}

/// What the window opens with.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ViewArgs {
    /// Files to open; none: a sample
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
    /// The clip to show, by name or number
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time to show, on the file's own clock, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Run these commands once the file is open, named as in the palette: wireframe,frame-all
    #[arg(long, value_name = "COMMAND", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Select this once the file is open: bone:NAME, vertex:NUMBER or subset:NUMBER
    #[arg(long, value_name = "WHAT")]
    pub select: Option<String>,
    /// Open these panes and close all others: outline,inspector
    #[arg(long, value_name = "PANE", value_delimiter = ',')]
    pub panes: Vec<String>,
    /// Compare with this file
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Close the window after this many frames
    #[arg(long, value_name = "NUMBER")]
    pub exit_after_frames: Option<u64>,
    /// Write what the window shows before it closes
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Destroy the GPU device after so many frames, to see that all comes back
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub lose_gpu_after: Option<u64>,
}

/// `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files to read
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write JSON: one object, or an array where several files are named
    #[arg(long)]
    pub json: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Files to read, or folders to search for files of known formats
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Write SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with = "json")]
    pub sarif: bool,
    /// What to look for, separated by commas: codes of findings (`rigscope rules` lists them),
    /// groups of them (file, skin, mesh, animation, collision), readers (only what reading finds),
    /// or all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = codes::rule)]
    pub rules: Vec<RuleArg>,
    /// Drop the finding of this code
    #[arg(long, value_name = "CODE", value_parser = codes::code)]
    pub allow: Vec<NoteKind>,
    /// Fail on the finding of this code too, or on all warnings
    #[arg(long, value_name = "CODE|warnings", value_parser = codes::deny)]
    pub deny: Vec<Deny>,
    /// Read this file instead of the rigscope.toml in the folder of each file or above it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// `pose`.
#[derive(Debug, Args)]
pub struct PoseCommandArgs {
    /// The file to read
    pub file: PathBuf,
    /// The file to write; .obj or .json decides what it holds
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Which pose.
    #[command(flatten)]
    pub pose: PoseArgs,
    /// What computes the vertices
    #[arg(long, value_enum, default_value_t)]
    pub skin: SkinArg,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// What computes the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SkinArg {
    /// The reference, in exact steps
    #[default]
    Cpu,
    /// The same shaders that draw
    Gpu,
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
    /// From where: front, side, top, iso, or YAW,PITCH in degrees
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
    /// What stands out: a subset or a bone, by number
    #[arg(long, value_name = "subset:NUMBER|bone:NUMBER", value_parser = values::selected)]
    pub select: Option<Selected>,
    /// What to draw, separated by commas
    #[arg(long, value_name = "LIST", value_parser = Show::parse, long_help = show_help())]
    pub show: Option<Show>,
    /// The bone to show as selected, by name or number: bones-on-top and bone-weights show it
    #[arg(long, value_name = "BONE")]
    pub bone: Option<String>,
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

/// `formats`.
#[derive(Debug, Args)]
pub struct FormatsArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_has_no_contradiction() {
        Cli::command().debug_assert();
    }

    #[test]
    fn files_without_subcommand_are_opened() {
        let cli = Cli::parse_from(["rigscope", "a.bsm2", "b.bsm2", "--time", "-0.5"]);
        assert!(cli.command.is_none());
        assert_eq!(cli.view.files.len(), 2);
        assert_eq!(cli.view.time, Some(-0.5));
        for args in [["--verbose", "info", "a.bsm2"], ["info", "-v", "a.bsm2"]] {
            let cli = Cli::parse_from(["rigscope"].iter().chain(&args));
            assert!(cli.verbose && matches!(cli.command, Some(Command::Info(_))));
        }
    }
}
