//! Fixing the open file: the choice, the path, and the result.

use std::path::{Path, PathBuf};

use crate::{Action, AppState, FilePurpose, JobId, JobOwner, Origin, Request, Subject, ToastLevel};
use rigscope_io::OpenOptions;
use rigscope_io::fix::{Choice, can_fix, default_target};
use rigscope_io::formats::by_id;

/// A file to fix, and where to write the result.
#[derive(Clone, Debug, PartialEq)]
pub struct FixRequest {
    pub id: JobId,
    pub target: Origin,
    /// How the file is read.
    pub options: OpenOptions,
    pub choice: Choice,
    /// The file to write.
    pub path: PathBuf,
    /// Whether the fix is only tried, and nothing is written.
    pub is_trial: bool,
}

/// The result of fixing a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FixOutcome {
    /// Paths of the files, the main one first; empty if nothing was fixed. Those of a trial would be written.
    pub files: Vec<PathBuf>,
    /// The applied and rejected fixes, one line each.
    pub lines: Vec<String>,
}

/// An action on fixes.
#[derive(Clone, Debug)]
pub enum FixAction {
    /// Tries to fix these findings and causes, and asks for the path of the file if that works.
    Ask(Choice),
    /// The path was chosen.
    To(PathBuf),
    /// The file was written; an error is a sentence.
    Done {
        id: JobId,
        outcome: Result<FixOutcome, String>,
    },
    Cancel,
}

/// The state of fixing the file of a tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixing {
    /// The choice that is tried, or waits for a path.
    choice: Option<Choice>,
    /// Whether the running job is a trial.
    is_trial: bool,
    /// The running job, its step and its progress.
    running: Option<(JobId, &'static str, f32)>,
}

impl Fixing {
    pub(crate) fn job(&self) -> Option<JobId> {
        self.running.map(|(id, ..)| id)
    }

    /// Step and progress of the running job.
    pub fn progress(&self) -> Option<(&'static str, f32)> {
        self.running.map(|(_, what, fraction)| (what, fraction))
    }
}

impl AppState {
    /// The change that fixes findings with this code, as an imperative without a full stop.
    pub fn fix_of(&self, code: &str) -> Option<&'static str> {
        let document = self.tab.document.as_ref()?;
        can_fix(code, by_id(document.format.id)?).map(|(action, _)| action)
    }

    /// Whether any finding of the document is fixed without being named.
    pub fn has_fixes(&self) -> bool {
        let Some(document) = &self.tab.document else { return false };
        let Some(format) = by_id(document.format.id) else { return false };
        let mut findings = self.tab.view.findings.all.iter();
        findings.any(|finding| {
            can_fix(finding.kind.code(), format).is_some_and(|(_, must_be_named)| !must_be_named)
        })
    }

    pub(crate) fn apply_fix(&mut self, action: FixAction) -> Vec<Request> {
        match action {
            FixAction::Ask(choice) => self.ask_fix(choice),
            FixAction::To(path) => self.fix_to(path),
            FixAction::Done { id, outcome } => self.fix_done(id, outcome),
            FixAction::Cancel => {
                let running = self.tab.view.fixing.running.take();
                running.map(|(id, ..)| Request::Cancel(id)).into_iter().collect()
            }
        }
    }

    /// The folder of the document and the usual path of its fixed file.
    fn usual_fix(&self) -> Option<(Option<PathBuf>, PathBuf)> {
        let document = self.tab.document.as_ref()?;
        let own = document.origin.path().map(ToOwned::to_owned);
        let folder =
            own.as_deref().and_then(Path::parent).filter(|own| !own.as_os_str().is_empty());
        let folder = folder.map(Path::to_owned);
        Some((folder, default_target(&own.unwrap_or_else(|| PathBuf::from(document.name())))))
    }

    /// Tries the fix first, so that whatever rejects it does so before the user chooses a path.
    fn ask_fix(&mut self, choice: Choice) -> Vec<Request> {
        let Some((_, path)) = self.usual_fix() else { return Vec::new() };
        if self.tab.view.fixing.running.is_some() {
            return Vec::new();
        }
        self.tab.view.fixing.choice = Some(choice.clone());
        self.run_fix(choice, path, true)
    }

    fn fix_to(&mut self, path: PathBuf) -> Vec<Request> {
        let Some((_, usual)) = self.usual_fix() else { return Vec::new() };
        let path = match path.extension() {
            Some(_) => path,
            None => path.with_extension(usual.extension().unwrap_or_default()),
        };
        let Some(choice) = self.tab.view.fixing.choice.take() else { return Vec::new() };
        self.run_fix(choice, path, false)
    }

    fn run_fix(&mut self, choice: Choice, path: PathBuf, is_trial: bool) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let (target, options) = (document.origin.clone(), document.options.clone());
        let id = self.new_job(JobOwner::Fix);
        let what = if is_trial { "trying the fix" } else { "fixing" };
        self.tab.view.fixing.running = Some((id, what, 0.0));
        self.tab.view.fixing.is_trial = is_trial;
        vec![Request::Fix(Box::new(FixRequest { id, target, options, choice, path, is_trial }))]
    }

    pub(crate) fn fix_progress(&mut self, job: JobId, what: &'static str, share: f32) {
        if let Some(fixing) = self.fixing_of(job) {
            fixing.running = Some((job, what, share));
        }
    }

    /// After a trial that works, asks for the path. Otherwise reports the result, and opens the fixed file in a new tab.
    fn fix_done(&mut self, id: JobId, outcome: Result<FixOutcome, String>) -> Vec<Request> {
        let Some(fixing) = self.fixing_of(id) else { return Vec::new() };
        fixing.running = None;
        if std::mem::take(&mut fixing.is_trial) {
            let works = outcome.as_ref().is_ok_and(|done| !done.files.is_empty());
            let usual = self.usual_fix().filter(|_| works);
            if let Some((folder, target)) = usual {
                let text = |part: Option<&std::ffi::OsStr>| {
                    part.unwrap_or_default().to_string_lossy().into_owned()
                };
                let (name, extension) = (text(target.file_name()), text(target.extension()));
                let purpose = FilePurpose::Fix;
                return vec![Request::PickTarget { purpose, folder, name, extension }];
            }
            self.tab.view.fixing.choice = None;
        }
        let (level, text, file) = match &outcome {
            Err(message) => (ToastLevel::Error, format!("not fixed: {message}"), None),
            Ok(done) => match done.files.first() {
                Some(file) => {
                    let text = format!("saved {}\n{}", file.display(), done.lines.join("\n"));
                    (ToastLevel::Info, text, Some(file.clone()))
                }
                None => (ToastLevel::Warning, done.lines.join("\n"), None),
            },
        };
        self.toasts.push_about(Subject::Fix, level, text);
        file.map_or_else(Vec::new, |file| self.change(Action::Open(file)))
    }
}
