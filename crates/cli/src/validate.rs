//! `validate`: checks many files and reports findings.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::exit::{Exit, at_path};
use super::file_findings::{FileFindings, check_file};
use super::info_text::note_text;
use super::input;
use super::output::{Output, Paint};
use super::policy::{Policies, Policy, Verdict};
use super::result_cache::ResultCache;
use super::text::{counted, path as printed};
use super::{ValidateArgs, batch, file_list, file_search, json, sarif, timings};
use rigscope_core::model::{Finding, Place, Severity};
use rigscope_core::summary::FindingEntry;

/// Checks all files on all cores, and reports them sorted by path. With `--jsonl`, files of a list are reported in
/// the order of the list.
pub(super) fn run(args: &ValidateArgs, output: &Output) -> anyhow::Result<Exit> {
    let found = file_search::find(&args.paths);
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
    let opener = input::opener(&args.input.0)?;
    let cache = ResultCache::new(opener, args.batch.cache.as_deref(), output)?;

    let mut sums = Sums::default();
    let mut checked = Vec::new();
    let mut report = |file: Checked| {
        sums.add(&file);
        if args.batch.jsonl {
            output.print_json_line(&line(&file))
        } else {
            checked.push(file);
            Ok(())
        }
    };
    for (path, message) in &found.unlistable {
        let mut file = Checked::new(path, None);
        let findings = FileFindings::unreadable(Place::File, message.clone());
        file.add(&policy_of(path)?, findings);
        report(file)?;
    }
    let listed = args.batch.files_from.as_deref().map(file_list::open).transpose()?;
    let num_files = listed.is_none().then_some(found.files.len());
    let paths = found.files.into_iter().map(Ok).chain(listed.into_iter().flatten());
    let work = |path: &Path| {
        let policy = policy_of(path)?;
        let findings = check_file(path, &cache, policy.runs_rules());
        let mut file = Checked::new(path, findings.format);
        file.add(&policy, findings);
        Ok(file)
    };
    let done = |_, file: anyhow::Result<Checked>| report(file?);
    batch::each(paths, num_files, output, work, done)?;

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
    } else if !args.batch.jsonl {
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

/// Totals over all files.
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

/// One file and its reported findings, most severe first.
struct Checked {
    path: PathBuf,
    format: Option<&'static str>,
    notes: Vec<Finding>,
    num_allowed: usize,
    /// Whether no finding makes the command fail.
    is_ok: bool,
}

impl Checked {
    fn new(path: &Path, format: Option<&'static str>) -> Self {
        Self { path: path.to_owned(), format, notes: Vec::new(), num_allowed: 0, is_ok: true }
    }

    /// Adds the findings that `policy` reports.
    fn add(&mut self, policy: &Policy, findings: FileFindings) {
        let of_reader = findings.of_reader.into_iter().map(|note| (note, true));
        let of_rules = findings.of_rules.into_iter().map(|note| (note, false));
        for (note, is_of_reader) in of_reader.chain(of_rules) {
            match policy.verdict(&note, is_of_reader) {
                Verdict::NotSelected => continue,
                Verdict::Allowed => {
                    self.num_allowed += 1;
                    continue;
                }
                Verdict::Reported => {}
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
        notes: file.notes.iter().map(FindingEntry::from).collect(),
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

/// One line per finding, path first for editors and `grep`; then the totals.
fn as_text(checked: &[Checked], sums: &Sums, paint: Paint) -> String {
    let mut out = String::new();
    for file in checked {
        let path = printed(&file.path);
        for note in &file.notes {
            let severity = paint.severity(note.severity(), note.severity().as_str());
            let text = note_text(&FindingEntry::from(note));
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
