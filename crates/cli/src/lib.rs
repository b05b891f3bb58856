//! The command line, with one file per subcommand. Nothing here needs a window.
//!
//! Arguments, output shapes and exit codes are a contract with other programs.
//!
//! Not for: opening the window; `main` passes [`ViewArgs`] to it.
//!
//! | file | is for |
//! |---|---|
//! | `args`, `batch_args`, `initial_view_args`, `light_args`, `message_args`, `option_args`, `pose_args`, `render_args`, `thumbnail_args`, `walk_args` | arguments |
//! | `command` | declares the subcommands from the table at the end of this file |
//! | `input` | opening files, with errors that name them |
//! | `output` | stdout and stderr; the only module that prints |
//! | `exit`, `exit_help` | exit codes, and their meaning for each command |
//! | `standard_output` | `-` as the name of an output |
//! | `contact_sheet` | `render --sheet` |
//! | `dump`, `dump_bones`, `dump_section` | the text of `info --dump` |
//! | `config` | the settings in `rigscope.toml` |
//! | `report` | reports of `validate` and `check` in formats of other programs |
//! | `batch`, `file_list`, `file_search` | many files in parallel, `--files-from`, and searching folders |
//! | `file_findings`, `result_cache` | the findings of a file, and the `--cache` |
//! | `graphics`, `without_gpu` | a device with a model on it, or the error that replaces it |
//! | `library_environment` | suppresses messages of graphics libraries |
//! | `bone_selection`, `pose_selection` | `--bone` to a bone; `--clip`, `--time`, `--key` to a pose |
//! | `suggested_command` | commands in messages |
//! | `bone_map` | pairs of bones that the user states |
//! | `lines`, `table`, `text` | lines, columns, numbers and names in text output |
//!
//! Invariant: results go to stdout; errors, findings and progress go to stderr.
//! Invariant: `output` escapes every invisible character except Rigscope's own colour codes and the line ends of
//! `Lines`, and no line that it prints begins a command of a CI system, except in reports of that format.

mod args;
mod baseline;
mod batch;
mod batch_args;
mod bench;
mod blend_args;
mod bone_map;
mod bone_selection;
mod bones;
#[cfg(feature = "catalog")]
mod catalog;
mod check;
mod command;
mod completions;
mod config;
#[cfg(feature = "gpu")]
mod contact_sheet;
mod convert;
mod diagnose;
mod diagnostics;
mod diff;
mod dump;
mod dump_bones;
mod dump_section;
mod exit;
mod exit_help;
mod fbx_bsm2;
mod file_findings;
mod file_list;
mod file_search;
mod fit;
mod fix;
mod formats;
mod found_files;
#[cfg(feature = "gpu")]
mod graphics;
mod history;
mod info;
mod info_materials;
mod info_text;
mod init;
mod initial_view_args;
mod input;
#[cfg(all(target_os = "linux", feature = "gpu"))]
mod library_environment;
mod light_args;
mod lines;
mod man;
mod message_args;
mod option_args;
mod output;
#[cfg(feature = "gpu")]
mod pipeline;
mod pose;
mod pose_args;
mod pose_selection;
#[cfg(feature = "gpu")]
mod render;
mod render_args;
mod report;
mod result_cache;
mod retarget;
mod rules;
mod run;
mod runtimes;
mod saved_files;
mod severity_counts;
mod share;
mod standard_output;
mod suggested_command;
mod table;
mod text;
#[cfg(feature = "gpu")]
mod thumbnail;
mod thumbnail_args;
mod timings;
mod validate;
mod values;
mod walk_args;
#[cfg(not(feature = "gpu"))]
mod without_gpu;

