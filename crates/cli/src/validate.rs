//! `validate`: checks many files and reports findings.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::config::Configs;
use super::exit::{Exit, at_path};
use super::file_findings::{CheckRequest, FileFindings, NamedCause, check_file};
use super::history::Staged;
use super::info_text::finding_text;
use super::input;
use super::lines::Lines;
use super::output::{Output, Paint};
use super::report::{self, FileReport, ReportFormat, ReportedFinding};
use super::result_cache::ResultCache;
use super::severity_counts::SeverityCounts;
use super::suggested_command::{file_arg, suggested};
use super::text::{counted, path as printed};
use super::{ValidateArgs, batch, file_list, file_search, timings};
use rigscope_core::model::{Finding, Place, Severity};
use rigscope_core::policy::{ValidateOptions, Validation};
use rigscope_core::summary::FindingEntry;
use rigscope_io::files::{is_standard_stream, path_text};
use rigscope_io::fix::{can_fix, default_target};
use rigscope_io::formats::FORMATS;

/// Checks all files on all cores, and reports them sorted by path. With `--jsonl`, files of a list are reported in
/// the order of the list.
pub(super) fn run(args: &ValidateArgs, output: &Output) -> anyhow::Result<Exit> {
    let opener = input::opener(&args.input.0)?;
    let mut configs = Configs::new(args.config.as_deref(), opener.inputs())?;
    let start = args.paths.first().map_or(Path::new("."), PathBuf::as_path);
    let staged = args.staged.then(|| Staged::of(start, opener.limit_bytes())).transpose()?;
    let found = match &staged {
        Some(staged) => staged.find_changed(&args.paths)?,
        None => file_search::find(&args.paths, &args.walk, &mut configs)?,
    };
    let opener = match &staged {
        Some(staged) => staged.opener(opener),
        None => opener,
    };
    for path in &found.missing {
        output.error(&at_path("no such file or folder", path));
    }
    for path in &found.empty {
        if args.allow_empty {
            output.report_at(Severity::Warning, path, "the folder contains no model");
        } else {
            let message = "the folder contains no model; check the path, or pass --allow-empty";
            output.report_at(Severity::Error, path, message);
        }
    }
    let configs = Mutex::new(configs);
    let config_of = |path: &Path| {
        let mut configs = configs.lock().unwrap_or_else(PoisonError::into_inner);
        let config = configs.of(path)?;
        anyhow::Ok(config.of(path, &args.validate.0))
    };
    let cache = ResultCache::new(opener, args.batch.cache.as_deref(), output)?;

    let format = args.report.or_flags([
        (args.json, ReportFormat::Json),
        (args.batch.jsonl, ReportFormat::Jsonl),
        (args.sarif, ReportFormat::Sarif),
    ]);
    let mut sums = Sums::default();
    let mut files = Vec::new();
    let mut add = |(file, num_allowed): (FileReport, usize)| {
        sums.add(&file, num_allowed);
        if format == ReportFormat::Jsonl {
            output.print_json_line(&line(&file))
        } else {
            files.push(file);
            Ok(())
        }
    };
    for (path, message) in &found.unlistable {
        let findings = FileFindings::unreadable(Place::File, message.clone());
        add(file_report(path, findings, &config_of(path)?.options))?;
    }
    let listed = file_list::open(args.batch.files_from.as_deref(), cache.inputs())?;
    let num_files = listed.is_none().then_some(found.files.len());
    let paths = found.files.into_iter().map(Ok).chain(listed.into_iter().flatten());
    let work = |path: &Path| {
        let config = config_of(path)?;
        let request = CheckRequest { config: &config, played_as: args.runtime, with_entry: false };
        let findings = check_file(path, &cache, request);
        Ok(file_report(path, findings, &config.options))
    };
    let done = |_, file: anyhow::Result<(FileReport, usize)>| add(file?);
    batch::each(paths, num_files, output, work, done)?;

    timings::at("printing");
    let is_empty = !args.allow_empty && !found.empty.is_empty();
    let is_whole = found.missing.is_empty() && !is_empty;
    found.skipped.announce(output);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let num_found = files.len();
    files.extend(found.missing.iter().map(|path| FileReport::missing(path)));
    let existing = files.get(..num_found).unwrap_or_default();
    report::print(
        "rigscope validate",
        (format, output),
        (&files, is_whole),
        |paint| as_text(existing, &sums, args.brief, paint),
        || as_json(existing, &sums),
        // Printed as soon as each file was checked.
        std::iter::empty::<JsonLine>(),
    )?;
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
    counts: SeverityCounts,
    num_allowed: usize,
    /// Files that make the command fail.
    num_failed: usize,
}

