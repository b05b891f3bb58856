//! `baseline`: writes the counts, findings and poses of files, for `check` to compare with.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::config::Configs;
use super::exit::{Exit, at_path};
use super::file_findings::{CheckRequest, FileFindings, NamedCause, check_file, entry_hash};
use super::history::Staged;
use super::output::Output;
use super::result_cache::ResultCache;
use super::severity_counts::SeverityCounts;
use super::standard_output::check_target;
use super::suggested_command::{file_arg, suggested};
use super::text::counted;
use super::{OptionArgs, WalkArgs, batch, file_search, input, timings};
use rigscope_core::model::{FindingKind, Report, Severity};
use rigscope_core::policy::{ValidateOptions, Validation};
use rigscope_io::OpenOptions;
use rigscope_io::baseline::{Entry, LOCK_NAME, Lock, rules_hash};
use rigscope_io::files::{Inputs, is_standard_stream, path_text, save};
use rigscope_io::open::Opener;

/// `baseline`.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// Files to read, or folders to search for files of known formats
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = LOCK_NAME)]
    pub output: PathBuf,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub force: bool,
    /// Which files are read, and how.
    #[command(flatten)]
    pub files: FilesArgs,
}

/// Arguments of `baseline` and `check`.
#[derive(Debug, Args)]
pub struct FilesArgs {
    /// Cache results in this folder, and reuse them for files that haven't changed
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Which files of folders are found.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Which findings are reported, and which fail.
    #[command(flatten)]
    pub validate: OptionArgs<ValidateOptions>,
    /// Read the settings from this file instead of the nearest rigscope.toml in or above each file's folder
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

/// A file that was read.
pub(super) struct ReadFile {
    pub(super) path: PathBuf,
    pub(super) entry: Entry,
    /// The findings that the options select.
    pub(super) validation: Validation,
    /// Causes of the findings.
    pub(super) causes: Vec<NamedCause>,
    pub(super) options: ValidateOptions,
    /// Whether it was read. If not, its findings aren't known, and the content and the basis of its entry are as in the
    /// baseline.
    pub(super) was_checked: bool,
}

/// All files below some paths.
pub(super) struct ReadFiles {
    /// By path relative to the baseline.
    pub(super) files: BTreeMap<String, ReadFile>,
    /// Paths that don't exist.
    pub(super) missing: Vec<PathBuf>,
    /// All files that were read, which the baseline may not replace.
    pub(super) inputs: Inputs,
}

pub(super) fn run(args: &BaselineArgs, output: &Output) -> anyhow::Result<Exit> {
    let may_write = |inputs: &Inputs| check_target(&args.output, args.force, inputs);
    let none = Lock::default();
    let read =
        read_files(&args.paths, (&args.files, None), &args.output, &none, may_write, output)?;
    for path in &read.missing {
        output.error(&at_path("no such file or folder", path));
    }
    if !read.missing.is_empty() {
        return Ok(Exit::BadInput);
    }
    if read.files.is_empty() {
        anyhow::bail!("no model was found; check the paths");
    }
    let lock = lock_of(&read);
    save(&args.output, lock.to_text().as_bytes(), args.force, &read.inputs)?;
    let mut counts = SeverityCounts::default();
    for file in read.files.values() {
        counts.add(SeverityCounts::of(&file.validation.findings));
    }
    let files = counted(lock.files.len() as u64, "file");
    let mut command: Vec<OsString> = vec!["check".into()];
    if args.output != Path::new(LOCK_NAME) {
        command.extend(["--baseline".into(), file_arg(&args.output)]);
    }
    let command = suggested(command);
    let message = format!("{files} with {}; compare with `{command}`", counts.text());
    output.report_at(Severity::Info, &args.output, &message);
    Ok(Exit::Done)
}

/// The baseline of these files.
pub(super) fn lock_of(read: &ReadFiles) -> Lock {
    let entries = read.files.iter().map(|(name, file)| (name.clone(), file.entry.clone()));
    Lock { files: entries.collect() }
}

/// Reads all files below `paths`, or those that are `staged` there, on all cores, unless `check_output` fails for the files that were found. Files whose
/// entries in `known`, the baseline at `lock`, are current aren't read.
pub(super) fn read_files(
    paths: &[PathBuf],
    (args, staged): (&FilesArgs, Option<&Staged>),
    lock: &Path,
    known: &Lock,
    check_output: impl FnOnce(&Inputs) -> anyhow::Result<()>,
    output: &Output,
) -> anyhow::Result<ReadFiles> {
    if let Some(path) = paths.iter().find(|path| is_standard_stream(path)) {
        return Err(at_path("standard input has no path to compare it by; name files", path));
    }
    let opener = input::opener(&args.input.0)?.recording();
    let mut configs = Configs::new(args.config.as_deref(), opener.inputs())?;
    let found = match staged {
        Some(staged) => staged.find(paths)?,
        None => file_search::find(paths, &args.walk, &mut configs)?,
    };
    for (path, message) in &found.unlistable {
        output.error(&at_path(message, path));
    }
    let opener = opener.with_inputs(&found.files);
    let opener = match staged {
        Some(staged) => staged.opener(opener),
        None => opener,
    };
    let inputs = opener.inputs().clone();
    let configs = Mutex::new(configs);
    check_output(&inputs)?;
    let cache = ResultCache::new(opener, args.cache.as_deref(), output)?;
    let work = |path: &Path| {
        let config = {
            let mut configs = configs.lock().unwrap_or_else(PoisonError::into_inner);
            configs.of(path)?.of(path, &args.validate.0)
        };
        let request = CheckRequest { config: &config, played_as: None, with_entry: true };
        let rules =
            rules_hash(cache.opener(), &format!("{} {}", request.kind(), request.config.key()));
        let entry = known.files.get(&relative_to(path, lock));
        if let Some(entry) = entry.filter(|entry| is_current(entry, path, &rules, cache.opener())) {
            return anyhow::Ok(ReadFile {
                path: path.to_owned(),
                entry: entry.clone(),
                validation: Validation::default(),
                causes: Vec::new(),
                options: config.options,
                was_checked: false,
            });
        }
        let FileFindings { of_reader, of_rules, entry, mut causes, .. } =
            check_file(path, &cache, request);
        let validation = config.options.filter(of_reader, of_rules);
        causes.retain(|cause| config.options.reports_cause(&cause.name));
        let mut entry = entry.unwrap_or_default();
        let is_over_budget = |code: &str| code == FindingKind::OverBudget.code();
        // Files over budget fail each check, so each check needs their findings.
        let mut kinds = validation.findings.iter().map(|finding| finding.kind);
        let is_known =
            entry.signature().is_some() && !kinds.any(|kind| kind == FindingKind::OverBudget);
        let basis = entry.basis.take().filter(|_| is_known);
        entry.basis = basis.map(|basis| basis.with_rules(rules));
        // The baseline has the findings that are reported, so that ignored ones never appear as new.
        entry.findings.retain(|code, _| {
            !is_over_budget(code)
                && validation.findings.iter().any(|finding| finding.kind.code() == code)
        });
        anyhow::Ok(ReadFile {
            path: path.to_owned(),
            entry,
            validation,
            causes,
            options: config.options,
            was_checked: true,
        })
    };
    let mut files = BTreeMap::new();
    let done = |path: PathBuf, file: anyhow::Result<ReadFile>| {
        files.insert(relative_to(&path, lock), file?);
        Ok(())
    };
    let num_files = found.files.len();
    batch::each(found.files.into_iter().map(Ok), Some(num_files), output, work, done)?;
    found.skipped.announce(output);
    timings::at("comparing");
    Ok(ReadFiles { files, missing: found.missing, inputs })
}

/// Whether `entry` still describes the file at `path`.
fn is_current(entry: &Entry, path: &Path, rules: &str, opener: &Opener) -> bool {
    let Some(basis) = entry.basis.as_ref().filter(|basis| basis.has_rules(rules)) else {
        return false;
    };
    let Ok(file) = opener.file(path, &Report::new()) else { return false };
    let is_same = entry_hash(&file).is_ok_and(|hash| hash == entry.hash);
    let is_current = is_same && basis.is_current(&file);
    if is_current {
        opener.remember(&file);
    }
    is_current
}

/// The nearest baseline in or above the folder of the first path, or of the current folder without paths; if there is
/// none, `rigscope.lock.jsonl`.
pub(super) fn nearest_lock(paths: &[PathBuf]) -> PathBuf {
    let start = paths.first().map_or(Path::new("."), PathBuf::as_path);
    let start = std::path::absolute(start).unwrap_or_else(|_| start.to_owned());
    let found = start.ancestors().map(|folder| folder.join(LOCK_NAME)).find(|lock| lock.is_file());
    let here = std::env::current_dir().map(|here| here.join(LOCK_NAME)).ok();
    // A short path in messages.
    found.filter(|lock| here.as_ref() != Some(lock)).unwrap_or_else(|| LOCK_NAME.into())
}

/// The path relative to the folder of the baseline, with `/`; absolute if it isn't below that folder.
pub(super) fn relative_to(path: &Path, lock: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (path, lock) = (absolute(path), absolute(lock));
    let own = lock.parent().and_then(|folder| path.strip_prefix(folder).ok());
    let parts = own.unwrap_or(&path).components();
    let parts: Vec<_> = parts.map(|part| path_text(part.as_ref())).collect();
    parts.join("/").replacen("//", "/", 1)
}
