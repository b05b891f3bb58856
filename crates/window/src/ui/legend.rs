//! Legend of the surface colours, in the upper right corner of the view.

use egui::{Align2, FontId, Painter, Pos2, Rect, vec2};

use super::format::in_unit;
use super::haloed_text::shadowed_text;
use super::theme::colors_of;
use rigscope_core::model::INFLUENCE_COLORS;
use rigscope_core::visual::{Coloring, VertexPaint, heat};
use rigscope_state::{AppState, Painting};

const SWATCH_POINTS: f32 = 12.0;
const ROW_POINTS: f32 = 16.0;
const TITLE_POINTS: f32 = 18.0;
/// Top of a scale below the top of its title.
const SCALE_TOP_POINTS: f32 = 22.0;
/// Height of a scale's colour bar, and its minimum in a low view.
const BAR_POINTS: f32 = 120.0;
const MIN_BAR_POINTS: f32 = 42.0;
/// Height needed for the title, the bone legend and the pick buttons.
const TAKEN_POINTS: f32 = 102.0;
/// Longer lists belong in a pane.
const MAX_ROWS: usize = 24;

/// Returns the y coordinate of its lower end, in points.
pub(super) fn legend_ui(painter: &Painter, state: &AppState, rect: Rect) -> f32 {
    let corner = rect.right_top() + vec2(-12.0, 10.0);
    if state.shows_exact_normals() {
        let corner = rect.center_top() + vec2(0.0, 10.0);
        let text = "Exact normals; the runtime shows different ones";
        shadowed_text(
            painter,
            corner,
            Align2::CENTER_TOP,
            text,
            &font(),
            colors_of(painter.ctx()).over,
        );
    }
    match state.tab.view.overlays.coloring {
        Some(Coloring::InfluenceCounts) => {
            title(painter, corner, "Influences per vertex");
            let last = INFLUENCE_COLORS.len() - 1;
            for (number, color) in INFLUENCE_COLORS.into_iter().enumerate() {
                let text =
                    if number == last { format!("{number} or more") } else { number.to_string() };
                row(painter, corner, number, color, &text);
            }
            end_of_rows(corner, INFLUENCE_COLORS.len())
        }
        Some(Coloring::Paint) => match state.shown_painting() {
            Some(painting) => painting_ui(painter, state, painting, corner, rect.height()),
            None => rect.top(),
        },
        Some(other) => match other.info() {
            Some(info) => {
                title(painter, corner, info.label);
                for (number, &(color, text)) in info.legend.iter().enumerate() {
                    row(painter, corner, number, color, text);
                }
                end_of_rows(corner, info.legend.len())
            }
            None => rect.top(),
        },
        None => rect.top(),
    }
}

fn end_of_rows(corner: Pos2, num: usize) -> f32 {
    corner.y + TITLE_POINTS + ROW_POINTS * num as f32
}

/// Returns the y coordinate of its lower end, in points.
fn painting_ui(
    painter: &Painter,
    state: &AppState,
    painting: &Painting,
    corner: Pos2,
    view_height: f32,
) -> f32 {
    title(painter, corner, &painting.title);
    if let VertexPaint::Heat { low, high, .. } = &painting.paint {
        let bar = BAR_POINTS.min(view_height - TAKEN_POINTS).max(MIN_BAR_POINTS);
        scale(painter, corner, bar, [*low, *high], |value| in_unit(state, value, painting.unit));
        // Half of the last number's height is below the bar.
        return corner.y + SCALE_TOP_POINTS + bar + ROW_POINTS / 2.0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows of a view")]
    let room = ((view_height - TAKEN_POINTS) / ROW_POINTS).max(1.0) as usize;
    let num_rows = room.min(MAX_ROWS);
    for (number, legend) in painting.rows.iter().take(num_rows).enumerate() {
        row(painter, corner, number, legend.color, &legend.text);
    }
    let has_more = painting.rows.len() > num_rows;
    if has_more {
        let at = corner + vec2(0.0, TITLE_POINTS + ROW_POINTS * num_rows as f32);
        let text = format!("and {} more", painting.rows.len() - num_rows);
        shadowed_text(
            painter,
            at,
            Align2::RIGHT_TOP,
            &text,
            &font(),
            colors_of(painter.ctx()).over_weak,
        );
    }
    end_of_rows(corner, painting.rows.len().min(num_rows) + usize::from(has_more))
}

/// A colour bar from 0 at the bottom to 1 at the top.
fn scale(
    painter: &Painter,
    corner: Pos2,
    bar_points: f32,
    [low, high]: [f32; 2],
    text_of: impl Fn(f32) -> String,
) {
    let top = corner + vec2(-SWATCH_POINTS, SCALE_TOP_POINTS);
    let bar = Rect::from_min_size(top, vec2(SWATCH_POINTS, bar_points));
    painter.rect_filled(bar.expand(1.0), 2.0, colors_of(painter.ctx()).halo);
    let num = 60;
    for step in 0..num {
        let share = 1.0 - step as f32 / (num - 1) as f32;
        let [r, g, b] = heat(low + share * (high - low), low, high);
        let height = bar_points / num as f32;
        let at = top + vec2(0.0, step as f32 * height);
        let slice = Rect::from_min_size(at, vec2(SWATCH_POINTS, height + 0.5));
        painter.rect_filled(slice, 0.0, egui::Rgba::from_rgb(r, g, b));
    }
    for (share, value) in [(0.0, high), (0.5, (low + high) * 0.5), (1.0, low)] {
        let at = top + vec2(-8.0, share * bar_points);
        let text = text_of(value);
        let align = Align2::RIGHT_CENTER;
        shadowed_text(painter, at, align, &text, &font(), colors_of(painter.ctx()).over);
    }
}

fn title(painter: &Painter, corner: Pos2, text: &str) {
    shadowed_text(
        painter,
        corner,
        Align2::RIGHT_TOP,
        text,
        &font(),
        colors_of(painter.ctx()).over_weak,
    );
}

fn row(painter: &Painter, corner: Pos2, number: usize, [r, g, b]: [f32; 3], text: &str) {
    let at = corner + vec2(0.0, TITLE_POINTS + ROW_POINTS * number as f32);
    let size = vec2(SWATCH_POINTS, SWATCH_POINTS);
    let swatch = Rect::from_center_size(at + vec2(-6.0, 7.0), size);
    painter.rect_filled(swatch.expand(1.0), 2.0, colors_of(painter.ctx()).halo);
    painter.rect_filled(swatch, 2.0, egui::Rgba::from_rgb(r, g, b));
    let at = at + vec2(-20.0, 0.0);
    shadowed_text(painter, at, Align2::RIGHT_TOP, text, &font(), colors_of(painter.ctx()).over);
}

fn font() -> FontId {
    FontId::proportional(12.0)
}