pub use args::{
    Cli, CompletionsArgs, FormatsArgs, InfoArgs, PoseCommandArgs, PoseFormat, RulesArgs,
    RuntimesArgs, SkinArg, ValidateArgs, ViewArgs,
};
pub use baseline::{BaselineArgs, FilesArgs};
pub use batch_args::BatchArgs;
pub use bench::BenchArgs;
pub use blend_args::{BlendArgs, BlendModeArg, FadeArg};
pub use bones::BonesArgs;
#[cfg(feature = "catalog")]
pub use catalog::CatalogArgs;
pub use check::CheckArgs;
pub use convert::ConvertArgs;
pub use diagnose::DiagnoseArgs;
pub use diff::DiffArgs;
pub use exit::{Exit, NoGpu};
pub use fbx_bsm2::fbx_bsm2;
pub use fit::FitArgs;
pub use fix::FixArgs;
pub use history::{BisectArgs, LogArgs};
pub use init::InitArgs;
pub use initial_view_args::InitialViewArgs;
#[cfg(all(target_os = "linux", feature = "gpu"))]
pub use library_environment::set_library_environment;
pub use light_args::LightArgs;
pub use message_args::{ColorArg, MessageArgs};
pub use option_args::OptionArgs;
pub use output::Output;
pub use pose_args::{PoseArg, PoseArgs, SamplingArg};
pub use render_args::{BackgroundArg, CompressArg, ImageFormat, RenderArgs};
pub use report::ReportFormat;
pub use retarget::{RetargetArgs, RootArg};
pub use run::{check_files, parse, report_error, run};
pub use share::ShareArgs;
pub use thumbnail_args::ThumbnailArgs;
pub use timings::timed;
pub use values::{Angles, Selected, SizePx};
pub use walk_args::WalkArgs;

use command::subcommands;
#[cfg(not(feature = "gpu"))]
use without_gpu::{render as render_run, thumbnail as thumbnail_run};
#[cfg(feature = "gpu")]
use {render::run as render_run, thumbnail::run as thumbnail_run};

subcommands! {
    /// List the contents of files
    Info(InfoArgs) => info::run,
    /// Check files and list findings
    Validate(ValidateArgs) => validate::run,
    /// Write a rigscope.toml with rules for the files of a project
    Init(InitArgs) => init::run,
    /// Write a baseline: the counts, findings and poses of files
    Baseline(BaselineArgs) => baseline::run,
    /// Compare files with their baseline, and fail if anything is worse
    Check(CheckArgs) => check::run,
    /// Find the cause of what is wrong with a file
    Diagnose(DiagnoseArgs) => diagnose::run,
    /// Fix findings and causes, changing nothing else
    Fix(FixArgs) => fix::run,
    /// Write the results of info and validate for many files to a Parquet table
    #[cfg(feature = "catalog")]
    Catalog(CatalogArgs) => catalog::run,
    /// Convert files to other formats and report losses
    Convert(ConvertArgs) => convert::run,
    /// Put clips on the skeleton of another model
    Retarget(RetargetArgs) => retarget::run,
    /// Show which clips play on which models
    Fit(FitArgs) => fit::run,
    /// List which bone of a file corresponds to which bone of another
    Bones(BonesArgs) => bones::run,
    /// Write the skinned vertices of one pose as OBJ or JSON
    Pose(PoseCommandArgs) => pose::run,
    /// Compare two files of any formats
    Diff(DiffArgs) => history::diff_or_git,
    /// Show how a file changed over the revisions of a Git repository
    Log(LogArgs) => history::log,
    /// Find the revision that introduced a finding or moved a model
    Bisect(BisectArgs) => history::bisect,
    /// Render images of a model
    Render(RenderArgs) => render_run,
    /// Render a thumbnail for file managers
    Thumbnail(ThumbnailArgs) => thumbnail_run,
    /// Write a web page that contains the model and a viewer
    Share(ShareArgs) => share::run,
    /// Time the reading, skinning and rendering of a file, compared with the speed of memory
    Bench(BenchArgs) => bench::run,
    /// List engines, or show how they play a file
    Runtimes(RuntimesArgs) => runtimes::run,
    /// List all formats
    Formats(FormatsArgs) => formats::run,
    /// List all findings by group, or explain one
    Rules(RulesArgs) => rules::run,
    /// Write a completion script for a shell to stdout
    Completions(CompletionsArgs) => completions::run,
    /// Write the manual page to stdout
    Man(man::ManArgs) => man::run,
}
