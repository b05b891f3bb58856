//! Undo and redo of view settings: display options, colours, selection, measured points, morph target weights and pairs
//! of bones.
//!
//! Not for: the camera, the clock, files. A step stores the complete previous settings, which are
//! small. All changes during a drag are one step.

use crate::undo_stack::UndoStack;
use crate::{
    Action, AnimationAction, AppState, Command, ModelPoint, PickFor, Request, Selection,
    SubsetLook, UserImages,
};
use rigscope_core::camera::Projection;
use rigscope_core::pose::{MorphOverrides, Normals};
use rigscope_core::rig::BoneMap;
use rigscope_core::visual::{Coloring, Show};

/// The settings that can be undone.
#[derive(Clone, Debug, PartialEq)]
struct Undoable {
    looks: Vec<SubsetLook>,
    isolated: Option<usize>,
    selection: Selection,
    measured: Vec<ModelPoint>,
    overlays: Show,
    user_images: UserImages,
    projection: Projection,
    normals: Normals,
    morphs: MorphOverrides,
    bone_pairs: BoneMap,
}

/// The kind of change. Changes of the same kind within one gesture are one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Color(usize),
    Light,
    Morph(usize),
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The settings to return to.
    shown: Undoable,
    /// Description for users.
    what: &'static str,
    kind: Kind,
}

/// The undo history of one document.
pub(crate) type History = UndoStack<Step>;

/// The state before an action.
pub(crate) struct Before {
    shown: Undoable,
    what: &'static str,
    kind: Kind,
    place: (u64, usize),
}

impl AppState {
    /// Description of the step that undo would revert.
    pub fn undo_title(&self) -> Option<&'static str> {
        self.tab.history.last_done().map(|step| step.what)
    }

    /// Description of the step that redo would repeat.
    pub fn redo_title(&self) -> Option<&'static str> {
        self.tab.history.last_undone().map(|step| step.what)
    }

    /// Captures the settings before `action`, unless the action can't be undone.
    pub(crate) fn before(&mut self, action: &Action) -> Option<Before> {
        if self.tab.document.is_none() || self.is_recording {
            return None;
        }
        let (what, kind) = match action {
            Action::Run(command) | Action::RunFromPalette(command)
                if [Command::Undo, Command::Redo].contains(command) =>
            {
                return None;
            }
            Action::Orbit { .. }
            | Action::Pan(_)
            | Action::Zoom { .. }
            | Action::PlaceCamera(_)
            | Action::ViewSized(_)
            | Action::JobProgress { .. }
            | Action::JobFailed { .. }
            | Action::Seek(_)
            | Action::SeekKey(_)
            | Action::DismissToast(_)
            | Action::ShowMessage(..)
            | Action::TaskDone { .. } => return None,
            Action::Run(command) | Action::RunFromPalette(command) => {
                (command.info().name, Kind::Other)
            }
            Action::Select(_) | Action::Pick(_) | Action::ShowPlace(_) => {
                ("Selection", Kind::Other)
            }
            Action::Picked(at, ..) => match at.wanted_for {
                PickFor::Measuring => ("Measurement", Kind::Other),
                _ => ("Selection", Kind::Other),
            },
            Action::SetVisible(..) | Action::Isolate(_) => ("Visibility", Kind::Other),
            Action::SetColor(number, _) => ("Colour", Kind::Color(*number)),
            Action::SetLight(_) => ("Light", Kind::Light),
            Action::Animation(AnimationAction::SetMorph { target, weight: Some(_) }) => {
                ("Morph target weight", Kind::Morph(*target))
            }
            Action::Animation(
                AnimationAction::SetMorph { .. }
                | AnimationAction::ResetMorphs
                | AnimationAction::ShowExpression(_),
            ) => ("Morph target weights", Kind::Other),
            Action::BonePairs(_) => ("Bone pairs", Kind::Other),
            Action::UserImage(_) => ("Image replacement", Kind::Other),
            _ => ("Change", Kind::Other),
        };
        self.is_recording = true;
        Some(Before { shown: self.undoable(), what, kind, place: self.history_place() })
    }

    /// Adds an undo step if the settings have changed since `before`.
    pub(crate) fn after(&mut self, before: Option<Before>) {
        let Some(before) = before else { return };
        self.is_recording = false;
        // If another document is shown now, it has its own history.
        if before.place == self.history_place() && before.shown != self.undoable() {
            let step = Step { shown: before.shown, what: before.what, kind: before.kind };
            let kind = step.kind;
            let is_same = |last: &Step| last.kind == kind && kind != Kind::Other;
            self.tab.history.push(step, is_same);
        }
    }

    /// Identifies the tab and the load of its document.
    pub(crate) fn history_place(&self) -> (u64, usize) {
        let document = self.tab.document.as_ref();
        let address = document.map_or(0, |d| d.content.address());
        (self.tab_id(), address)
    }

    fn undoable(&self) -> Undoable {
        Undoable {
            looks: self.tab.view.looks.clone(),
            isolated: self.tab.view.isolated,
            selection: self.tab.selection,
            measured: self.tab.view.measure.points.clone(),
            overlays: self.tab.view.overlays.undone_in(&Show::NOTHING),
            user_images: self.tab.view.user_images.clone(),
            projection: self.tab.view.camera.projection,
            normals: self.tab.playback.normals,
            morphs: self.tab.playback.morphs,
            bone_pairs: self.tab.view.bone_pairs.stated.clone(),
        }
    }

    pub(crate) fn undo(&mut self) -> Vec<Request> {
        let now = self.undoable();
        let step = self.tab.history.undo(|step| Step { shown: now, ..step.clone() });
        step.map_or_else(Vec::new, |step| self.restore(step.shown))
    }

    pub(crate) fn redo(&mut self) -> Vec<Request> {
        let now = self.undoable();
        let step = self.tab.history.redo(|step| Step { shown: now, ..step.clone() });
        step.map_or_else(Vec::new, |step| self.restore(step.shown))
    }

    fn restore(&mut self, shown: Undoable) -> Vec<Request> {
        let num_looks = self.tab.view.looks.len();
        if shown.looks.len() == num_looks {
            self.tab.view.looks = shown.looks;
            self.tab.view.isolated = shown.isolated.filter(|&number| number < num_looks);
        }
        let exists = |document| shown.selection.exists_in(document);
        if self.tab.document.as_ref().is_some_and(exists) {
            self.tab.selection = shown.selection;
        }
        self.set_measured(shown.measured);
        self.tab.view.user_images.restore(shown.user_images);
        self.tab.view.overlays = shown.overlays.undone_in(&self.tab.view.overlays);
        if self.tab.view.painting.is_none() && shown.overlays.coloring == Some(Coloring::Paint) {
            self.tab.view.overlays.coloring = None;
        }
        if self.tab.view.camera.projection != shown.projection {
            self.tab.view.camera.projection = shown.projection;
            self.frame_again();
        }
        self.set_normals(shown.normals);
        self.tab.playback.morphs = shown.morphs;
        let mut requests = self.save_overlays();
        requests.extend(self.state_bone_pairs(shown.bone_pairs));
        requests
    }
}
