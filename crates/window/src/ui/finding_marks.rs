//! Marks in the view: all places of the selected finding.

use egui::{Color32, Painter, Shape, Stroke};

use super::projection::Projection;
use super::theme::colors_of;
use rigscope_core::model::Severity;
use rigscope_state::{AppState, PlaceShape};

const DOT_POINTS: f32 = 3.5;
/// Size of the selected place.
const SELECTED_DOT_POINTS: f32 = 5.5;

/// Marks vertices and bones with dots, triangles with outlines.
pub(super) fn finding_marks_ui(painter: &Painter, state: &AppState, place: &Projection) {
    let Some(finding) = state.selected_finding() else { return };
    let visuals = painter.ctx().style_of(painter.ctx().theme()).visuals.clone();
    let color = match finding.severity() {
        Severity::Error => visuals.error_fg_color,
        Severity::Warning => visuals.warn_fg_color,
        Severity::Info => colors_of(painter.ctx()).over,
    };
    let halo = colors_of(painter.ctx()).halo;
    for (number, shape) in state.finding_shapes() {
        let is_selected = number == state.tab.view.findings.place;
        match shape {
            PlaceShape::Point(point) => {
                let Some((at, _)) = place.of_file(point) else { continue };
                let radius = if is_selected { SELECTED_DOT_POINTS } else { DOT_POINTS };
                painter.circle_filled(at, radius + 1.5, halo);
                painter.circle_filled(at, radius, color);
            }
            PlaceShape::Triangle([a, b, c]) => {
                let width = if is_selected { 2.5 } else { 1.5 };
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    edge(painter, place.line_of_file(from, to), width, [halo, color]);
                }
            }
        }
    }
}

fn edge(painter: &Painter, line: Option<[egui::Pos2; 2]>, width: f32, [halo, color]: [Color32; 2]) {
    let Some(line) = line else { return };
    painter.add(Shape::line_segment(line, Stroke::new(width + 2.0, halo)));
    painter.add(Shape::line_segment(line, Stroke::new(width, color)));
}
