//! What can be typed. Parsing does nothing but parse.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::codes::{self, Deny, RuleArg};
use super::{
    BenchArgs, ConvertArgs, DiffArgs, FirstLookArgs, InputArgs, ManyArgs, PoseArgs, RenderArgs,
    ThumbnailArgs,
};
use rigscope_core::model::NoteKind;

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  findings: validate found errors or what --deny names, diff found differences,
     convert --strict would lose something
  2  bad input or usage
  3  no GPU";

/// Views, checks and converts packed skinned meshes.
///
/// Without a subcommand the files are opened in a window; without files, a page to start from.
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
    /// Print to stderr what each step took, and the most memory
    #[arg(long, global = true)]
    pub timings: bool,
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
    /// Write a table of many files, with what info and validate say of each
    #[cfg(feature = "catalog")]
    Catalog(super::CatalogArgs),
    /// Convert files to other formats, and report what is lost
    Convert(ConvertArgs),
    /// Write the skinned vertices at a time of a clip
    Pose(PoseCommandArgs),
    /// Compare two files of any formats
    Diff(DiffArgs),
    /// Draw into PNG files
    Render(RenderArgs),
    /// Draw a small picture of a model alone, for file managers
    Thumbnail(ThumbnailArgs),
    /// Write one page with the model and the viewer in it
    Share(super::ShareArgs),
    /// Measure each step with a file, beside what the machine can do at most
    Bench(BenchArgs),
    /// List all formats
    Formats(FormatsArgs),
    /// List all findings, and how to mend them
    Rules(RulesArgs),
    /// Write a completion script for a shell to stdout
    Completions(CompletionsArgs),
    /// Write the manual page to stdout
    Man,
}

/// What the window opens with.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ViewArgs {
    /// Files to open; none: a page to start from, or with any option the sample
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Open the character that comes with the program
    #[arg(long, conflicts_with = "files")]
    pub sample: bool,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
    /// What is shown first.
    #[command(flatten)]
    pub first: FirstLookArgs,
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
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Write JSON: one object, or an array where several files are named
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Many files.
    #[command(flatten)]
    pub many: ManyArgs,
    /// How files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// `validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Files to read, or folders to search for files of known formats
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    pub paths: Vec<PathBuf>,
    /// Write JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Many files.
    #[command(flatten)]
    pub many: ManyArgs,
    /// Write SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
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
        assert_eq!(cli.view.first.time, Some(-0.5));
        for args in [["--verbose", "info", "a.bsm2"], ["info", "-v", "a.bsm2"]] {
            let cli = Cli::parse_from(["rigscope"].iter().chain(&args));
            assert!(cli.verbose && matches!(cli.command, Some(Command::Info(_))));
        }
    }
}
