//! The arguments of `rigscope` and its simpler subcommands. Parsing has no side effects.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

use super::{
    BatchArgs, Command, InitialViewArgs, MessageArgs, OptionArgs, PoseArgs, ReportFormat, WalkArgs,
};
use rigscope_core::policy::ValidateOptions;
use rigscope_core::runtime::Runtime;
use rigscope_io::OpenOptions;

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  findings; the help of each command states of which kind
  2  bad input or usage
  3  no usable GPU or driver";

/// Views, checks and converts skinned meshes.
///
/// Without a subcommand, opens the files in a window. Without files, opens the start screen.
#[derive(Debug, Parser)]
#[command(
    name = "rigscope",
    version,
    override_usage = "rigscope [OPTIONS] [FILE]...\n       rigscope <COMMAND>",
    after_help = EXIT_CODES
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub view: ViewArgs,
    /// Log progress to stderr
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// Print the duration of each step and the peak memory use to stderr
    #[arg(long, global = true, help_heading = "Global options")]
    pub timings: bool,
    /// Which messages are printed, and how.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// Arguments of the window.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ViewArgs {
    /// Files to open, each model in a tab; without files, opens the start screen, or the sample if any option is given
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Open the built-in sample character
    #[arg(long, conflicts_with = "files")]
    pub sample: bool,
    /// Initial view.
    #[command(flatten)]
    pub initial: InitialViewArgs,
    /// Compare with this file
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Close the window after this many frames
    #[arg(long, value_name = "NUMBER")]
    pub exit_after_frames: Option<u64>,
    /// Write a screenshot of the window to this file before it closes
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Destroy the GPU device after this many frames, to test recovery
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub lose_gpu_after: Option<u64>,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files to read; - for standard input
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Write JSON: one object, or an array if several files are given
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Write text to compare line by line, as for `git diff` (diff.NAME.textconv): without the path, with the findings of
    /// all rules, and with lines for each mesh, bone and clip that change with their shape and motion
    #[arg(long, alias = "textconv", conflicts_with_all = ["json", "jsonl"])]
    pub dump: bool,
    /// Batch options.
    #[command(flatten)]
    pub batch: BatchArgs,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Files to read, or folders to search for files of known formats; - for standard input
    #[arg(value_name = "PATH", required_unless_present_any = ["files_from", "staged"])]
    pub paths: Vec<PathBuf>,
    /// Read the files that are staged in Git and differ from the last commit, at or below PATH or in the whole repository
    #[arg(long, conflicts_with = "files_from")]
    pub staged: bool,
    /// Write JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Batch options.
    #[command(flatten)]
    pub batch: BatchArgs,
    /// Which files of folders are found.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Write SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    pub sarif: bool,
    /// The format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, conflicts_with_all = ["json", "jsonl", "sarif"])]
    pub report: ReportFormat,
    /// Which findings are reported, and which fail.
    #[command(flatten)]
    pub validate: OptionArgs<ValidateOptions>,
    /// Check the file as this runtime plays it; `rigscope runtimes` lists all
    #[arg(long = "as", value_name = "RUNTIME", value_parser = super::values::runtime_of)]
    pub runtime: Option<&'static Runtime>,
    /// Print one line per finding, without effects and fixes
    #[arg(long)]
    pub brief: bool,
    /// Accept folders without models; without this option they are errors, in case the path is wrong
    #[arg(long)]
    pub allow_empty: bool,
    /// Read the settings from this file instead of the nearest rigscope.toml in or above each file's folder
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// `pose`.
#[derive(Debug, Args)]
pub struct PoseCommandArgs {
    /// The file to read, or - for standard input
    pub file: PathBuf,
    /// The file to write, or - for standard output; the extension selects the format, .obj or .json
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// The format to write, regardless of the extension
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<PoseFormat>,
    /// Where to compute the vertices
    #[arg(long, value_enum, default_value_t)]
    pub skin: SkinArg,
    /// Overwrite the output if it exists
    #[arg(long)]
    pub force: bool,
    /// Pose options.
    #[command(flatten, next_help_heading = "Pose options")]
    pub pose: PoseArgs,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// `runtimes`.
#[derive(Debug, Args)]
pub struct RuntimesArgs {
    /// The file to play; without a file, lists all runtimes
    pub file: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// Formats of `pose`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PoseFormat {
    /// Wavefront OBJ, with materials by name
    Obj,
    /// Positions and normals in the order of the file
    Json,
}

/// Where to compute the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SkinArg {
    /// On the CPU: the reference implementation
    #[default]
    Cpu,
    /// On the GPU, with the shaders that are used for drawing
    Gpu,
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
    /// Explain only the finding with this code, or the cause with this name
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
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
    fn the_command_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn files_without_subcommand_are_opened() {
        let cli = Cli::parse_from(["rigscope", "a.bsm2", "b.bsm2", "--time", "-0.5"]);
        assert!(cli.command.is_none());
        assert_eq!(cli.view.files.len(), 2);
        assert_eq!(cli.view.initial.time, Some(-0.5));
        for args in [["--verbose", "info", "a.bsm2"], ["info", "-v", "a.bsm2"]] {
            let cli = Cli::parse_from(["rigscope"].iter().chain(&args));
            assert!(cli.verbose && matches!(cli.command, Some(Command::Info(_))));
        }
    }
}
