//! `check`: compares files with their baseline, and fails if one got worse.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::baseline::{
    FilesArgs, ReadFile, ReadFiles, lock_of, nearest_lock, read_files, relative_to,
};
#[cfg(feature = "gpu")]
use super::diff::{heat_map, plain_image};
use super::exit::{Exit, at_path};
use super::file_findings::NamedCause;
use super::history::{EarlierFiles, Pair, Staged};
use super::input;
use super::lines::Lines;
use super::output::{Output, Paint};
use super::report::{self, BaselineState, FileReport, ReportFormat, ReportedFinding, shown_path};
use super::standard_output::check_target;
use super::suggested_command::{file_arg, suggested};
use super::text::{counted, grouped, plain};
use super::timings;
use super::validate::JsonCause;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::{heat_map, plain_image};
use rigscope_core::model::{Finding, FindingKind, Place, Severity};
use rigscope_core::summary::FindingEntry;
use rigscope_io::baseline::{FileState, LOCK_NAME, Lock, ShapeChange, Verdict, verdicts};
use rigscope_io::files::{Inputs, folder_of, is_below, path_text, save};

/// Files that are compared with the repository at most, because that takes longer than comparing signatures.
const MAX_COMPARED: usize = 200;

/// `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files or folders to compare; without paths, the folder of the baseline
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The file to compare with, written by the command baseline; by default the nearest rigscope.lock.jsonl in or
    /// above the folder of the first PATH
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Accept all changes: write the files as they are now to the baseline
    #[arg(long)]
    pub update: bool,
    /// Check the files and the baseline as they are staged in Git, instead of those on disk
    #[arg(long, conflicts_with = "update")]
    pub staged: bool,
    /// Check every file, even if it, its related files and the rules are as in the baseline
    #[arg(long)]
    pub recheck: bool,
    /// Write JSON
    #[arg(long, conflicts_with = "report")]
    pub json: bool,
    /// The format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub report: ReportFormat,
    /// Which files are read, and how.
    #[command(flatten)]
    pub files: FilesArgs,
}

pub(super) fn run(args: &CheckArgs, output: &Output) -> anyhow::Result<Exit> {
    let baseline = &args.baseline.clone().unwrap_or_else(|| nearest_lock(&args.paths));
    let limit_bytes = || anyhow::Ok(input::opener(&args.files.input.0)?.limit_bytes());
    let staged = args.staged.then(|| Staged::of(baseline, limit_bytes()?)).transpose()?;
    let staged = staged.as_ref();
    let lock = read_lock(args, baseline, staged)?;
    let folder = folder_of(baseline).to_owned();
    let paths = if args.paths.is_empty() { vec![folder] } else { args.paths.clone() };
    let may_write = |inputs: &Inputs| {
        if args.update {
            check_target(baseline, true, inputs)?;
        }
        Ok(())
    };
    // A SARIF log lists all findings, not only new ones.
    let format = args.report.or_flags([(args.json, ReportFormat::Json)]);
    let needs_all = args.recheck || format == ReportFormat::Sarif;
    let known = if needs_all { &Lock::default() } else { &lock };
    let read = read_files(&paths, (&args.files, staged), baseline, known, may_write, output)?;
    let scopes: Vec<String> = paths.iter().map(|path| relative_to(path, baseline)).collect();
    let is_covered = |file: &str| scopes.iter().any(|scope| is_below(file, scope));
    let mut missing = Vec::new();
    for path in &read.missing {
        // A file of the baseline that was removed is reported as missing.
        let name = relative_to(path, baseline);
        if !lock.files.keys().any(|file| is_below(file, &name)) {
            output.error(&at_path("no such file or folder", path));
            missing.push(path.clone());
        }
    }
    let entries = lock_of(&read).files;
    let here = std::env::current_dir().ok().filter(|_| args.paths.is_empty());
    let mut results: Vec<Checked<'_>> = verdicts(&lock, &entries, is_covered)
        .into_iter()
        .map(|verdict| Checked::new(baseline, verdict, &read).relative_to(here.as_deref()))
        .collect();
    compare_with_history((args, baseline, staged), &lock, &mut results, output);
    timings::at("printing");
    if results.is_empty() && missing.is_empty() {
        output.error(&anyhow::anyhow!("no model was found; check the paths"));
        return Ok(Exit::BadInput);
    }
    let files = results.iter().map(Checked::report);
    let files: Vec<_> = files.chain(missing.iter().map(|path| FileReport::missing(path))).collect();
    report::print(
        "rigscope check",
        (format, output),
        (&files, missing.is_empty()),
        |paint| as_text(args, &results, paint),
        || as_json(&results, &missing),
        results.iter().map(|result| Line { schema: "rigscope.check-line/1", file: entry(result) }),
    )?;
    let has_failed = results
        .iter()
        .any(|result| if args.update { result.is_over_budget() } else { result.has_failed });
    if args.update {
        update(baseline, lock, &read, is_covered, output)?;
    }
    Ok(match (missing.is_empty(), has_failed) {
        (false, _) => Exit::BadInput,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Done,
    })
}

