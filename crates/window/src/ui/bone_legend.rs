//! Legend of bone and line colours, in the lower right corner of the view.

use egui::{Align2, FontId, Painter, Rect, vec2};

use super::haloed_text::shadowed_text;
use super::theme::colors_of;
use rigscope_core::visual::{
    BIND_SKELETON, BONE_BOX, BONE_ON_PATH, DEFORMING_BONE, LOCKED_BONE, MOTION_PATH, OTHER_BONE,
    REST_SKELETON, SELECTED, SOURCE_SKELETON,
};
use rigscope_state::AppState;

const SWATCH_POINTS: f32 = 10.0;
const ROW_POINTS: f32 = 15.0;

/// Shown in `rect` below `top`, the end of the surface legend. In a low view, the first rows are omitted.
pub(super) fn bone_legend_ui(painter: &Painter, state: &AppState, rect: Rect, top: f32) {
    let rows = rows(state);
    let font = FontId::proportional(11.0);
    let colors = colors_of(painter.ctx());
    // Above the pick buttons.
    let bottom = rect.right_bottom() + vec2(-12.0, -46.0);
    for (number, (color, text)) in rows.iter().rev().enumerate() {
        let at = bottom - vec2(0.0, ROW_POINTS * number as f32);
        if at.y - ROW_POINTS < top {
            break;
        }
        let size = vec2(SWATCH_POINTS, SWATCH_POINTS);
        let swatch = Rect::from_center_size(at + vec2(-5.0, -6.0), size);
        let [r, g, b] = *color;
        painter.rect_filled(swatch.expand(1.0), 2.0, colors.halo);
        painter.rect_filled(swatch, 2.0, egui::Rgba::from_rgb(r, g, b));
        let at = at + vec2(-17.0, 0.0);
        shadowed_text(painter, at, Align2::RIGHT_BOTTOM, text, &font, colors.over);
    }
}

/// The visible colours with their meanings.
fn rows(state: &AppState) -> Vec<([f32; 3], &'static str)> {
    let mut rows = Vec::new();
    let Some(document) = &state.tab.document else { return rows };
    let (view, bones) = (&state.tab.view, &state.tab.view.bones);
    if state.tab.selection.bone().is_some() {
        rows.push((SELECTED, "selected"));
    }
    if view.overlays.bones {
        if state.has_vertices() {
            rows.push((DEFORMING_BONE, "moves vertices"));
        }
        if document.used_bones.iter().any(|used| !used) {
            rows.push((OTHER_BONE, "moves no vertices"));
        }
        if state.parent_of_selected().is_some() {
            rows.push((BONE_ON_PATH, "path to the root"));
        }
        if view.weights.locked.is_some() {
            rows.push((LOCKED_BONE, "locked"));
        }
    }
    let extras = [
        (view.overlays.rest_bones, REST_SKELETON, "rest pose"),
        (view.overlays.bind_bones, BIND_SKELETON, "bind pose"),
        (view.bone_pairs.shows_source, SOURCE_SKELETON, "source of the clip"),
        (view.overlays.bone_boxes, BONE_BOX, "bone boxes"),
        (bones.motion_path.get().is_some(), MOTION_PATH, "motion path"),
    ];
    let shown = extras.into_iter().filter(|(is_shown, ..)| *is_shown);
    rows.extend(shown.map(|(_, color, text)| (color, text)));
    rows
}
