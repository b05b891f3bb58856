//! Parses the arguments, runs the subcommand and maps its result to an exit code.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use super::{Cli, Command, Exit, Output, ViewArgs, diagnostics, text, timings};
use rigscope_io::files::{disk, folder_of, name_of};

use super::exit::at_path;
use super::exit_help::with_exit_codes;
use super::output::usage;
use rigscope_io::nearest::nearest;

/// Reads the arguments; help, version and usage errors are printed here.
///
/// # Errors
/// The exit code to end with immediately.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, Exit> {
    let cli = command()
        .try_get_matches_from(args)
        .map_err(naming_command)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .and_then(without_stray_arguments)
        .and_then(without_misspelled_command)
        .map_err(|error| usage(&error))?;
    diagnostics::subscribe(cli.verbose, cli.timings, cli.messages.log_file.as_deref())
        .map_err(|error| report_error(&error, &Output::new(&cli.messages)))?;
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
    with_exit_codes(with_negative_numbers(Cli::command()))
}

/// Rejects window options in front of a subcommand, which would be ignored there.
// `args_conflicts_with_subcommands` would read `--verbose info x` as two files to open.
fn without_stray_arguments(cli: Cli) -> Result<Cli, clap::Error> {
    if cli.command.is_none() || cli.view == ViewArgs::default() {
        return Ok(cli);
    }
    let message =
        "options of a subcommand must follow it, as in `rigscope info --format gltf FILE`";
    Err(Cli::command().error(ErrorKind::ArgumentConflict, message))
}

/// Rejects a misspelled subcommand, which would be opened as a file.
fn without_misspelled_command(cli: Cli) -> Result<Cli, clap::Error> {
    let word = cli.view.files.first().and_then(|path| path.to_str()).unwrap_or_default();
    let is_word = word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    let is_word = is_word && word.chars().any(|c| c != '-');
    if cli.command.is_some() || !is_word || cli.view.files[0].exists() {
        return Ok(cli);
    }
    Err(unknown_command(word, ", and there is no such file"))
}

/// The same error for a misspelled subcommand after `help`, which clap reports without a suggestion.
fn naming_command(error: clap::Error) -> clap::Error {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => unknown_command(word, ""),
        _ => error,
    }
}

fn unknown_command(word: &str, and: &str) -> clap::Error {
    let mut command = command();
    command.build();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let advice = match nearest(word, names) {
        Some(name) => format!("; did you mean '{name}'?"),
        None => format!("{and}; `rigscope help` lists all commands"),
    };
    command.error(ErrorKind::InvalidSubcommand, format!("unknown command '{word}'{advice}"))
}

/// Most files of a folder among which a misspelled one is looked for.
const MAX_LISTED: usize = 10_000;

/// Checks that the files of the window exist, before the error about a missing display or GPU.
///
/// # Errors
/// The first file that doesn't, and the most similar name in its folder.
pub fn check_files(view: &ViewArgs) -> anyhow::Result<()> {
    let is_missing = |path: &&PathBuf| {
        path.metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    };
    let Some(path) = view.files.iter().chain(&view.compare).find(is_missing) else { return Ok(()) };
    let entries = disk::list(folder_of(path), MAX_LISTED).unwrap_or_default();
    let names: Vec<String> =
        entries.iter().map(|entry| entry.name.to_string_lossy().into_owned()).collect();
    let advice = nearest(&name_of(path), names.iter().map(String::as_str))
        .map_or_else(String::new, |name| format!("; did you mean {}?", text::name(name)));
    Err(at_path(format!("no such file or folder{advice}"), path))
}

/// Runs a subcommand that doesn't open a window; `main` runs [`Command::View`].
pub fn run(command: &Command, output: &Output) -> Exit {
    let result = timings::timed(output, "starting", || command.run(output));
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
