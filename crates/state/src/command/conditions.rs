//! Conditions shared by several commands.

use crate::{AppState, Document, Selection};

pub(super) fn has_document(state: &AppState) -> bool {
    state.tab.document.is_some()
}

fn document_has(state: &AppState, test: fn(&Document) -> bool) -> bool {
    state.tab.document.as_ref().is_some_and(test)
}

pub(super) fn has_bones(state: &AppState) -> bool {
    document_has(state, |document| !document.model.skeleton.is_empty())
}

pub(super) fn has_selection(state: &AppState) -> bool {
    state.tab.selection != Selection::None
}

pub(super) fn selects_subset(state: &AppState) -> bool {
    state.tab.selection.subset().is_some()
}

pub(super) fn selects_bone(state: &AppState) -> bool {
    state.tab.selection.bone().is_some()
}

pub(super) fn has_tabs(state: &AppState) -> bool {
    state.num_tabs() > 1
}

pub(super) fn has_keys(state: &AppState) -> bool {
    state.key_times().is_some_and(|keys| !keys.is_empty())
}

pub(super) fn has_clip(state: &AppState) -> bool {
    state.clip().is_some()
}

pub(super) fn has_clips(state: &AppState) -> bool {
    state.num_clips() > 1
}
