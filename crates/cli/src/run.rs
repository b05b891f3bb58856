//! Parses the arguments, runs the subcommand and maps its result to an exit code.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use super::{
    Cli, Command, Exit, Output, ViewArgs, baseline, bench, check, completions, convert, diagnose,
    diagnostics, diff, fix, formats, history, info, init, man, pose, rules, runtimes, share,
    timings, validate,
};

use super::output::usage;
#[cfg(feature = "gpu")]
use super::render::run as render;
use super::suggestions::nearest;
#[cfg(feature = "gpu")]
use super::thumbnail::run as thumbnail;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::{render, thumbnail};

/// Reads the arguments; help, version and usage errors are printed here.
///
/// # Errors
/// The exit code to end with immediately.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, Exit> {
    let cli = command()
        .try_get_matches_from(args)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .and_then(without_stray_arguments)
        .and_then(without_misspelled_command)
        .map_err(|error| usage(&error))?;
    diagnostics::subscribe(cli.verbose, cli.timings);
    Ok(cli)
}

/// The command line, in which `--key -1` reaches the check of the value instead of being read as the option `-1`.
fn command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let takes_value = |arg: &clap::Arg| arg.get_action().takes_values() && !arg.is_positional();
        let command = command.mut_args(move |arg| {
            if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg }
        });
        command.mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(Cli::command())
}

/// Rejects window options in front of a subcommand, which would be ignored there.
// `args_conflicts_with_subcommands` would read `--verbose info x` as two files to open.
fn without_stray_arguments(cli: Cli) -> Result<Cli, clap::Error> {
    if cli.command.is_none() || cli.view == ViewArgs::default() {
        return Ok(cli);
    }
    let message = "options of a subcommand must follow it, as in `rigscope info --format ID FILE`";
    Err(Cli::command().error(ErrorKind::ArgumentConflict, message))
}

/// Rejects a misspelled subcommand, which would be opened as a file.
fn without_misspelled_command(cli: Cli) -> Result<Cli, clap::Error> {
    let word = cli.view.files.first().and_then(|path| path.to_str()).unwrap_or_default();
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    if cli.command.is_some() || !is_word || cli.view.files[0].exists() {
        return Ok(cli);
    }
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    match nearest(word, names) {
        Some(name) => {
            let message = format!("unknown command '{word}'; did you mean '{name}'?");
            Err(Cli::command().error(ErrorKind::InvalidSubcommand, message))
        }
        None => Ok(cli),
    }
}

/// Runs a subcommand that doesn't open a window; `main` runs [`Command::View`].
pub fn run(command: &Command, output: &Output) -> Exit {
    let result = timings::timed(output, "starting", || match command {
        Command::View(_) => Ok(Exit::Done),
        Command::Info(args) => info::run(args, output),
        Command::Convert(args) => convert::run(args, output),
        Command::Validate(args) => validate::run(args, output),
        #[cfg(feature = "catalog")]
        Command::Catalog(args) => super::catalog::run(args, output),
        Command::Pose(args) => pose::run(args, output),
        Command::Init(args) => init::run(args, output),
        Command::Baseline(args) => baseline::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Diagnose(args) => diagnose::run(args, output),
        Command::Fix(args) => fix::run(args, output),
        Command::Diff(args) => match &args.git {
            Some(range) => history::diff(args, range, output),
            None => diff::run(args, output),
        },
        Command::Log(args) => history::log(args, output),
        Command::Bisect(args) => history::bisect(args, output),
        Command::Render(args) => render(args, output),
        Command::Thumbnail(args) => thumbnail(args, output),
        Command::Share(args) => share::run(args, output),
        Command::Bench(args) => bench::run(args, output),
        Command::Runtimes(args) => runtimes::run(args, output),
        Command::Formats(args) => formats::run(args, output),
        Command::Rules(args) => rules::run(args, output),
        Command::Completions(args) => completions::run(args, output),
        Command::Man => man::run(output),
    });
    result.unwrap_or_else(|error| report_error(&error, output))
}

/// Prints an error, except for a closed pipe, and returns the exit code.
pub fn report_error(error: &anyhow::Error, output: &Output) -> Exit {
    let exit = Exit::of(error);
    if exit != Exit::Done {
        output.error(error);
    }
    exit
}
