//! `fix`: fixes findings and causes in a file, changing only the affected bytes if the format permits.

mod args;
mod json;
mod report;

use std::path::{Path, PathBuf};

pub use args::FixArgs;

use super::exit::{Exit, at_path};
use super::option_args::unknown_name;
use super::output::Output;
use super::saved_files::save_files;
use super::standard_output::check_target;
use super::{found_files, input, timings};
use rigscope_core::diagnose::{CAUSES, Context, PIECES};
use rigscope_core::model::{FindingKind, Severity};
use rigscope_core::validate::{finding_of_code, findings};
use rigscope_io::files::ClaimedPaths;
use rigscope_io::fix::{Choice, FixOptions, FixResult, default_target, fix};
use rigscope_io::open::{conversion_files, neighbours};

pub(super) fn run(args: &FixArgs, output: &Output) -> anyhow::Result<Exit> {
    let choice = choice(args)?;
    let reference = args.source.as_ref().or(args.good.as_ref());
    let opener = input::opener(&args.input.0)?.with_images();
    let opener = opener.with_inputs(std::iter::once(&args.file).chain(reference));
    let inputs = opener.inputs();
    let target = args.output.clone().unwrap_or_else(|| default_target(&args.file));
    if !args.dry_run {
        check_target(&target, args.force, inputs)?;
    }
    let report = timings::report();
    let file = opener.file(&args.file, &report).map_err(|error| at_path(error, &args.file))?;
    let document = opener.read(&file, &report).map_err(|error| at_path(error, &args.file))?;
    found_files::announce(&document.related_files, &args.file, output);
    let reference =
        reference.map(|path| input::open_and_report(&opener, path, output)).transpose()?;
    let neighbours = neighbours(&opener, &args.file, &document.model, Some(&target));
    let context = Context {
        reference: reference.as_ref().map(|reference| &reference.model),
        neighbours: &neighbours,
    };
    let options = FixOptions { choice, context, diagnosis: None };
    timings::at("fixing");
    let claims = ClaimedPaths::default();
    let files = || conversion_files(&document, &target, args.force, claims.clone());
    let result = fix(&file, &document, &options, &files, &timings::report());
    let result = result.map_err(|error| at_path(error, &args.file))?;
    let written = save(args, &target, &result, inputs)?;
    timings::at("printing");
    let shown = report::Shown { args, document: &document, result: &result, written: &written };
    if args.json {
        output.print_json(&shown.as_json())?;
    } else {
        output.print_lines(&shown.as_text(output.paint()))?;
        for name in &result.missing {
            let message = match PIECES
                .iter()
                .find(|piece| args.from_good.contains(name) && piece.name == name)
            {
                Some(piece) => format!("the {} don't differ from the reference", piece.meaning),
                None => format!("the file has no finding or cause '{name}'"),
            };
            output.report_at(Severity::Info, &args.file, &message);
        }
        if result.written.is_none() && !args.dry_run {
            output.report_at(
                Severity::Info,
                &args.file,
                "nothing was fixed, so no file is written",
            );
        }
    }
    Ok(if result.refused.is_empty() { Exit::Done } else { Exit::Findings })
}

/// Writes the files of the result. Returns their paths and lengths.
fn save(
    args: &FixArgs,
    target: &Path,
    result: &FixResult,
    inputs: &rigscope_io::files::Inputs,
) -> anyhow::Result<Vec<(PathBuf, usize)>> {
    let Some(written) = result.written.as_ref().filter(|_| !args.dry_run) else {
        return Ok(Vec::new());
    };
    save_files(&written.files, target, args.force, inputs)
}

fn choice(args: &FixArgs) -> anyhow::Result<Choice> {
    for code in &args.rule {
        if finding_of_code(code).is_none() {
            let codes = findings().map(FindingKind::code).collect();
            anyhow::bail!(unknown_name(code, "finding", "`rigscope rules` lists all", codes));
        }
    }
    for name in &args.cause {
        if !CAUSES.iter().any(|cause| cause.name == name) {
            let names = CAUSES.iter().map(|cause| cause.name).collect();
            let hint = "`rigscope diagnose FILE` names those of a file";
            anyhow::bail!(unknown_name(name, "cause", hint, names));
        }
    }
    for name in &args.from_good {
        if !PIECES.iter().any(|piece| piece.name == name) {
            let names = PIECES.iter().map(|piece| piece.name).collect();
            let hint = "`rigscope fix --help` lists all";
            anyhow::bail!(unknown_name(name, "piece", hint, names));
        }
    }
    Ok(if args.rule.is_empty() && args.cause.is_empty() && args.from_good.is_empty() {
        Choice::All
    } else {
        Choice::Named {
            codes: args.rule.clone(),
            causes: args.cause.clone(),
            pieces: args.from_good.clone(),
        }
    })
}
