//! Undo and redo of camera moves. A drag is one move.
//!
//! Not for: the projection, which is undone together with the rest of the view (`documents/history`).

use crate::undo_stack::UndoStack;
use crate::{Action, AppState};
use rigscope_core::camera::Camera;
use rigscope_core::model::Aabb;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Orbit,
    Pan,
    Zoom,
    /// A task has computed the bounds to frame.
    Frame,
    Other,
}

/// The camera, and the box that it frames.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    camera: Camera,
    framed: Option<Aabb>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Move {
    /// The position to return to.
    position: Position,
    kind: Kind,
}

/// The undo history of the camera.
pub(crate) type CameraHistory = UndoStack<Move>;

/// The camera before an action.
pub(crate) struct CameraBefore {
    position: Position,
    kind: Kind,
    place: (u64, usize),
    num_undone: usize,
}

impl AppState {
    fn camera_position(&self) -> Position {
        Position { camera: self.tab.view.camera, framed: self.tab.view.framed }
    }

    /// Captures the camera before `action`, unless the camera moves of that action can't be undone.
    pub(crate) fn camera_before(&self, action: &Action) -> Option<CameraBefore> {
        let kind = match action {
            // The action returned by a task is recorded on its own.
            Action::ViewSized(_) | Action::TaskDone { .. } => return None,
            Action::Orbit { .. } => Kind::Orbit,
            Action::Pan(_) => Kind::Pan,
            Action::Zoom { .. } => Kind::Zoom,
            Action::Frame { .. } => Kind::Frame,
            _ => Kind::Other,
        };
        self.tab.document.as_ref()?;
        let (position, place) = (self.camera_position(), self.history_place());
        let num_undone = self.tab.view.camera_history.num_undone();
        Some(CameraBefore { position, kind, place, num_undone })
    }

    /// Adds an undo step if the camera has changed since `before`.
    pub(crate) fn camera_after(&mut self, before: Option<CameraBefore>) {
        let Some(CameraBefore { position, kind, place, num_undone }) = before else { return };
        // Undo and redo themselves aren't recorded.
        if self.tab.view.camera_history.num_undone() != num_undone {
            return;
        }
        let projection = self.tab.view.camera.projection;
        let same = Camera { projection, ..position.camera };
        if place == self.history_place() && same != self.tab.view.camera {
            let history = &mut self.tab.view.camera_history;
            // The first framing of a newly opened document can't be undone.
            let is_first = kind == Kind::Frame && position.framed.is_none() && !history.can_undo();
            if !is_first {
                let is_drag = matches!(kind, Kind::Orbit | Kind::Pan | Kind::Zoom);
                history.push(Move { position, kind }, |last| is_drag && last.kind == kind);
            }
        }
    }

    pub(crate) fn undo_camera(&mut self) {
        let position = self.camera_position();
        let last = self.tab.view.camera_history.undo(|last| Move { position, ..*last });
        if let Some(last) = last {
            self.restore_camera(last.position);
        }
    }

    pub(crate) fn redo_camera(&mut self) {
        let position = self.camera_position();
        let next = self.tab.view.camera_history.redo(|next| Move { position, ..*next });
        if let Some(next) = next {
            self.restore_camera(next.position);
        }
    }

    fn restore_camera(&mut self, position: Position) {
        let view = &mut self.tab.view;
        let projection = view.camera.projection;
        view.camera = Camera { projection, ..position.camera };
        view.framed = position.framed;
        // The size of the view may have changed.
        self.frame_again();
    }
}
