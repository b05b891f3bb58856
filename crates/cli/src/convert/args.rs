//! Arguments of `convert`.

use std::path::PathBuf;

use clap::Args;

use crate::option_args::unknown_name;
use crate::{OptionArgs, WalkArgs, values};
use rigscope_io::OpenOptions;
use rigscope_io::convert::{ConvertOptions, loss_codes, target_of};
use rigscope_io::formats::FORMATS;

/// `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Files to convert, or - for standard input; with --out-dir, also folders
    #[arg(required = true, value_name = "IN")]
    pub inputs: Vec<PathBuf>,
    /// The output file, for a single input, or - for standard output; the extension selects the format, unless --to is
    /// given
    #[arg(long, short, value_name = "OUT", required_unless_present = "out_dir")]
    pub output: Option<PathBuf>,
    /// A folder to write all inputs to, under their own names
    #[arg(long, value_name = "FOLDER", conflicts_with = "output", requires = "to")]
    pub out_dir: Option<PathBuf>,
    /// The format to write, by id or extension
    #[arg(long, value_name = "FORMAT", value_parser = target, long_help = targets_help())]
    pub to: Option<String>,
    /// Write nothing and fail if anything would be lost
    #[arg(long)]
    pub strict: bool,
    /// A loss that --strict accepts, by its code; may be repeated
    #[arg(long = "allow", value_name = "CODE", value_delimiter = ',', value_parser = loss_code, long_help = losses_help())]
    pub allowed_losses: Vec<String>,
    /// Write nothing; print the losses and deviations of the conversion
    #[arg(long)]
    pub dry_run: bool,
    /// Don't read the output back to measure its deviations
    #[arg(long)]
    pub unchecked: bool,
    /// Overwrite outputs that exist; inputs are never overwritten
    #[arg(long)]
    pub force: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Number of files to convert at the same time; by default the number of cores
    #[arg(long, value_name = "NUMBER", value_parser = values::jobs)]
    pub jobs: Option<usize>,
    /// Which files of folders are found.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Options of the conversion.
    #[command(flatten, next_help_heading = "Conversion options")]
    pub options: OptionArgs<ConvertOptions>,
    /// Options for reading.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

fn target(text: &str) -> Result<String, String> {
    match target_of(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("not one of {}", names().join(", "))),
    }
}

fn names() -> Vec<&'static str> {
    let infos = FORMATS.iter().map(|format| &format.info);
    let writers = infos.filter(|info| info.can_write);
    writers.map(|info| info.id).collect()
}

fn loss_code(text: &str) -> Result<String, String> {
    if loss_codes().any(|code| code == text) {
        return Ok(text.to_owned());
    }
    let listed_by = "`rigscope convert --help` lists all";
    Err(unknown_name(text, "loss", listed_by, loss_codes().collect()))
}

fn losses_help() -> String {
    let codes: Vec<&str> = loss_codes().collect();
    format!(
        "A loss that --strict accepts, by its code; may be repeated. The message of --strict and `losses` of --json have \
         the codes:\n{}",
        codes.join(", ")
    )
}

fn targets_help() -> String {
    let mut help = "The format to write, by id or extension".to_owned();
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let info = &format.info;
        help.push_str(&format!("\n- {}: {}", info.id, info.name));
        for part in info.parts {
            help.push_str(&format!("\n  --part {}: {}", part.id, part.meaning));
        }
    }
    help
}
