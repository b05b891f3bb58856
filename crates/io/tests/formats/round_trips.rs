//! Converts between all writable formats: the losses are those that the table predicts.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rigscope_core::model::{CancelToken, Model, Report};
use rigscope_core::reshape::without_additions;
use rigscope_io::convert::{Check, ConvertOptions, convert, read_back};
use rigscope_io::formats::loss_list::{Loss, observed, predicted};
use rigscope_io::formats::losses::{Aspect, Counts, Held};
use rigscope_io::formats::{FORMATS, Format, WriteError, WriteOptions};

use crate::support::rich::{rich, rich_without_jumps};
use crate::support::{open_file, readable_samples};

fn writers() -> Vec<&'static Format> {
    let writers = FORMATS.iter().copied().filter(|format| format.info.can_write);
    writers.collect()
}

fn options(check: Check) -> ConvertOptions {
    ConvertOptions {
        write: WriteOptions { stem: "trip".into(), ..WriteOptions::default() },
        check,
        ..ConvertOptions::default()
    }
}

fn extension(format: &Format) -> &'static str {
    format.info.extensions[0]
}

fn codes(losses: &[Loss]) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.aspect.info().code).collect()
}

/// `model` after writing it as `format` and reading it back.
fn through(model: &Model, format: &Format) -> Model {
    let options = options(Check::None);
    let converted = convert(model, format, extension(format), &options, &Report::new()).unwrap();
    let fps = format.written_fps(model, None);
    let mut models = read_back(&converted.files, format, fps, &Report::new()).unwrap();
    models.remove(0)
}

/// One cell of the table: the number of lost aspects, and the deviation of vertices.
///
/// # Errors
/// The observed losses, if they differ from the predicted ones.
fn cell(model: &Model, from: &str, to: &Format) -> Result<String, String> {
    let report = Report::new();
    let converted = match convert(model, to, extension(to), &options(Check::Full), &report) {
        Ok(converted) => converted,
        Err(error) => return Ok(format!("({error})")),
    };
    if converted.observed != converted.predicted {
        return Err(format!(
            "{from} -> {}: found {:?}, foreseen {:?}",
            to.info.id,
            codes(&converted.observed),
            codes(&converted.predicted)
        ));
    }
    let errors = converted.errors.unwrap();
    let moved = match errors.of_extent() {
        None => String::new(),
        Some(share) if share < 1e-7 => "0".to_owned(),
        // Rounded up to a power of ten, because the digits differ between machines.
        Some(share) => format!("1e{:.0}", share.log10().ceil() + 0.0),
    };
    let lost = match converted.predicted.len() {
        0 => String::new(),
        num => format!("−{num}"),
    };
    Ok(match (moved.is_empty(), lost.is_empty()) {
        (false, false) => format!("{lost}, {moved}"),
        _ => format!("{lost}{moved}"),
    })
}

