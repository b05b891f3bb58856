//! Text over the picture.

use egui::{Align2, Color32, FontId, Painter, Pos2, vec2};

use crate::model::shown;

/// Readable on the model and on the ground.
pub(super) fn shadowed_text(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: &str,
    font: &FontId,
    color: Color32,
) {
    let text = shown::name(text);
    let shadow = Color32::from_black_alpha(200);
    painter.text(at + vec2(1.0, 1.0), align, &*text, font.clone(), shadow);
    painter.text(at, align, &*text, font.clone(), color);
}
