//! Uploads to the GPU that take longer than a frame and therefore run in the background.
//!
//! The application reports the data that it lacks to draw the current view, and the state requests
//! it as a task: with progress, cancelled when the tab is left, awaited by scripts.

use super::{ModelKey, RunningTask, TaskSlot};
use crate::{AppState, Effect};

/// The part of a model to upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadPart {
    /// Its textures. Until they are uploaded, the surface is untextured.
    Textures,
    /// The environment light set by the user.
    Light,
    /// Everything except textures, for the view.
    Scene,
    /// Everything, for another pane.
    Whole,
}

impl UploadPart {
    /// The slot of its task.
    pub fn slot(self) -> TaskSlot {
        match self {
            Self::Textures => TaskSlot("reading textures"),
            Self::Light => TaskSlot("preparing the environment light"),
            Self::Scene | Self::Whole => TaskSlot("uploading"),
        }
    }
}

impl AppState {
    /// Uploads a part of `model`.
    pub(crate) fn upload(&mut self, model: ModelKey, part: UploadPart) -> Vec<Effect> {
        self.last_job_id += 1;
        let id = self.last_job_id;
        // Not exclusive in its slot: two models may be shown.
        self.tasks.push(RunningTask { id, slot: part.slot(), fraction: 0.0 });
        vec![Effect::Upload { id, model, part }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::opened;
    use crate::{Action, TabAction};

    #[test]
    fn textures_are_a_task_with_progress_that_ends_and_goes_with_its_tab() {
        let mut state = opened();
        let model = state.model_key().unwrap();
        let lacks = Action::NeedsUpload(model.clone(), UploadPart::Textures);
        let effects = state.apply(lacks.clone());
        let [Effect::Upload { id, model: wanted, part: UploadPart::Textures }] = &effects[..]
        else {
            panic!("{effects:?}");
        };
        assert_eq!(*wanted, model);
        state.apply(Action::JobProgress { id: *id, what: "", fraction: 0.5 });
        assert_eq!(state.task(UploadPart::Textures.slot()).unwrap().fraction, 0.5);
        state.apply(Action::TaskDone { id: *id, answer: None });
        assert!(!state.is_running(UploadPart::Textures.slot()));

        let effects = state.apply(lacks);
        let Some(Effect::Upload { id, .. }) = effects.first() else { panic!("{effects:?}") };
        let closed = state.apply(Action::Tab(TabAction::Close(0)));
        assert!(closed.contains(&Effect::CancelLoad(*id)));
        assert!(!state.is_running(UploadPart::Textures.slot()));
    }
}
