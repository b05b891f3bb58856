//! `validate`: what is wrong with files, many at once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::exit::{Exit, at_path};
use super::info_text::note_text;
use super::input::Input;
use super::judged::{Judged, judge};
use super::kept::Kept;
use super::output::{Output, Paint};
use super::policy::{Policies, Policy, Verdict};
use super::text::{counted, path as printed};
use super::{ValidateArgs, json, listed, many, sarif, timings, walk};
use rigscope_core::model::{Note, Place, Severity};
use rigscope_core::summary::NoteEntry;

/// Judges all files on all cores, and reports each in the order of their paths; those of a list in its own
/// order where each is reported as it comes.
pub(super) fn run(args: &ValidateArgs, output: &Output) -> anyhow::Result<Exit> {
    let found = walk::find(&args.paths);
    for path in &found.missing {
        output.error(&at_path("no such file or folder", path).to_string());
    }
    for path in &found.empty {
        let message = at_path("no file of a known format", path).to_string();
        output.note(Severity::Warning, &message);
    }
    let policies = Mutex::new(Policies::new(args)?);
    let policy_of = |path: &Path| {
        let mut policies = policies.lock().unwrap_or_else(PoisonError::into_inner);
        policies.of(path)
    };
    let kept = Kept::new(Input::new(&args.input)?, args.many.cache.as_deref(), output)?;

    let mut sums = Sums::default();
    let mut checked = Vec::new();
    let mut told = |file: Checked| {
        sums.add(&file);
        match args.many.jsonl {
            true => output.print_json_line(&line(&file)),
            false => {
                checked.push(file);
                Ok(())
            }
        }
    };
    for (path, message) in &found.closed {
        let mut file = Checked::new(path, None);
        let judged = Judged::unreadable(Place::File, message.clone());
        file.judge(&policy_of(path)?, judged);
        told(file)?;
    }
    let listed = args.many.files_from.as_deref().map(listed::open).transpose()?;
    let num_files = listed.is_none().then_some(found.files.len());
    let paths = found.files.into_iter().map(Ok).chain(listed.into_iter().flatten());
    let work = |path: &Path| {
        let policy = policy_of(path)?;
        let judged = judge(path, &kept, policy.judges());
        let mut file = Checked::new(path, judged.format);
        file.judge(&policy, judged);
        Ok(file)
    };
    let done = |_, file: anyhow::Result<Checked>| told(file?);
    many::each(paths, num_files, output, work, done)?;

    timings::at("printing");
    let is_whole = found.missing.is_empty();
    checked.sort_by(|a, b| a.path.cmp(&b.path));
    if args.json {
        output.print_json(&as_json(&checked, &sums))?;
    } else if args.sarif {
        let findings = checked.iter().flat_map(|file| {
            let of_file = move |note| (file.path.as_path(), note);
            file.notes.iter().map(of_file)
        });
        output.print_json(&sarif::log(findings, is_whole))?;
    } else if !args.many.jsonl {
        output.print_text(as_text(&checked, &sums, output.paint()))?;
    }
    Ok(if !is_whole {
        Exit::BadInput
    } else if sums.num_failed > 0 {
        Exit::Findings
    } else {
        Exit::Done
    })
}

/// What was found in all files.
#[derive(Default)]
struct Sums {
    num_files: usize,
    num_errors: usize,
    num_warnings: usize,
    num_allowed: usize,
    /// Files that make the command fail.
    num_failed: usize,
}

impl Sums {
    fn add(&mut self, file: &Checked) {
        let num = |severity| file.notes.iter().filter(|note| note.severity() == severity).count();
        self.num_files += 1;
        self.num_errors += num(Severity::Error);
        self.num_warnings += num(Severity::Warning);
        self.num_allowed += file.num_allowed;
        self.num_failed += usize::from(!file.is_ok);
    }
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

    /// Takes over those findings that `policy` wants reported.
    fn judge(&mut self, policy: &Policy, judged: Judged) {
        let of_reader = judged.of_reader.into_iter().map(|note| (note, true));
        let of_rules = judged.of_rules.into_iter().map(|note| (note, false));
        for (note, is_of_reader) in of_reader.chain(of_rules) {
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

fn entry(file: &Checked) -> json::ValidatedFile {
    json::ValidatedFile {
        file: file.path.to_string_lossy().into_owned(),
        format: file.format,
        ok: file.is_ok,
        notes: file.notes.iter().map(NoteEntry::from).collect(),
    }
}

fn line(file: &Checked) -> json::ValidatedLine {
    json::ValidatedLine { schema: "rigscope.validate-line/1", file: entry(file) }
}

fn as_json(checked: &[Checked], sums: &Sums) -> json::Validation {
    json::Validation {
        schema: "rigscope.validate/1",
        files: checked.iter().map(entry).collect(),
        errors: sums.num_errors,
        warnings: sums.num_warnings,
        allowed: sums.num_allowed,
    }
}

/// One line a finding, path first, as editors and `grep` like it; then the sums.
fn as_text(checked: &[Checked], sums: &Sums, paint: Paint) -> String {
    let mut out = String::new();
    for file in checked {
        let path = printed(&file.path);
        for note in &file.notes {
            let severity = paint.severity(note.severity(), note.severity().as_str());
            let text = note_text(&NoteEntry::from(note));
            out.push_str(&format!("{path}: {severity}: {text}\n"));
        }
        if file.is_ok {
            out.push_str(&format!("{path}: {}\n", paint.good("ok")));
        }
    }
    out.push_str(&format!(
        "{}: {}, {}{}\n",
        counted(sums.num_files as u64, "file"),
        counted(sums.num_errors as u64, "error"),
        counted(sums.num_warnings as u64, "warning"),
        match sums.num_allowed {
            0 => String::new(),
            num => format!(", {num} allowed"),
        },
    ));
    out
}
