//! A view of a document as it opens, for thumbnails, independent of the window's view.

use rigscope_state::{Action, AppState, Document, ImageExportChoice, LoadReason, Settings};

/// A state that shows `document` as it opens, and the options to draw it at `size_px`.
pub(super) fn portrait(
    document: Document,
    size_px: [u32; 2],
) -> Option<(AppState, ImageExportChoice)> {
    let mut state = AppState::new(Settings::default());
    state.apply(Action::ViewSized(glam::Vec2::from(size_px.map(|side| side as f32))));
    let request = AppState::request(document.origin.clone(), LoadReason::Open);
    state.apply(Action::Start(request));
    let id = state.job.as_ref()?.id;
    // Files without meshes show their bones.
    let has_overlays = document.model.meshes.is_empty();
    state.apply(Action::Loaded { id, document: Box::new(document), clock: String::new() });
    let choice = ImageExportChoice {
        size_px,
        is_transparent: true,
        has_overlays,
        ..ImageExportChoice::default()
    };
    Some((state, choice))
}
