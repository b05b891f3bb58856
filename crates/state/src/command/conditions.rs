//! Conditions of commands, with the reason to show while one isn't met.

use crate::{AppState, Document, Selection};

/// Whether a command can run; if not, the reason as a clause such as `needs a selected bone`.
pub(super) type Condition = fn(&AppState) -> Result<(), &'static str>;

/// Met if `is_met`, otherwise `reason`.
pub(super) fn needs(is_met: bool, reason: &'static str) -> Result<(), &'static str> {
    if is_met { Ok(()) } else { Err(reason) }
}

pub(super) fn has_document(state: &AppState) -> Result<(), &'static str> {
    needs(state.tab.document.is_some(), "needs an open file")
}

pub(super) fn has_file(state: &AppState) -> Result<(), &'static str> {
    needs(state.has_file(), "needs a file on disk")
}

fn document_has(state: &AppState, test: fn(&Document) -> bool) -> bool {
    state.tab.document.as_ref().is_some_and(test)
}

pub(super) fn has_bones(state: &AppState) -> Result<(), &'static str> {
    let has_bones = document_has(state, |document| !document.model.skeleton.is_empty());
    needs(has_bones, "needs a file with bones")
}

pub(super) fn has_selection(state: &AppState) -> Result<(), &'static str> {
    needs(state.tab.selection != Selection::None, "needs a selection")
}

pub(super) fn selects_subset(state: &AppState) -> Result<(), &'static str> {
    needs(state.tab.selection.subset().is_some(), "needs a selected subset")
}

pub(super) fn selects_bone(state: &AppState) -> Result<(), &'static str> {
    needs(state.tab.selection.bone().is_some(), "needs a selected bone")
}

pub(super) fn has_tabs(state: &AppState) -> Result<(), &'static str> {
    needs(state.num_tabs() > 1, "needs a second tab")
}

pub(super) fn has_keys(state: &AppState) -> Result<(), &'static str> {
    let has_keys = state.key_times().is_some_and(|keys| !keys.is_empty());
    needs(has_keys, "needs a clip with keys")
}

pub(super) fn has_clip(state: &AppState) -> Result<(), &'static str> {
    needs(state.clip().is_some(), "needs a file with a clip")
}

pub(super) fn has_clips(state: &AppState) -> Result<(), &'static str> {
    needs(state.num_clips() > 1, "needs a file with several clips")
}

pub(super) fn can_play(state: &AppState) -> Result<(), &'static str> {
    needs(state.can_play(), "needs a clip with several keys")
}

pub(super) fn is_zoomed_in_time(state: &AppState) -> Result<(), &'static str> {
    needs(state.tab.view.timeline.visible.is_some(), "the timeline shows the whole clip already")
}

pub(super) fn has_second(state: &AppState) -> Result<(), &'static str> {
    needs(state.has_second(), "needs a second model, from a comparison or another engine")
}