fn table() -> String {
    let writers = writers();
    let ids: Vec<&str> = writers.iter().map(|format| format.info.id).collect();
    let mut out = format!("| from | {} |\n|---|{}\n", ids.join(" | "), "---|".repeat(ids.len()));
    let source = rich_without_jumps();
    let mut rows: Vec<(&str, Model)> = vec![("everything", rich())];
    rows.extend(writers.iter().map(|&format| (format.info.id, through(&source, format))));
    let lines: Vec<Vec<Result<String, String>>> = (rows.par_iter())
        .map(|(from, model)| writers.iter().map(|&to| cell(model, from, to)).collect())
        .collect();
    let faults: Vec<&String> = lines.iter().flatten().filter_map(|c| c.as_ref().err()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    for ((from, _), cells) in rows.iter().zip(&lines) {
        let cells: Vec<&str> = cells.iter().flatten().map(String::as_str).collect();
        let _ = writeln!(out, "| {from} | {} |", cells.join(" | "));
    }
    out
}

fn held_table() -> String {
    let writers = writers();
    let ids: Vec<&str> = writers.iter().map(|format| format.info.id).collect();
    let mut out = format!("| | {} |\n|---|{}\n", ids.join(" | "), "---|".repeat(ids.len()));
    for aspect in Aspect::all() {
        let held = |format: &&Format| match format.stored(aspect).held(&WriteOptions::default()) {
            Held::Whole => "yes".to_owned(),
            Held::UpTo(most) => most.to_string(),
            Held::No => "–".to_owned(),
        };
        let cells: Vec<String> = writers.iter().map(held).collect();
        let _ = writeln!(out, "| {} | {} |", aspect.info().what, cells.join(" | "));
    }
    out
}

#[test]
fn predicted_and_observed_losses_agree_and_match_the_documentation() {
    crate::support::documents::holds("docs/round-trips.md", "trips", &table());
    crate::support::documents::holds("docs/round-trips.md", "held", &held_table());
}

/// Real files combine more features than generated models do.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn losses_of_every_sample_are_predicted() {
    /// Size limit: larger samples take minutes and add no coverage.
    const MOST_BYTES: u64 = 2 << 20;
    /// Represents all formats of The Sims, which share their output code: large meshes become
    /// several skins.
    const ALWAYS: &str = "bcf";
    let samples = readable_samples();
    let faults: Vec<String> = (samples.par_iter())
        .flat_map(|path| {
            let Ok(model) = open_file(path, &[], &Report::new()) else { return Vec::new() };
            let is_small = path.metadata().unwrap().len() <= MOST_BYTES;
            let fault = |to: &&'static Format| {
                // Additions for another format aren't converted.
                let is_own = model.preserved.iter().any(|kept| kept.format == to.info.id);
                let basis = if is_own { Cow::Borrowed(&model) } else { without_additions(&model) };
                let before = Counts::of_model(&basis);
                let pair = format!("{} -> {}", path.display(), to.info.id);
                let options = options(Check::None);
                let report = Report::new();
                let converted = match convert(&model, to, extension(to), &options, &report) {
                    Ok(converted) => converted,
                    Err(rigscope_io::convert::ConvertError::Write(
                        WriteError::TooMany { .. } | WriteError::NothingToWrite { .. },
                    )) => return None,
                    Err(error) => return Some(format!("{pair}: {error}")),
                };
                let fps = to.written_fps(&model, None);
                let after = match read_back(&converted.files, to, fps, &Report::new()) {
                    Ok(models) => models.iter().map(Counts::of_model).reduce(|a, b| a.joined(&b)),
                    Err(error) => return Some(format!("{pair}: {error}")),
                };
                let foreseen = codes(&predicted(&basis, &before, to, &options.write));
                let found = codes(&observed(&before, &after?));
                (foreseen != found)
                    .then(|| format!("{pair}: foreseen {foreseen:?}, found {found:?}"))
            };
            let writers = writers();
            let wanted = writers.iter().filter(|to| is_small || to.info.id == ALWAYS);
            wanted.filter_map(fault).collect()
        })
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_conversion_reports_the_progress_of_its_comparison() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let on_progress = move |progress: rigscope_core::model::Progress| {
        seen.lock().unwrap().push((progress.what, progress.fraction));
    };
    let report = Report::with_progress(on_progress, CancelToken::default());
    let format = rigscope_io::formats::by_id("gltf").unwrap();
    convert(&rich(), format, extension(format), &options(Check::Full), &report).unwrap();
    let told = told.lock().unwrap();
    let back = told.iter().position(|(what, _)| *what == "reading back").unwrap();
    let rest = &told[back..];
    assert!(rest.iter().filter(|(what, _)| *what == "comparing").count() > 2, "{rest:?}");
    assert!(rest.is_sorted_by(|(_, a), (_, b)| a <= b), "it goes on: {rest:?}");
    assert_eq!(rest.last(), Some(&("done", 1.0)));
}
