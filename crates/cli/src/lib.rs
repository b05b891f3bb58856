//! The command line: one file a subcommand, and nothing that needs a window.
//!
//! For: scripts, build machines and people in a terminal. Arguments, output shapes and exit codes
//! are a contract with other programs.
//! Not for: opening the window; [`ViewArgs`] are handed to it by `main`.
//!
//! | file | is for |
//! |---|---|
//! | `args`, `input_args`, `light_args`, `many_args`, `pose_args`, `render_args`, `thumbnail_args` | what can be typed |
//! | `input` | files and companions from disk to a checked model |
//! | `output` | stdout and stderr: the only place that prints |
//! | `codes`, `config`, `policy` | `--rules`, `--allow`, `--deny` and `rigscope.toml` to what counts |
//! | `sarif` | the shapes of `--sarif` |
//! | `many`, `listed` | many files at once, and lists of their names |
//! | `kept`, `judged` | what is found about a file, and what is kept of it between runs |
//! | `panics` | keeping one file's fault from the others |
//! | `json` | the shapes of `--json` |
//! | `graphics`, `without_gpu` | a device with a model on it, or the sentence that there is none |
//! | `runtime_dir` | a start without messages of libwayland |
//! | `moment` | `--clip`, `--time`, `--key` to a pose |
//! | `table`, `text` | columns, numbers and names for people |
//!
//! Invariant: results go to stdout; errors, notes and progress go to stderr.
//! Invariant: nothing that is not seen is printed but line ends and our own colours; `output` sees to it.

mod args;
mod bench;
#[cfg(feature = "catalog")]
mod catalog;
mod codes;
mod completions;
mod config;
mod convert;
mod diff;
mod exit;
mod fbx_bsm2;
mod first_look_args;
mod formats;
#[cfg(feature = "gpu")]
mod graphics;
mod info;
mod info_materials;
mod info_text;
mod input;
mod input_args;
mod json;
mod judged;
mod kept;
mod light_args;
mod listed;
mod man;
mod many;
mod many_args;
mod moment;
mod output;
mod policy;
mod pose;
mod pose_args;
#[cfg(feature = "gpu")]
mod render;
mod render_args;
mod rules;
mod run;
#[cfg(all(target_os = "linux", feature = "gpu"))]
mod runtime_dir;
mod sarif;
mod share;
#[cfg(feature = "gpu")]
mod show;
#[cfg(feature = "gpu")]
mod staged;
mod table;
mod text;
#[cfg(feature = "gpu")]
mod thumbnail;
mod thumbnail_args;
mod timings;
mod validate;
mod values;
mod walk;
#[cfg(not(feature = "gpu"))]
mod without_gpu;

pub use args::{
    Cli, Command, CompletionsArgs, FormatsArgs, InfoArgs, PoseCommandArgs, RulesArgs, SkinArg,
    ValidateArgs, ViewArgs,
};
pub use bench::BenchArgs;
#[cfg(feature = "catalog")]
pub use catalog::CatalogArgs;
pub use codes::{Deny, RuleArg};
pub use convert::ConvertArgs;
pub use diff::{DiffArgs, MatchArg};
pub use exit::{Exit, NoGpu};
pub use fbx_bsm2::fbx_bsm2;
pub use first_look_args::FirstLookArgs;
pub use input_args::InputArgs;
pub use light_args::LightArgs;
pub use many_args::ManyArgs;
pub use output::Output;
pub use pose_args::{PoseArg, PoseArgs, SamplingArg};
pub use render_args::{BackgroundArg, CompressArg, RenderArgs};
pub use run::{parse, report_error, run};
#[cfg(all(target_os = "linux", feature = "gpu"))]
pub use runtime_dir::set_runtime_dir;
pub use share::ShareArgs;
pub use thumbnail_args::ThumbnailArgs;
pub use timings::{add_step, timed};
pub use values::{Angles, Selected, SizePx};
