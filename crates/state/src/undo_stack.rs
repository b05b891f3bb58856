//! An undo history.
//!
//! Not for: the contents of a step (`documents/history` for the view, `view/camera_history` for the camera).

/// Longest history.
const MAX_STEPS: usize = 100;
/// Changes to the same thing within this time belong to one gesture.
const GESTURE_SECS: f64 = 0.7;

/// Undo and redo stacks. Each step stores the state to return to. A gesture such as a drag is one
/// step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UndoStack<S> {
    done: Vec<S>,
    undone: Vec<S>,
    secs_since_last: f64,
}

impl<S> Default for UndoStack<S> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new(), secs_since_last: 0.0 }
    }
}

impl<S> UndoStack<S> {
    pub(crate) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The step that [`Self::undo`] would undo.
    pub(crate) fn last_done(&self) -> Option<&S> {
        self.done.last()
    }

    /// The step that [`Self::redo`] would repeat.
    pub(crate) fn last_undone(&self) -> Option<&S> {
        self.undone.last()
    }

    pub(crate) fn num_undone(&self) -> usize {
        self.undone.len()
    }

    /// Advances the gesture timer.
    pub(crate) fn tick(&mut self, dt_secs: f64) {
        self.secs_since_last += dt_secs;
    }

    /// Makes the next change a separate step.
    pub(crate) fn end_gesture(&mut self) {
        self.secs_since_last = GESTURE_SECS;
    }

    /// Adds `step`, unless it continues the last gesture: it follows soon and `is_same` accepts the
    /// last step.
    pub(crate) fn push(&mut self, step: S, is_same: impl FnOnce(&S) -> bool) {
        self.undone.clear();
        let is_gesture =
            self.secs_since_last < GESTURE_SECS && self.done.last().is_some_and(is_same);
        self.secs_since_last = 0.0;
        if is_gesture {
            return;
        }
        if self.done.len() == MAX_STEPS {
            self.done.remove(0);
        }
        self.done.push(step);
    }

    /// Pops the last step. `reversed` turns it into the step for redo.
    pub(crate) fn undo(&mut self, reversed: impl FnOnce(&S) -> S) -> Option<S> {
        let step = self.done.pop()?;
        self.undone.push(reversed(&step));
        self.end_gesture();
        Some(step)
    }

    /// Pops the last undone step. `reversed` turns it into the step for undo.
    pub(crate) fn redo(&mut self, reversed: impl FnOnce(&S) -> S) -> Option<S> {
        let step = self.undone.pop()?;
        self.done.push(reversed(&step));
        self.end_gesture();
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(steps: &mut UndoStack<u32>, step: u32) {
        steps.push(step, |last| last / 10 == step / 10);
    }

    #[test]
    fn a_gesture_is_one_step_until_it_pauses() {
        let mut steps = UndoStack::default();
        push(&mut steps, 10);
        push(&mut steps, 11);
        assert_eq!(steps.last_done(), Some(&10), "the state before the gesture");
        steps.tick(GESTURE_SECS);
        push(&mut steps, 12);
        push(&mut steps, 20);
        assert_eq!(steps.done, [10, 12, 20]);
    }

    #[test]
    fn a_new_step_discards_undone_steps() {
        let mut steps = UndoStack::default();
        push(&mut steps, 10);
        push(&mut steps, 20);
        assert_eq!(steps.undo(|step| step + 1), Some(20));
        assert_eq!((steps.last_undone(), steps.num_undone()), (Some(&21), 1));
        assert_eq!(steps.redo(|step| step - 1), Some(21));
        assert_eq!(steps.undo(|step| step + 1), Some(20));
        push(&mut steps, 10);
        assert_eq!(
            (&steps.done[..], steps.can_redo()),
            (&[10, 10][..], false),
            "after an undo it is another gesture"
        );
    }

    #[test]
    fn the_oldest_steps_are_dropped_first() {
        let mut steps = UndoStack::default();
        (0..u32::try_from(MAX_STEPS).unwrap() + 5).for_each(|step| push(&mut steps, step * 10));
        assert_eq!((steps.done.len(), steps.done[0]), (MAX_STEPS, 50));
    }
}
