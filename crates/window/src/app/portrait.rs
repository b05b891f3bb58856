//! A document alone, as it opens, to be drawn small: no view of the window has a say in it.

use rigscope_state::{Action, AppState, Document, LoadReason, PictureChoice, Settings};

/// A state that shows `document` as it opens, and the choice that draws it `size_px` large.
pub(super) fn portrait(document: Document, size_px: [u32; 2]) -> Option<(AppState, PictureChoice)> {
    let mut state = AppState::new(Settings::default());
    state.apply(Action::ViewSized(glam::Vec2::from(size_px.map(|side| side as f32))));
    let request = AppState::request(document.origin.clone(), LoadReason::Open);
    state.apply(Action::Start(request));
    let id = state.job.as_ref()?.id;
    // Files without meshes are their bones.
    let has_overlays = document.model.meshes.is_empty();
    state.apply(Action::Loaded { id, document: Box::new(document), clock: String::new() });
    let choice =
        PictureChoice { size_px, is_transparent: true, has_overlays, ..PictureChoice::default() };
    Some((state, choice))
}
