//! `validate`: what is wrong with files, many at once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::exit::{Exit, at_path};
use super::info_text::note_text;
use super::input::{Input, InputError};
use super::output::{Output, Paint};
use super::policy::{Policies, Policy, Verdict};
use super::text::{counted, path as printed};
use super::timings;
use super::walk;
use super::{ValidateArgs, json, sarif};
use crate::files::guarded;
use crate::formats::ReadError;
use crate::model::{Note, NoteKind, Place, Severity};
use crate::validate::validate;

/// Reads all files in parallel and reports each in the order of their paths.
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
    let mut policies = Policies::new(args)?;
    let with_policy = |path: &PathBuf| Ok((path.clone(), policies.of(path)?));
    let files: Vec<_> = found.files.iter().map(with_policy).collect::<anyhow::Result<_>>()?;
    let mut checked = check_all(&files, &input, output);
    for (path, message) in &found.closed {
        let note = unreadable(Place::File, message.clone());
        let mut file = Checked::new(path, None);
        file.judge(&policies.of(path)?, vec![note], true);
        checked.push(file);
    }
    timings::at("printing");
    checked.sort_by(|a, b| a.path.cmp(&b.path));
    let is_whole = found.missing.is_empty();
    if args.json {
        output.print_json(&as_json(&checked))?;
    } else if args.sarif {
        let findings = checked.iter().flat_map(|file| {
            let of_file = move |note| (file.path.as_path(), note);
            file.notes.iter().map(of_file)
        });
        output.print_json(&sarif::log(findings, is_whole))?;
    } else {
        output.print_text(as_text(&checked, output.paint()))?;
    }
    Ok(if !is_whole {
        Exit::BadInput
    } else if checked.iter().any(|file| !file.is_ok) {
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
    num_allowed: usize,
    /// Whether nothing makes the command fail.
    is_ok: bool,
}

impl Checked {
    fn new(path: &Path, format: Option<&'static str>) -> Self {
        Self { path: path.to_owned(), format, notes: Vec::new(), num_allowed: 0, is_ok: true }
    }

    /// Takes over those notes that `policy` wants reported.
    fn judge(&mut self, policy: &Policy, notes: Vec<Note>, is_of_reader: bool) {
        for note in notes {
            match policy.verdict(&note, is_of_reader) {
                Verdict::Unwanted => continue,
                Verdict::Allowed => {
                    self.num_allowed += 1;
                    continue;
                }
                Verdict::Told => {}
                Verdict::Fails => self.is_ok = false,
            }
            self.notes.push(note);
        }
        self.notes.sort_by_key(|note| std::cmp::Reverse(note.severity()));
    }
}

fn check_all(files: &[(PathBuf, Policy)], input: &Input, output: &Output) -> Vec<Checked> {
    let num_done = AtomicUsize::new(0);
    let num_files = files.len();
    let check_one = |(path, policy): &(PathBuf, Policy)| {
        let checked = check(path, policy, input);
        let done = num_done.fetch_add(1, Ordering::Relaxed) + 1;
        output.progress(|| format!("{done} of {num_files} {}", path.display()));
        checked
    };
    let checked: Vec<_> = files.par_iter().map(check_one).collect();
    output.clear_progress();
    checked
}

fn check(path: &Path, policy: &Policy, input: &Input) -> Checked {
    let _work = timings::begin("starting");
    let (of_reader, of_rules) = (timings::report(), timings::report());
    // Neither readers nor rules panic; one that does after all must not take the other files with
    // it.
    let opened = guarded("judging", || {
        let document = input.open(path, &of_reader)?;
        if policy.judges() {
            timings::at("judging");
            // Nobody cancels this report.
            let _ = validate(&document.model, &of_rules);
        }
        Ok(document.format.info().id)
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
        Err(fault) => (None, Some(unreadable(Place::File, fault.to_string()))),
    };
    let mut notes = of_reader.notes();
    notes.splice(0..0, problem);
    let mut checked = Checked::new(path, format);
    checked.judge(policy, notes, true);
    checked.judge(policy, of_rules.notes(), false);
    checked
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
    Note { kind: NoteKind::Unreadable, place, message, count: 1 }
}

fn count(checked: &[Checked], severity: Severity) -> usize {
    let notes = checked.iter().flat_map(|file| &file.notes);
    notes.filter(|note| note.severity() == severity).count()
}

fn num_allowed(checked: &[Checked]) -> usize {
    checked.iter().map(|file| file.num_allowed).sum()
}

fn as_json(checked: &[Checked]) -> json::Validation {
    let file = |file: &Checked| json::ValidatedFile {
        file: file.path.to_string_lossy().into_owned(),
        format: file.format,
        ok: file.is_ok,
        notes: file.notes.iter().map(json::NoteEntry::from).collect(),
    };
    json::Validation {
        schema: "rigscope.validate/1",
        files: checked.iter().map(file).collect(),
        errors: count(checked, Severity::Error),
        warnings: count(checked, Severity::Warning),
        allowed: num_allowed(checked),
    }
}

/// One line a finding, path first, as editors and `grep` like it; then the sums.
fn as_text(checked: &[Checked], paint: Paint) -> String {
    let mut out = String::new();
    for file in checked {
        let path = printed(&file.path);
        for note in &file.notes {
            let severity = paint.severity(note.severity(), note.severity().as_str());
            let text = note_text(&json::NoteEntry::from(note));
            out.push_str(&format!("{path}: {severity}: {text}\n"));
        }
        if file.is_ok {
            out.push_str(&format!("{path}: {}\n", paint.good("ok")));
        }
    }
    let num = |severity| count(checked, severity) as u64;
    out.push_str(&format!(
        "{}: {}, {}{}\n",
        counted(checked.len() as u64, "file"),
        counted(num(Severity::Error), "error"),
        counted(num(Severity::Warning), "warning"),
        match num_allowed(checked) {
            0 => String::new(),
            num => format!(", {num} allowed"),
        },
    ));
    out
}
