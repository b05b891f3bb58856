//! Text over the 3D view.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, vec2};

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
