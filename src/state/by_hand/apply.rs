//! Setting images by hand and taking them away.

use std::path::PathBuf;
use std::sync::Arc;

use super::hand_image::{HandImage, HandSlot, ImageRequest, name_of};
use crate::state::{AppState, Effect, FileKind, RunningTask, TaskSlot, ToastLevel};
use crate::visual::{EnvironmentKind, Shading};

/// Reading an image that was chosen.
const READ_TASK: TaskSlot = TaskSlot("reading an image");

/// What is set by hand in one tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByHand {
    environment: Option<Arc<HandImage>>,
}

impl ByHand {
    /// The file that lights the model in place of its own light.
    pub fn environment(&self) -> Option<&Arc<HandImage>> {
        self.environment.as_ref()
    }

    /// What is set for `slot`.
    pub fn of(&self, slot: HandSlot) -> Option<&Arc<HandImage>> {
        match slot {
            HandSlot::Environment => self.environment.as_ref(),
        }
    }

    fn set(&mut self, slot: HandSlot, image: Option<Arc<HandImage>>) {
        match slot {
            HandSlot::Environment => self.environment = image,
        }
    }
}

/// What can be done by hand.
#[derive(Clone, Debug)]
pub enum ByHandAction {
    /// Asks for a file.
    Ask(HandSlot),
    /// Reads a file.
    Read(HandSlot, PathBuf),
    /// It has been read; or why it is of no use, as a phrase.
    Took(HandSlot, PathBuf, Result<Arc<HandImage>, String>),
    /// Goes on without.
    Remove(HandSlot),
}

impl AppState {
    pub(in crate::state) fn apply_by_hand(&mut self, action: ByHandAction) -> Vec<Effect> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        match action {
            ByHandAction::Ask(slot) => vec![Effect::PickFiles(FileKind::Image(slot))],
            ByHandAction::Read(slot, path) => self.read_by_hand(slot, path),
            ByHandAction::Took(slot, _, Ok(image)) => {
                self.tab.view.by_hand.set(slot, Some(image));
                match slot {
                    HandSlot::Environment => self.show_hand_light(),
                }
            }
            ByHandAction::Took(slot, path, Err(why)) => {
                // The GPU may refuse what could be decoded.
                let is_set = self.tab.view.by_hand.of(slot).is_some_and(|set| set.path == path);
                if is_set {
                    self.tab.view.by_hand.set(slot, None);
                }
                let text = format!("{} is not used: {why}", name_of(&path));
                self.toasts.push(ToastLevel::Warning, text);
                Vec::new()
            }
            ByHandAction::Remove(slot) => {
                self.tab.view.by_hand.set(slot, None);
                Vec::new()
            }
        }
    }

    fn read_by_hand(&mut self, slot: HandSlot, path: PathBuf) -> Vec<Effect> {
        self.last_job_id += 1;
        let id = self.last_job_id;
        // Beside others: several may be chosen one after another.
        self.tasks.push(RunningTask { id, slot: READ_TASK, fraction: 0.0 });
        vec![Effect::ReadImage(ImageRequest { id, slot, path })]
    }

    /// Who chooses a light wants to see it.
    fn show_hand_light(&mut self) -> Vec<Effect> {
        self.change_light(|light| {
            light.environment = EnvironmentKind::File;
            if light.shading == Shading::Plain {
                light.shading = Shading::Physical;
            }
        })
    }

    /// The file that lights the model, where the light is of a file.
    pub fn shown_hand_light(&self) -> Option<&Arc<HandImage>> {
        let is_shown = self.tab.view.overlays.light.environment == EnvironmentKind::File;
        self.tab.view.by_hand.environment().filter(|_| is_shown)
    }
}