impl Sums {
    fn add(&mut self, file: &FileReport, num_allowed: usize) {
        self.num_files += 1;
        self.counts.add(counts_of(file));
        self.num_allowed += num_allowed;
        self.num_failed += usize::from(file.has_failed);
    }
}

/// The findings of a file that are reported, with their causes, and the number of those that are ignored.
fn file_report(
    path: &Path,
    findings: FileFindings,
    options: &ValidateOptions,
) -> (FileReport, usize) {
    let FileFindings { format, of_reader, of_rules, mut causes, .. } = findings;
    let Validation { findings, num_allowed, has_failed } = options.filter(of_reader, of_rules);
    let is_reported = |code: &String| findings.iter().any(|finding| finding.kind.code() == code);
    causes.iter_mut().for_each(|cause| cause.explains.retain(is_reported));
    causes.retain(|cause| !cause.explains.is_empty() && options.reports_cause(&cause.name));
    let has_denied = causes.iter().any(|cause| options.deny_causes.contains(&cause.name.as_str()));
    let has_failed = has_failed || has_denied;
    let reported = |finding| {
        let cause = NamedCause::of(&causes, &finding).cloned();
        let is_denied = |cause: &NamedCause| options.deny_causes.contains(&cause.name.as_str());
        let fails = options.denies(&finding) || cause.as_ref().is_some_and(is_denied);
        ReportedFinding { finding, fails, baseline: None, cause }
    };
    let findings = findings.into_iter().map(reported).collect::<Vec<_>>();
    let path = path.to_owned();
    (
        FileReport { path, format, has_failed, findings, causes, ..FileReport::default() },
        num_allowed,
    )
}

fn counts_of(file: &FileReport) -> SeverityCounts {
    SeverityCounts::of(file.findings.iter().map(|own| &own.finding))
}

fn entry(file: &FileReport) -> JsonFile {
    JsonFile {
        file: path_text(&file.path),
        format: file.format,
        ok: !file.has_failed,
        findings: file.findings.iter().map(|own| FindingEntry::from(&own.finding)).collect(),
        causes: file.causes.iter().map(JsonCause::from).collect(),
    }
}

fn line(file: &FileReport) -> JsonLine {
    JsonLine { schema: "rigscope.validate-line/1", file: entry(file) }
}

fn as_json(files: &[FileReport], sums: &Sums) -> Json {
    Json {
        schema: "rigscope.validate/1",
        files: files.iter().map(entry).collect(),
        errors: sums.counts.errors,
        warnings: sums.counts.warnings,
        allowed: sums.num_allowed,
    }
}

/// The findings of a file whose first cause, by number, `is_chosen` accepts.
fn findings_of(
    file: &FileReport,
    is_chosen: impl Fn(Option<usize>) -> bool,
) -> impl Iterator<Item = &Finding> {
    let owner = |finding: &Finding| {
        let code = finding.kind.code();
        file.causes.iter().position(|cause| cause.explains.iter().any(|own| own == code))
    };
    let findings = file.findings.iter().map(|own| &own.finding);
    findings.filter(move |finding| is_chosen(owner(finding)))
}

/// The line above the findings that a cause explains.
fn cause_text(path_of: &Path, cause: &NamedCause, is_brief: bool, paint: Paint) -> Lines {
    let path = printed(path_of);
    let head = paint.bold(&format!("cause: {}", cause.statement));
    let mut out = Lines::default();
    out.push(format!("{path}: {head} [{}]", cause.name));
    if !is_brief {
        let explains = cause.explains.join(", ");
        out.push(paint.dim(&format!("  explains: {explains}")));
        if !is_standard_stream(path_of) {
            // `diagnose` tries the fix before it offers it.
            let command = suggested([OsStr::new("diagnose"), &file_arg(path_of)]);
            out.push(paint.dim(&format!("  evidence and fix: {command}")));
        }
    }
    out
}

/// The verdict on a file that passes: `ok`, unless it has warnings or a cause.
fn passed_text(file: &FileReport, paint: Paint) -> String {
    let (num_warnings, num_causes) = (counts_of(file).warnings, file.causes.len() as u64);
    let [warnings, causes] = [counted(num_warnings, "warning"), counted(num_causes, "cause")];
    match (num_warnings, num_causes) {
        (0, 0) => paint.good("ok"),
        (_, 0) => format!("no errors, but {warnings}"),
        (0, _) => format!("no errors, but {causes}"),
        _ => format!("no errors, but {warnings} and {causes}"),
    }
}

