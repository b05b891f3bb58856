//! Text over the 3D view.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Vec2, vec2};

use super::theme;
use rigscope_core::model::display_text;

/// Text that is readable on the model and on the background.
pub(super) fn shadowed_text(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: &str,
    font: &FontId,
    color: Color32,
) {
    let text = display_text::name(text);
    let galley = painter.layout_no_wrap(text.into_owned(), font.clone(), color);
    let place = align.anchor_size(at, galley.size());
    haloed_galley(painter, place.min, galley, color, 1.0);
}

/// The place of a label of that size next to a mark: `offset` to the right of it, or to its left where the visible part
/// of the view ends.
pub(super) fn label_place(painter: &Painter, mark: Pos2, offset: Vec2, size: Vec2) -> Rect {
    let right = Align2::LEFT_CENTER.anchor_size(mark + offset, size);
    let left = Align2::RIGHT_CENTER.anchor_size(mark + vec2(-offset.x, offset.y), size);
    let visible = painter.clip_rect();
    if right.right() > visible.right() && left.left() >= visible.left() { left } else { right }
}

/// Text with a halo, for any background.
pub(super) fn haloed_galley(
    painter: &Painter,
    at: Pos2,
    galley: Arc<Galley>,
    color: Color32,
    opacity: f32,
) {
    let halo = theme::colors_of(painter.ctx()).halo.gamma_multiply(opacity);
    for (x, y) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.7, 0.7), (-0.7, 0.7)] {
        painter.galley_with_override_text_color(at + vec2(x, y), Arc::clone(&galley), halo);
    }
    painter.galley(at, galley, color);
}
