//! The text output of `diagnose`.

use std::ffi::OsString;

use super::{DiagnoseArgs, Shown};
use crate::lines::Lines;
use crate::output::Paint;
use crate::suggested_command::{file_arg, suggested};
use crate::text::{counted, path as printed};
use rigscope_core::diagnose::{Cause, CauseId, Measured, Piece, Tried};
use rigscope_io::fix::default_target;

/// The most hypotheses to list if no cause is found.
const MAX_TRIED: usize = 5;
/// Hypotheses that leave more of the evidence aren't worth a line.
const MAX_REMAINING: f64 = 0.8;

/// The causes, with evidence and fix, and the number of ignored ones. Without causes, the suspicious evidence and the
/// hypotheses that were tried.
pub(super) fn of(shown: &Shown<'_>, paint: Paint) -> Lines {
    let Shown { args, diagnosis, ignored, .. } = shown;
    let path = printed(&args.file);
    let unexplained = unexplained_text(shown, paint);
    if !diagnosis.causes.is_empty() || !ignored.is_empty() {
        let text = |(at, cause): (usize, &Cause)| {
            let lines = cause_text(shown, (at, cause));
            let dim = |(number, line): (usize, String)| {
                if number == 0 { line } else { paint.dim(&line) }
            };
            lines.into_iter().enumerate().map(dim).collect::<Vec<_>>()
        };
        let mut out: Lines = diagnosis.causes.iter().enumerate().flat_map(text).collect();
        out.extend(unexplained);
        if !ignored.is_empty() {
            let (num, names) = (counted(ignored.len() as u64, "cause"), ignored.join(", "));
            out.push(format!("{path}: {num} ignored: {names}"));
        }
        return out;
    }
    let suspicious: Vec<&Measured> =
        diagnosis.measured.iter().filter(|measured| measured.is_suspicious).collect();
    if suspicious.is_empty() && !unexplained.is_empty() {
        return unexplained.into_iter().collect();
    }
    if suspicious.is_empty() {
        let num = counted(diagnosis.measured.len() as u64, "measurement");
        return [format!("{path}: nothing unusual in {num}")].into_iter().collect();
    }
    let mut out = Lines::default();
    out.push(format!("{path}: unusual, but no known cause explains it"));
    for measured in suspicious {
        out.push(format!("  unusual: {} is {}", measured.evidence.meaning, measured.text()));
    }
    out.push(format!("  ruled out: {}", counted(diagnosis.tried.len() as u64, "cause")));
    let mut close: Vec<&Tried> =
        diagnosis.tried.iter().filter(|tried| remaining(tried) < MAX_REMAINING).collect();
    close.sort_by(|a, b| remaining(a).total_cmp(&remaining(b)));
    for tried in close.into_iter().take(MAX_TRIED) {
        let [before, after] = tried.evidence.texts(tried.values);
        out.push(format!("    {}: at best {after} instead of {before}", tried.info.name));
    }
    out.extend(unexplained);
    out
}

/// The visible differences from the reference that the causes leave, and the commands that take them over.
fn unexplained_text(shown: &Shown<'_>, paint: Paint) -> Vec<String> {
    let Shown { args, diagnosis, unexplained, .. } = shown;
    let Some(unexplained) = unexplained else { return Vec::new() };
    let (path, reference) = (printed(&args.file), args.source.as_ref().or(args.good.as_ref()));
    let reference = reference.map(|path| printed(path)).unwrap_or_default();
    let no_cause = if diagnosis.causes.is_empty() { "no known cause" } else { "no further cause" };
    let mut lines = vec![format!(
        "{path}: differs from {reference}, and {no_cause} explains it: {}",
        unexplained.text
    )];
    for own in &unexplained.pieces {
        lines.push(format!("  {}", own.text()));
        let command = take_command(args, own.piece);
        lines.push(paint.dim(&format!("    take them over with: {command}")));
    }
    lines
}

/// The command that takes a piece over from the reference.
pub(super) fn take_command(args: &DiagnoseArgs, piece: &Piece) -> String {
    command(args, "--from-good", piece.name)
}

/// The share of the evidence that remains after the best change.
fn remaining(tried: &Tried) -> f64 {
    tried.values[1] / tried.values[0]
}

/// A cause: evidence, fix and rivals.
fn cause_text(shown: &Shown<'_>, (at, cause): (usize, &Cause)) -> Vec<String> {
    let Shown { args, diagnosis, refusals, .. } = shown;
    let (path, name) = (printed(&args.file), cause.info.name);
    let offer = |cause: &Cause| match refusals.reason(cause) {
        Some(reason) => format!("fix can't undo it: {reason}"),
        None => format!("or: {}", fix_command(args, cause)),
    };
    let mut lines = vec![
        format!("{path}: cause: {} [{name}]", cause.statement()),
        format!("  evidence: {}", cause.improvement()),
        format!("  fix: {}", cause.info.fix),
        format!("  {}", offer(cause)),
    ];
    if diagnosis.is_guess(CauseId { cause: at, rival: None }) {
        lines.push(
            "  this is a guess: the model may be meant so; fix undoes it only if it is named"
                .into(),
        );
    }
    for (number, rival) in cause.rivals.iter().enumerate() {
        lines.push(format!("  just as likely: {} [{}]", rival.statement(), rival.info.name));
        lines.push(format!("    {}", offer(rival)));
        let id = CauseId { cause: at, rival: Some(number) };
        if let Some(apart) = diagnosis.rival_difference(id) {
            let (distance, place) =
                (apart.distance_text(diagnosis.model()), apart.place_text(diagnosis.model()));
            lines.push(format!(
                "    to tell them apart: the results differ most by {distance}, at {place}; --good OLDER decides"
            ));
        }
    }
    lines
}

/// The command that undoes a cause, with the same reference.
pub(super) fn fix_command(args: &DiagnoseArgs, cause: &Cause) -> String {
    command(args, "--cause", cause.info.name)
}

fn command(args: &DiagnoseArgs, option: &str, name: &str) -> String {
    let mut command: Vec<OsString> = vec!["fix".into(), file_arg(&args.file)];
    command.extend([option.into(), name.into()]);
    for (option, path) in [("--source", &args.source), ("--good", &args.good)] {
        if let Some(path) = path {
            command.extend([option.into(), file_arg(path)]);
        }
    }
    command.extend(["-o".into(), file_arg(&default_target(&args.file))]);
    suggested(command)
}