fn read_lock(args: &CheckArgs, baseline: &Path, staged: Option<&Staged>) -> anyhow::Result<Lock> {
    if let Some(staged) = staged {
        let missing = || at_path("the baseline isn't staged; add it with `git add`", baseline);
        let bytes = staged.content(baseline)?.ok_or_else(missing)?;
        return Lock::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|error| at_path(error, baseline));
    }
    if !baseline.exists() {
        if args.update {
            return Ok(Lock::default());
        }
        let mut command: Vec<OsString> = vec!["baseline".into()];
        command.extend(args.paths.iter().map(|path| file_arg(path)));
        if args.paths.is_empty() {
            command.push(folder_of(baseline).into());
        }
        if baseline != Path::new(LOCK_NAME) {
            command.extend(["--output".into(), file_arg(baseline)]);
        }
        let message = format!("there is no baseline; write one with `{}`", suggested(command));
        return Err(at_path(message, baseline));
    }
    Lock::read(baseline).map_err(|error| at_path(error, baseline))
}

fn update(
    baseline: &Path,
    mut lock: Lock,
    read: &ReadFiles,
    is_covered: impl Fn(&str) -> bool,
    output: &Output,
) -> anyhow::Result<()> {
    let before = lock.clone();
    lock.files.retain(|file, _| !is_covered(file));
    lock.files.extend(lock_of(read).files);
    if lock != before || !baseline.exists() {
        save(baseline, lock.to_text().as_bytes(), true, &read.inputs)?;
        output.report_at(Severity::Info, baseline, "updated");
    }
    Ok(())
}

/// Measures how far files moved, if a Git repository still has them as they were.
fn compare_with_history(
    (args, baseline, staged): (&CheckArgs, &Path, Option<&Staged>),
    lock: &Lock,
    results: &mut [Checked<'_>],
    output: &Output,
) {
    let is_moved = |result: &Checked<'_>| result.verdict.state == FileState::Changed;
    if !results.iter().any(is_moved) {
        return;
    }
    timings::at("comparing with the repository");
    let Some(earlier) = EarlierFiles::of(baseline, &args.files.input.0, staged) else { return };
    let folder = baseline.parent().unwrap_or(Path::new(""));
    let wants_images = args.report == ReportFormat::Html;
    for (number, result) in results.iter_mut().filter(|result| is_moved(result)).enumerate() {
        if number >= MAX_COMPARED {
            let message = format!("only {MAX_COMPARED} files were compared with the repository");
            output.report(Severity::Info, &message);
            return;
        }
        let name = &result.verdict.file;
        let old_name = result.verdict.renamed_from.as_ref().unwrap_or(name);
        let (Some(entry), Some(file)) = (lock.files.get(old_name), result.file) else { continue };
        output.progress(|| format!("comparing {name}"));
        let Some(pair) = earlier.pair(&file.path, &folder.join(old_name), entry) else { continue };
        let farthest = pair.farthest();
        if let Some(farthest) = farthest {
            // Replaces the estimates of the signature.
            result.verdict.moved.retain(|moved| !moved.is_distance);
            result.verdict.moved.insert(0, farthest);
        }
        if wants_images {
            match images(&pair, &file.path) {
                Ok(images) => result.images = images,
                Err(error) => output.report_at(Severity::Warning, &file.path, &error.to_string()),
            }
        }
    }
    output.clear_progress();
}

/// Images before and after, and of the deviation from blue to red.
fn images(pair: &Pair, path: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let (deviation, _) = heat_map(&pair.after.model, &pair.comparison, path)?;
    Ok(vec![
        ("Before".to_owned(), plain_image(&pair.before.model, path)?),
        ("After".to_owned(), plain_image(&pair.after.model, path)?),
        ("Deviation: red is the largest".to_owned(), deviation),
    ])
}

/// The result for one file.
struct Checked<'a> {
    verdict: Verdict,
    /// `None` for a missing file.
    file: Option<&'a ReadFile>,
    /// As it was given or found.
    path: PathBuf,
    has_failed: bool,
    images: Vec<(String, Vec<u8>)>,
}

