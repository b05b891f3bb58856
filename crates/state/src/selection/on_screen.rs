//! Projection of file positions into the view.

use glam::{Mat4, Vec2, Vec3};

use crate::AppState;

/// The projection from file space to clip space.
pub(super) fn clip_from_file(state: &AppState) -> Option<Mat4> {
    let document = state.tab.document.as_ref()?;
    let clip_from_world = state.tab.view.camera.clip_from_world(state.aspect(), &document.bounds);
    Some(clip_from_world * Mat4::from(document.model.axes.display_from_file()))
}

/// The position of `point` in NDC; `None` behind the camera.
pub(super) fn on_screen(clip_from_file: &Mat4, point: Vec3) -> Option<Vec2> {
    let clip = *clip_from_file * point.extend(1.0);
    (clip.w > 0.0).then(|| Vec2::new(clip.x, clip.y) / clip.w)
}
