//! Pending picks: requests for the item under the pointer that aren't answered yet.
//!
//! The application picks in the background. By the time it answers, another tab may be shown, the
//! file reloaded or a newer pick requested; such an answer is ignored.

use glam::Vec2;

use super::hover::PickContext;
use super::pick::{PickAt, PickFor};
use crate::{AppState, ModelKey};

/// A pick without an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingPick {
    at: PickAt,
    /// The model at the time of the request, since the same point may be picked in the next model
    /// meanwhile.
    model: Option<ModelKey>,
    /// The view state that a tooltip describes; `None` for clicks.
    context: Option<PickContext>,
}

impl AppState {
    /// Records a pick. Returns `false` if the same hover pick is already pending.
    pub(super) fn add_pick(&mut self, at: PickAt) -> bool {
        let context = (at.wanted_for == PickFor::Hovering).then(|| self.pick_context());
        let asked = PendingPick { at, model: self.model_key(), context };
        let questions = &mut self.tab.view.pending_picks;
        // Two clicks at one point are two picks.
        if asked.context.is_some() && questions.contains(&asked) {
            return false;
        }
        // Every measured point counts, however fast the clicks follow each other.
        let is_over = |older: &PendingPick| older.at.wanted_for == at.wanted_for;
        questions.retain(|older| at.wanted_for == PickFor::Measuring || !is_over(older));
        questions.push(asked);
        true
    }

    /// Whether a hover pick at `ndc` is pending.
    pub fn is_hover_pending(&self, ndc: Vec2) -> bool {
        let is_it = |asked: &PendingPick| asked.at.ndc == ndc && asked.context.is_some();
        let asked = self.tab.view.pending_picks.iter().find(|asked| is_it(asked));
        asked.is_some_and(|asked| asked.context == Some(self.pick_context()))
    }

    /// Whether a click isn't answered yet: the selection is about to change.
    pub fn is_selection_pending(&self) -> bool {
        self.tab.view.pending_picks.iter().any(|asked| asked.at.wanted_for == PickFor::Selecting)
    }

    /// Removes the pending pick that this answer belongs to. Returns whether the answer is still
    /// valid.
    pub(super) fn resolve_pick(&mut self, at: PickAt, model: &ModelKey) -> bool {
        let questions = &mut self.tab.view.pending_picks;
        let is_it = |asked: &PendingPick| asked.at == at && asked.model.as_ref() == Some(model);
        let Some(number) = questions.iter().position(is_it) else { return false };
        let asked = questions.remove(number);
        asked.context.is_none_or(|context| context == self.pick_context())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{answer, model, opened, picked, request};
    use crate::{Action, PickWhat, Request, Selection, TabAction};
    use rigscope_core::model::{MeshId, VertexId};
    use rigscope_core::visual::{PickHit, PickedTriangle};

    fn hit() -> PickHit {
        let triangle =
            PickedTriangle { mesh: MeshId(0), triangle: 1, subset: 1, vertex: VertexId(4) };
        PickHit { triangle: Some(triangle), ..PickHit::default() }
    }

    fn at(x: f32, wanted_for: PickFor) -> PickAt {
        PickAt { ndc: Vec2::new(x, 0.0), what: PickWhat::Subset, wanted_for }
    }

    fn is_asked(state: &mut AppState, at: PickAt) -> bool {
        state.apply(Action::Pick(at)) == [Request::Pick(at)]
    }

    #[test]
    fn pick_results_for_another_tab_or_file_are_ignored() {
        let click = at(0.1, PickFor::Selecting);
        let mut state = opened();
        state.apply(Action::Pick(click));
        let of_first = picked(&state, click, hit());
        let wanted = request(state.apply(Action::Open("dir/beside.bsm2".into())));
        answer(&mut state, &wanted, model(["x", "y"]));
        state.apply(of_first.clone());
        assert_eq!(state.tab.selection, Selection::None);
        // When its tab is shown again, the answer is still valid.
        state.apply(Action::Tab(TabAction::Show(0)));
        state.apply(of_first.clone());
        assert_eq!(state.tab.selection, Selection::Subset(1));
        state.apply(Action::Select(Selection::None));
        state.apply(Action::Pick(click));
        let again = request(state.apply(Action::FileChanged));
        answer(&mut state, &again, model(["x", "y"]));
        state.apply(of_first.clone());
        assert_eq!(state.tab.selection, Selection::None);
        // Also if the same point is picked in the next model before the last one has been answered.
        state.apply(Action::Pick(click));
        state.apply(of_first);
        assert_eq!(state.tab.selection, Selection::None);
        state.apply(picked(&state, click, hit()));
        assert_eq!(state.tab.selection, Selection::Subset(1));
    }

    #[test]
    fn only_the_later_of_two_clicks_selects_and_only_once() {
        let mut state = opened();
        let (first, second) = (at(0.1, PickFor::Selecting), at(0.2, PickFor::Selecting));
        state.apply(Action::Pick(first));
        state.apply(Action::Pick(second));
        state.apply(picked(&state, first, hit()));
        assert_eq!(state.tab.selection, Selection::None);
        state.apply(picked(&state, second, hit()));
        assert_eq!(state.tab.selection, Selection::Subset(1));
        state.apply(Action::Select(Selection::None));
        state.apply(picked(&state, second, hit()));
        assert_eq!(state.tab.selection, Selection::None);
    }

    #[test]
    fn hover_is_picked_once_and_shown_only_until_the_view_changes() {
        let mut state = opened();
        let rest = at(0.1, PickFor::Hovering);
        assert!(!state.is_hover_pending(rest.ndc));
        assert!(is_asked(&mut state, rest) && !is_asked(&mut state, rest));
        assert!(state.is_hover_pending(rest.ndc) && !state.is_hover_pending(Vec2::ONE));
        state.apply(Action::Pan(Vec2::X));
        state.apply(picked(&state, rest, hit()));
        assert!(state.tab.view.hover.is_none(), "the pick belongs to an older image");
        assert!(is_asked(&mut state, rest));
        state.apply(picked(&state, rest, hit()));
        assert!(state.hover_at(rest.ndc).is_some());
    }
}