impl<'a> Checked<'a> {
    fn new(baseline: &Path, verdict: Verdict, read: &'a ReadFiles) -> Self {
        let file = read.files.get(&verdict.file);
        let of_baseline = || baseline.parent().unwrap_or(Path::new("")).join(&verdict.file);
        let path = file.map_or_else(of_baseline, |file| {
            let path = file.path.strip_prefix(".").unwrap_or(&file.path);
            path.to_owned()
        });
        let mut checked = Self { verdict, file, path, has_failed: false, images: Vec::new() };
        checked.has_failed = checked.has_changed() || checked.is_over_budget();
        checked
    }

    /// With a path relative to the current folder, if the file is below it and no path was named.
    fn relative_to(mut self, here: Option<&Path>) -> Self {
        if let Some(short) = here.and_then(|here| self.path.strip_prefix(here).ok()) {
            self.path = short.to_owned();
        }
        self
    }

    /// Whether the file was read, unless it is missing.
    fn was_checked(&self) -> bool {
        self.file.is_none_or(|file| file.was_checked)
    }

    /// Whether the file is worse than in the baseline, which an update accepts.
    fn has_changed(&self) -> bool {
        matches!(self.verdict.state, FileState::Changed | FileState::Missing)
            || self.new_findings().any(|(_, fails)| fails)
    }

    /// Whether the file exceeds a limit, which only the settings can change.
    fn is_over_budget(&self) -> bool {
        self.over_budget().next().is_some()
    }

    /// Findings that the baseline has fewer of, and whether each makes the command fail.
    fn new_findings(&self) -> impl Iterator<Item = (&'a Finding, bool)> {
        let findings = self
            .file
            .into_iter()
            .flat_map(|file| file.validation.findings.iter().map(move |finding| (file, finding)));
        findings.filter_map(|(file, finding)| {
            let is_listed = finding.kind != FindingKind::OverBudget && self.is_new(finding);
            is_listed.then(|| (finding, fails(file, finding)))
        })
    }