/// The command that fixes the findings with this code, if there is an automatic fix for the format.
fn rule_command(file: &FileReport, code: &str) -> Option<String> {
    let format = FORMATS.iter().find(|format| Some(format.info.id) == file.format)?;
    can_fix(code, format).filter(|_| !is_standard_stream(&file.path))?;
    let (path, target) = (file_arg(&file.path), file_arg(&default_target(&file.path)));
    let words =
        [OsStr::new("fix"), &path, "--rule".as_ref(), code.as_ref(), "-o".as_ref(), &target];
    Some(suggested(words))
}

/// Causes with the findings that they explain, then one line per other finding, path first for editors and `grep`,
/// errors before warnings before infos; then the files
/// that pass, and the totals. Unless `is_brief`, the first finding of each kind is followed by its effect and fix.
fn as_text(files: &[FileReport], sums: &Sums, is_brief: bool, paint: Paint) -> Lines {
    let mut explained = HashSet::new();
    let mut out = Lines::default();
    let mut add = |out: &mut Lines, file: &FileReport, finding: &Finding, has_cause: bool| {
        let severity = paint.severity(finding.severity(), finding.severity().as_str());
        let text = finding_text(&FindingEntry::from(finding));
        out.push(format!("{}: {severity}: {text}", printed(&file.path)));
        let info = finding.kind.info();
        if !is_brief && explained.insert(info.code) {
            out.push(paint.dim(&format!("  effect: {}", info.consequence)));
            out.push(paint.dim(&format!("  fix: {}", info.fix)));
            // Undoing a cause removes its findings at once.
            if let Some(command) = rule_command(file, info.code).filter(|_| !has_cause) {
                out.push(paint.dim(&format!("  or: {command}")));
            }
        }
    };
    for file in files {
        for (at, cause) in file.causes.iter().enumerate() {
            out.append(&cause_text(&file.path, cause, is_brief, paint));
            for finding in findings_of(file, |owner| owner == Some(at)) {
                add(&mut out, file, finding, true);
            }
        }
    }
    let mut found: Vec<_> = files
        .iter()
        .flat_map(|file| {
            findings_of(file, |owner| owner.is_none()).map(move |finding| (file, finding))
        })
        .collect();
    // The sort is stable: findings of the same severity stay in the order of the files.
    found.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity()));
    for (file, finding) in found {
        add(&mut out, file, finding, false);
    }
    for file in files.iter().filter(|file| !file.has_failed) {
        out.push(format!("{}: {}", printed(&file.path), passed_text(file, paint)));
    }
    out.push(format!(
        "{}: {}{}",
        counted(sums.num_files as u64, "file"),
        sums.counts.text(),
        match sums.num_allowed {
            0 => String::new(),
            num => format!(", {num} ignored"),
        },
    ));
    out
}

/// `validate --json`.
#[derive(Debug, Serialize)]
struct Json {
    schema: &'static str,
    files: Vec<JsonFile>,
    /// Findings of severity error in all files.
    errors: u64,
    /// Findings of severity warning in all files.
    warnings: u64,
    /// Findings in all files that `--allow` ignored.
    allowed: usize,
}

#[derive(Debug, Serialize)]
struct JsonFile {
    file: String,
    /// Null if the format is unknown.
    format: Option<&'static str>,
    /// Whether no finding makes the command fail.
    ok: bool,
    #[serde(rename = "notes")]
    findings: Vec<FindingEntry>,
    /// Causes of the findings, as `diagnose` names them.
    causes: Vec<JsonCause>,
}

#[derive(Debug, Serialize)]
pub(super) struct JsonCause {
    cause: String,
    message: String,
    /// Codes of the findings that it explains.
    explains: Vec<String>,
}

impl From<&NamedCause> for JsonCause {
    fn from(cause: &NamedCause) -> Self {
        let NamedCause { name, statement, explains, .. } = cause.clone();
        Self { cause: name, message: statement, explains }
    }
}

/// `validate --jsonl`, for one file.
#[derive(Debug, Serialize)]
struct JsonLine {
    schema: &'static str,
    #[serde(flatten)]
    file: JsonFile,
}
