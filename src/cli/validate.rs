//! `validate`: what is wrong with files, many at once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::exit::{Exit, at_path};
use super::info_text::note_text;
use super::input::{Input, InputError};
use super::output::{Output, Paint};
use super::panics::guarded;
use super::text::{counted, path as printed};
use super::walk::{self, Found};
use super::{Deny, ValidateArgs, json};
use crate::formats::ReadError;
use crate::model::{Note, NoteKind, Place, Report, Severity};

/// Reads all files in parallel and tells of each in the order of their paths.
pub(super) fn run(args: &ValidateArgs, output: &Output) -> anyhow::Result<Exit> {
    let input = Input::new(&args.input)?;
    let found = walk::find(&args.paths);
    for path in &found.missing {
        output.error(&at_path("no such file or folder", path).to_string());
    }
    for path in &found.empty {
        let message = at_path("no file of a known format", path).to_string();
        output.note(Severity::Warning, &message);
    }
    let checked = check_all(&found, &input, output);
    let fails = |note: &Note| match args.deny {
        Some(Deny::Warnings) => note.severity() >= Severity::Warning,
        None => note.severity() == Severity::Error,
    };
    match args.json {
        true => output.print_json(&as_json(&checked, fails))?,
        false => output.print(as_text(&checked, fails, output.paint()))?,
    }
    Ok(if !found.missing.is_empty() {
        Exit::BadInput
    } else if checked.iter().any(|file| file.notes.iter().any(fails)) {
        Exit::Findings
    } else {
        Exit::Done
    })
}

/// One file and what was found about it, worst first.
struct Checked {
    path: PathBuf,
    format: Option<&'static str>,
    notes: Vec<Note>,
}

fn check_all(found: &Found, input: &Input, output: &Output) -> Vec<Checked> {
    let num_done = AtomicUsize::new(0);
    let num_files = found.files.len();
    let check_one = |path: &PathBuf| {
        let checked = check(path, input);
        let done = num_done.fetch_add(1, Ordering::Relaxed) + 1;
        output.progress(|| format!("{done} of {num_files} {}", path.display()));
        checked
    };
    let mut checked: Vec<_> = found.files.par_iter().map(check_one).collect();
    output.clear_progress();
    checked.extend(found.closed.iter().map(|(path, message)| Checked {
        path: path.clone(),
        format: None,
        notes: vec![unreadable(Place::File, message.clone())],
    }));
    checked.sort_by(|a, b| a.path.cmp(&b.path));
    checked
}

fn check(path: &Path, input: &Input) -> Checked {
    let report = Report::new();
    let path = path.to_owned();
    // Readers do not panic; one that does after all must not take the other files with it.
    let opened = guarded("reading", || match input.open(&path, &report) {
        Ok(document) => Ok(document.format.info().id),
        Err(error) => Err(error),
    });
    let (format, problem) = match opened {
        Ok(Ok(format)) => (Some(format), None),
        Ok(Err(error)) => {
            let (format, place) = match &error {
                InputError::Read(error) => (format_of(error), error.place()),
                InputError::File(_) => (None, None),
            };
            let place = place.unwrap_or(Place::File);
            (format, Some(unreadable(place, error.to_string())))
        }
        Err(message) => (None, Some(unreadable(Place::File, message))),
    };
    let mut notes = report.notes();
    notes.splice(0..0, problem);
    Checked {
        path,
        format,
        notes,
    }
}

fn format_of(error: &ReadError) -> Option<&'static str> {
    match error {
        ReadError::Malformed(failure)
        | ReadError::Unsupported(failure)
        | ReadError::Limit(failure) => Some(failure.format),
        ReadError::UnknownFormat { .. } | ReadError::Cancelled => None,
    }
}

fn unreadable(place: Place, message: String) -> Note {
    Note {
        kind: NoteKind::Unreadable,
        place,
        message,
        count: 1,
    }
}

fn count(checked: &[Checked], severity: Severity) -> usize {
    let notes = checked.iter().flat_map(|file| &file.notes);
    notes.filter(|note| note.severity() == severity).count()
}

fn as_json(checked: &[Checked], fails: impl Fn(&Note) -> bool + Copy) -> json::Validation {
    let file = |file: &Checked| json::ValidatedFile {
        file: file.path.to_string_lossy().into_owned(),
        format: file.format,
        ok: !file.notes.iter().any(fails),
        notes: file.notes.iter().map(json::NoteEntry::from).collect(),
    };
    json::Validation {
        schema: "rigscope.validate/1",
        files: checked.iter().map(file).collect(),
        errors: count(checked, Severity::Error),
        warnings: count(checked, Severity::Warning),
    }
}

/// One line a finding, path first, as editors and `grep` like it; then the sums.
fn as_text(checked: &[Checked], fails: impl Fn(&Note) -> bool + Copy, paint: Paint) -> String {
    let mut out = String::new();
    for file in checked {
        let path = printed(&file.path);
        for note in &file.notes {
            let severity = paint.severity(note.severity(), note.severity().as_str());
            let text = note_text(&json::NoteEntry::from(note));
            out.push_str(&format!("{path}: {severity}: {text}\n"));
        }
        if !file.notes.iter().any(fails) {
            out.push_str(&format!("{path}: {}\n", paint.good("ok")));
        }
    }
    let num = |severity| count(checked, severity) as u64;
    out.push_str(&format!(
        "{}: {}, {}\n",
        counted(checked.len() as u64, "file"),
        counted(num(Severity::Error), "error"),
        counted(num(Severity::Warning), "warning"),
    ));
    out
}