    /// The causes of new findings.
    fn causes(&self) -> impl Iterator<Item = &'a NamedCause> {
        let causes = self.file.into_iter().flat_map(|file| &file.causes);
        causes.filter(|cause| {
            let is_explained = |(finding, _): (&Finding, bool)| {
                cause.explains.iter().any(|code| code == finding.kind.code())
            };
            self.new_findings().any(is_explained)
        })
    }

    fn cause_of(&self, finding: &Finding) -> Option<&'a NamedCause> {
        NamedCause::of(&self.file?.causes, finding)
    }

    /// Whether the baseline has fewer findings with this code.
    fn is_new(&self, finding: &Finding) -> bool {
        self.verdict.new_findings.iter().any(|new| new.code == finding.kind.code())
    }

    /// The differences from the baseline, as findings.
    fn differences(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.verdict.state == FileState::Missing {
            let message = "the file is in the baseline but doesn't exist".to_owned();
            findings.push(Finding::new(FindingKind::FileMissing, Place::File, message, 1));
        }
        let moved = self.verdict.moved.iter();
        findings.extend(
            moved.map(|moved| {
                Finding::new(FindingKind::Moved, Place::File, moved.message.clone(), 1)
            }),
        );
        findings
    }

    /// Limits that the file exceeds, whether or not it did before.
    fn over_budget(&self) -> impl Iterator<Item = &'a Finding> {
        let findings = self.file.into_iter().flat_map(|file| &file.validation.findings);
        findings.filter(|finding| finding.kind == FindingKind::OverBudget)
    }

    /// The differences, then the findings as they are now.
    fn report(&self) -> FileReport {
        let differences = self.differences().into_iter();
        let differences = differences.map(|finding| ReportedFinding {
            finding,
            fails: true,
            baseline: Some(BaselineState::New),
            cause: None,
        });
        let findings = self.file.into_iter().flat_map(|file| {
            file.validation.findings.iter().map(|finding| ReportedFinding {
                finding: finding.clone(),
                fails: finding.kind == FindingKind::OverBudget || fails(file, finding),
                baseline: Some(if self.is_new(finding) {
                    BaselineState::New
                } else {
                    BaselineState::Unchanged
                }),
                cause: NamedCause::of(&file.causes, finding).cloned(),
            })
        });
        FileReport {
            path: self.path.clone(),
            state: Some(match &self.verdict.renamed_from {
                Some(from) => format!("renamed from {from}"),
                None => self.verdict.state.as_str().to_owned(),
            }),
            has_failed: self.has_failed,
            findings: differences.chain(findings).collect(),
            images: self.images.clone(),
            ..FileReport::default()
        }
    }
}

/// Whether a new finding makes the command fail: infos don't unless they are denied.
fn fails(file: &ReadFile, finding: &Finding) -> bool {
    let is_denied = |cause: &NamedCause| file.options.deny_causes.contains(&cause.name.as_str());
    finding.severity() >= Severity::Warning
        || file.options.denies(finding)
        || NamedCause::of(&file.causes, finding).is_some_and(is_denied)
}

