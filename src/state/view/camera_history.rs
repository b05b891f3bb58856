//! Undo and redo of camera moves. A drag is one move.
//!
//! Not for: the projection, which is undone together with the rest of the view (`documents/history`).

use crate::camera::Camera;
use crate::model::Aabb;
use crate::state::{Action, AppState};

/// Moves kept for each document.
const MAX_MOVES: usize = 100;
/// Moves of the same kind that follow each other sooner are one gesture.
const GESTURE_SECS: f64 = 0.7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Orbit,
    Pan,
    Zoom,
    /// A task has found the bounds to frame.
    Frame,
    Other,
}

/// Where the camera is, and the box that fills the view.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    camera: Camera,
    framed: Option<Aabb>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Move {
    /// On the other side of the move.
    position: Position,
    kind: Kind,
}

/// The camera moves that were made and undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::state) struct CameraHistory {
    done: Vec<Move>,
    undone: Vec<Move>,
    secs_since_last: f64,
}

/// The camera before an action.
pub(in crate::state) struct CameraBefore {
    position: Position,
    kind: Kind,
    place: (u64, usize),
    num_undone: usize,
}

impl CameraHistory {
    pub(in crate::state) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(in crate::state) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Lets time pass.
    pub(in crate::state) fn tick(&mut self, dt_secs: f64) {
        self.secs_since_last += dt_secs;
    }

    fn push(&mut self, position: Position, kind: Kind) {
        // The first framing of a document that is opened is no move.
        let is_first = kind == Kind::Frame && position.framed.is_none() && self.done.is_empty();
        if is_first {
            return;
        }
        self.undone.clear();
        let is_gesture = self.secs_since_last < GESTURE_SECS
            && matches!(kind, Kind::Orbit | Kind::Pan | Kind::Zoom)
            && self.done.last().is_some_and(|last| last.kind == kind);
        self.secs_since_last = 0.0;
        if is_gesture {
            return;
        }
        if self.done.len() == MAX_MOVES {
            self.done.remove(0);
        }
        self.done.push(Move { position, kind });
    }
}

impl AppState {
    fn camera_position(&self) -> Position {
        Position { camera: self.tab.view.camera, framed: self.tab.view.framed }
    }

    /// Remembers where the camera is before `action`; `None` if its moves aren't undone.
    pub(in crate::state) fn camera_before(&self, action: &Action) -> Option<CameraBefore> {
        let kind = match action {
            // A task's answer is another action, which is recorded.
            Action::ViewSized(_) | Action::TaskDone { .. } => return None,
            Action::Orbit { .. } => Kind::Orbit,
            Action::Pan(_) => Kind::Pan,
            Action::Zoom { .. } => Kind::Zoom,
            Action::Frame { .. } => Kind::Frame,
            _ => Kind::Other,
        };
        self.tab.document.as_ref()?;
        let (position, place) = (self.camera_position(), self.history_place());
        let num_undone = self.tab.view.camera_history.undone.len();
        Some(CameraBefore { position, kind, place, num_undone })
    }

    /// Records a move if the camera has changed since `before`.
    pub(in crate::state) fn camera_after(&mut self, before: Option<CameraBefore>) {
        let Some(CameraBefore { position, kind, place, num_undone }) = before else { return };
        // Undo and redo move the camera along the history.
        if self.tab.view.camera_history.undone.len() != num_undone {
            return;
        }
        let projection = self.tab.view.camera.projection;
        let same = Camera { projection, ..position.camera };
        if place == self.history_place() && same != self.tab.view.camera {
            self.tab.view.camera_history.push(position, kind);
        }
    }

    pub(in crate::state) fn undo_camera(&mut self) {
        let now = self.camera_position();
        let history = &mut self.tab.view.camera_history;
        let Some(last) = history.done.pop() else { return };
        history.undone.push(Move { position: now, ..last });
        self.restore_camera(last.position);
    }

    pub(in crate::state) fn redo_camera(&mut self) {
        let now = self.camera_position();
        let history = &mut self.tab.view.camera_history;
        let Some(next) = history.undone.pop() else { return };
        history.done.push(Move { position: now, ..next });
        self.restore_camera(next.position);
    }

    fn restore_camera(&mut self, position: Position) {
        let view = &mut self.tab.view;
        // The next move is another gesture.
        view.camera_history.secs_since_last = GESTURE_SECS;
        let projection = view.camera.projection;
        view.camera = Camera { projection, ..position.camera };
        view.framed = position.framed;
        // The view may have another size by now.
        self.frame_again();
    }
}
