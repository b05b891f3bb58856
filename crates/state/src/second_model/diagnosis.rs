//! The causes of a file's faults, and the model without them next to the document.
//!
//! Not for: finding causes (`core::diagnose`), or writing fixed files (`output::fix`).

use std::sync::Arc;

use super::deviation::SecondModelSource;
use crate::{
    Action, AppState, Arrangement, Derived, DerivedIn, ModelKey, Pane, Request, SecondModel,
    TaskSlot,
};
use rigscope_core::diagnose::{Context, Diagnosis, diagnose, may_have_cause};
use rigscope_core::model::{FindingKind, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec};

/// Looks for causes.
pub const DIAGNOSIS_TASK: TaskSlot = TaskSlot("looking for causes");

/// A cause that explains the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCause {
    pub name: &'static str,
    /// The fault, as a sentence without a full stop.
    pub statement: String,
    /// The effect of undoing it on the evidence, likewise.
    pub improvement: String,
    /// The remedy in the exporter, as an imperative without a full stop.
    pub fix: &'static str,
    /// Codes of the findings that it explains.
    explains: &'static [&'static str],
    /// Whether a fix can undo it; otherwise the file doesn't contain the right values.
    pub can_be_undone: bool,
}

impl NamedCause {
    /// Whether findings of `kind` are symptoms of the cause.
    pub fn explains(&self, kind: FindingKind) -> bool {
        self.explains.contains(&kind.code())
    }
}

/// The result of a diagnosis.
#[derive(Clone, Debug)]
pub struct Causes {
    /// The most convincing cause first.
    pub list: Vec<NamedCause>,
    /// Unusual measurements, as sentences without a full stop.
    pub unusual: Vec<String>,
    /// Number of measurements, and of hypotheses that were ruled out.
    pub num_measured: usize,
    pub num_ruled_out: usize,
    /// The model without the causes, and the pose of the largest difference.
    undone: Arc<Model>,
    pose: PoseSpec,
}

impl Causes {
    fn of(diagnosis: &Diagnosis) -> Self {
        let cause = |cause: &rigscope_core::diagnose::Cause| NamedCause {
            name: cause.info.name,
            statement: cause.statement(),
            improvement: cause.improvement(),
            fix: cause.info.fix,
            explains: cause.info.explains,
            can_be_undone: !cause.is_estimate,
        };
        let undone = diagnosis.undone(diagnosis.causes.len());
        let unusual = diagnosis.measured.iter().filter(|measured| measured.is_suspicious);
        let text = |measured: &rigscope_core::diagnose::Measured| {
            format!("{} is {}", measured.evidence.meaning, measured.text())
        };
        Self {
            list: diagnosis.causes.iter().map(cause).collect(),
            unusual: unusual.map(text).collect(),
            num_measured: diagnosis.measured.len(),
            num_ruled_out: diagnosis.tried.len(),
            pose: diagnosis.most_different_pose(&undone),
            undone: Arc::new(undone),
        }
    }
}

/// An action on the diagnosis.
#[derive(Clone, Debug)]
pub enum DiagnosisAction {
    /// The causes were found.
    Found(Arc<Causes>),
    /// Toggles between the document with the model without the causes next to it, and only the document.
    ToggleUndone,
}

impl AppState {
    /// The causes of the document's faults, once they are known.
    pub fn causes(&self) -> Option<&Causes> {
        self.tab.view.causes.get().map(Arc::as_ref)
    }

    /// The cause that explains findings of this kind, if one is known.
    pub fn cause_of(&self, kind: FindingKind) -> Option<&NamedCause> {
        self.causes()?.list.iter().find(|cause| cause.explains(kind))
    }

    /// Whether the model without the causes is shown.
    pub fn shows_undone(&self) -> bool {
        self.tab.view.second.shown == Some(SecondModel::Undone)
    }

    /// The most convincing cause, if there is any, and the number of others.
    pub fn main_cause(&self) -> Option<(&NamedCause, usize)> {
        let list = &self.causes()?.list;
        Some((list.first()?, list.len() - 1))
    }

    /// Looks for causes while the pane is open, and as soon as validation has found a symptom.
    pub(crate) fn follow_diagnosis(&mut self) -> Vec<Request> {
        let findings = &self.tab.view.findings;
        let is_wanted = self.settings.panes.shows(Pane::Diagnosis)
            || findings.is_validated()
                && may_have_cause(
                    findings.all.iter().filter(|finding| !self.is_allowed(finding.kind)),
                );
        let place: DerivedIn<_, _> = |view| &mut view.causes;
        self.derive(DIAGNOSIS_TASK, place, self.model_key(), is_wanted, |_, key: ModelKey| {
            move |report: &Report| {
                let causes = Causes::of(&diagnose(&key.0, Context::default(), report)?);
                Ok(Action::Diagnosis(DiagnosisAction::Found(Arc::new(causes))))
            }
        })
    }

    pub(crate) fn apply_diagnosis(&mut self, action: DiagnosisAction) -> Vec<Request> {
        match action {
            DiagnosisAction::Found(causes) => self.tab.view.causes.set(causes),
            DiagnosisAction::ToggleUndone if self.shows_undone() => {
                return self.apply_second(crate::SecondAction::Hide);
            }
            DiagnosisAction::ToggleUndone => self.show_undone(),
        }
        Vec::new()
    }

    /// Shows both models side by side, in the pose of the largest difference.
    fn show_undone(&mut self) {
        let Some(pose) = self.causes().filter(|own| !own.list.is_empty()).map(|own| own.pose)
        else {
            return;
        };
        self.show_second(SecondModel::Undone);
        self.tab.view.second.arrangement = Arrangement::Beside;
        if let (Some(clip), Moment::TimeSecs(secs)) = (pose.clip, pose.moment)
            && self.tab.playback.clip != Some(clip)
        {
            self.set_clip(clip);
            self.seek(secs);
        }
        // Frames both models, because faults may move vertices anywhere.
        self.frame_shown();
    }
}

/// The model without the causes, as a second model.
pub(super) struct UndoneSource;

impl SecondModelSource for UndoneSource {
    fn name(&self, _: &AppState) -> Option<String> {
        Some("without the fault".to_owned())
    }

    fn models(&self, state: &AppState) -> Vec<Arc<Model>> {
        state.causes().map(|causes| Arc::clone(&causes.undone)).into_iter().collect()
    }
}

/// The causes of the document's model.
pub(crate) type CausesOf = Derived<ModelKey, Causes>;