fn as_text(args: &CheckArgs, results: &[Checked<'_>], paint: Paint) -> Lines {
    let mut out = Lines::default();
    for result in results {
        let Verdict { state, renamed_from, moved, fixed_findings, .. } = &result.verdict;
        let path = plain(&shown_path(&result.path));
        if let Some(from) = renamed_from {
            out.push(format!("{path}: renamed from {}", plain(from)));
        }
        match state {
            FileState::New => out.push(format!("{path}: new")),
            FileState::Missing => {
                let text = paint.severity(Severity::Error, "missing");
                out.push(format!("{path}: {text}: in the baseline, but it doesn't exist"));
            }
            FileState::Changed | FileState::Renamed | FileState::Unchanged => {}
        }
        for ShapeChange { message, .. } in moved {
            let text = paint.severity(Severity::Error, "moved");
            out.push(format!("{path}: {text}: {}", plain(message)));
        }
        for (finding, _) in result.new_findings() {
            let severity = paint.severity(finding.severity(), finding.severity().as_str());
            let text = super::info_text::finding_text(&FindingEntry::from(finding));
            let mut counts = result.verdict.new_findings.iter();
            let count = counts.find(|new| new.code == finding.kind.code() && new.before > 0);
            let before = count.map_or_else(String::new, |new| format!(" (before: {})", new.before));
            let cause = result.cause_of(finding).map_or_else(String::new, NamedCause::suffix);
            out.push(format!("{path}: new {severity}: {text}{before}{}", plain(&cause)));
        }
        for finding in result.over_budget() {
            let severity = paint.severity(Severity::Error, "over budget");
            out.push(format!("{path}: {severity}: {}", plain(&finding.message)));
        }
        for fixed in fixed_findings {
            let num = match fixed.after {
                0 => String::new(),
                after => format!(" ({after} instead of {})", fixed.before),
            };
            out.push(format!("{path}: {}: {}{num}", paint.good("fixed"), fixed.code));
        }
    }
    let num = |state| results.iter().filter(|result| result.verdict.state == state).count() as u64;
    let mut totals = vec![counted(results.len() as u64, "file")];
    for state in [
        FileState::Unchanged,
        FileState::Changed,
        FileState::New,
        FileState::Missing,
        FileState::Renamed,
    ] {
        if num(state) > 0 {
            totals.push(format!("{} {}", grouped(num(state)), state.as_str()));
        }
    }
    let num_checked = results.iter().filter(|result| result.was_checked()).count();
    let checked = if results.iter().all(Checked::was_checked) {
        String::new()
    } else {
        let files = counted(num_checked as u64, "file");
        format!(" ({files} checked; the others and the rules are as in the baseline)")
    };
    out.push(totals.join(", ") + &checked);
    if !args.update && results.iter().any(Checked::has_changed) {
        let command = update_command(args);
        out.push(format!("If the changes are intended, accept them with `{command}`."));
    }
    if results.iter().any(Checked::is_over_budget) {
        out.push("A baseline doesn't contain limits: reduce the model, or raise the limit in the rigscope.toml.");
    }
    out
}

/// The command that accepts the changes of these files.
fn update_command(args: &CheckArgs) -> String {
    let mut command: Vec<OsString> = vec!["check".into(), "--update".into()];
    let options =
        [("--baseline", args.baseline.as_ref()), ("--config", args.files.config.as_ref())];
    for (name, path) in options {
        if let Some(path) = path {
            command.extend([name.into(), file_arg(path)]);
        }
    }
    command.extend(args.paths.iter().map(|path| file_arg(path)));
    suggested(command)
}

/// `check --json`.
#[derive(Debug, Serialize)]
struct Json {
    schema: &'static str,
    ok: bool,
    /// Paths on the command line that don't exist.
    missing_paths: Vec<String>,
    files: Vec<JsonFile>,
}

#[derive(Debug, Serialize)]
struct Line {
    schema: &'static str,
    #[serde(flatten)]
    file: JsonFile,
}

#[derive(Debug, Serialize)]
struct JsonFile {
    file: String,
    ok: bool,
    /// False if neither the file nor the rules changed, so that there was nothing to check.
    checked: bool,
    state: &'static str,
    renamed_from: Option<String>,
    /// The farthest difference.
    moved: Option<JsonMoved>,
    /// All differences.
    differences: Vec<JsonMoved>,
    new_findings: Vec<FindingEntry>,
    /// Causes of new findings.
    causes: Vec<JsonCause>,
    fixed_findings: Vec<JsonFixed>,
    over_budget: Vec<FindingEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonMoved {
    message: String,
    /// Of the model's size; null if only its presence is known.
    of_size: Option<f64>,
    clip: Option<String>,
    time_secs: Option<f64>,
    place: Option<[f64; 3]>,
}

#[derive(Debug, Serialize)]
struct JsonFixed {
    code: String,
    before: u64,
    after: u64,
}

fn as_json(results: &[Checked<'_>], missing: &[PathBuf]) -> Json {
    Json {
        schema: "rigscope.check/1",
        ok: missing.is_empty() && !results.iter().any(|result| result.has_failed),
        missing_paths: missing.iter().map(|path| path_text(path)).collect(),
        files: results.iter().map(entry).collect(),
    }
}

fn entry(result: &Checked<'_>) -> JsonFile {
    let differences: Vec<JsonMoved> = result
        .verdict
        .moved
        .iter()
        .map(|moved| JsonMoved {
            message: moved.message.clone(),
            of_size: moved.of_size,
            clip: moved.clip.clone(),
            time_secs: moved.time_secs,
            place: moved.place,
        })
        .collect();
    let fixed = result.verdict.fixed_findings.iter();
    JsonFile {
        file: result.verdict.file.clone(),
        ok: !result.has_failed,
        checked: result.was_checked(),
        state: result.verdict.state.as_str(),
        renamed_from: result.verdict.renamed_from.clone(),
        moved: differences.first().cloned(),
        differences,
        new_findings: result.new_findings().map(|(finding, _)| finding.into()).collect(),
        causes: result.causes().map(JsonCause::from).collect(),
        fixed_findings: fixed
            .map(|fixed| JsonFixed {
                code: fixed.code.clone(),
                before: fixed.before,
                after: fixed.after,
            })
            .collect(),
        over_budget: result.over_budget().map(FindingEntry::from).collect(),
    }
}
