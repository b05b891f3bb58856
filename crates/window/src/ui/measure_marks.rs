//! Measured points in the view, with lines between them, distances and the angle.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Response, Shape, Stroke, Ui, pos2, vec2};
use glam::Vec3;

use super::format::{degrees, measured};
use super::projection::Projection;
use super::theme::{Colors, colors_of};
use rigscope_state::{AppState, MAX_POINTS};

/// The points' names.
pub(super) const NAMES: [&str; MAX_POINTS] = ["P1", "P2", "P3"];
/// Radius of an angle's arc, in points.
const ARC_POINTS: f32 = 30.0;

/// Draws the measurement in `view`, with a line to the pointer if the next click measures. Returns the
/// labels' rectangles.
pub(super) fn marks_ui(
    ui: &Ui,
    painter: &Painter,
    state: &AppState,
    response: &Response,
    view: Rect,
) -> Vec<Rect> {
    let mut labels = Vec::new();
    let measure = &state.tab.view.measure;
    let (Some(document), false) = (&state.tab.document, measure.points.is_empty()) else {
        return labels;
    };
    let places = state.measured_places();
    let place = Projection::of(state, view);
    let distances = state.measured_distances(&places);
    let colors = colors_of(painter.ctx());
    let unit = document.model.axes.unit_name();
    let on_screen = places.iter().filter_map(|at| Some(place.of_file(*at)?.0.to_vec2()));
    let sum = on_screen.fold(egui::Vec2::ZERO, |sum, at| sum + at);
    let middle = (sum / places.len().max(1) as f32).to_pos2();
    for (pair, distance) in places.windows(2).zip(&distances) {
        let [from, to] = pair else { continue };
        let Some([from, to]) = place.line_of_file(*from, *to) else { continue };
        line(painter, colors, from, to);
        let text = format!("{} {unit}", measured(*distance));
        let at = beside(from, to, middle);
        labels.push(text_at(painter, at, Align2::CENTER_CENTER, &text, colors.over));
    }
    if let Some(angle) = state.measured_angle(&places) {
        labels.extend(angle_ui(painter, &place, &places, angle));
    }
    for ((&at, name), color) in places.iter().zip(NAMES).zip(colors.measured) {
        let Some((at, _)) = place.of_file(at) else { continue };
        painter.circle_filled(at, 5.5, colors.halo);
        painter.circle_filled(at, 4.0, color);
        labels.push(text_at(painter, at + vec2(13.0, 9.0), Align2::LEFT_TOP, name, color));
    }
    let next_from = places.last().filter(|_| places.len() < MAX_POINTS && measure.is_picking);
    if let (Some(&from), Some(pointer)) = (next_from, response.hover_pos())
        && !ui.input(|input| input.pointer.any_down())
        && let Some((from, _)) = place.of_file(from)
    {
        let shapes = Shape::dashed_line(&[from, pointer], Stroke::new(1.2, colors.over), 6.0, 5.0);
        painter.extend(shapes);
    }
    labels
}

fn line(painter: &Painter, colors: &Colors, from: Pos2, to: Pos2) {
    painter.line_segment([from, to], Stroke::new(4.0, colors.halo));
    painter.line_segment([from, to], Stroke::new(1.8, colors.over));
}

/// Next to the centre of a line, on the side away from `middle`; above it if neither side is.
fn beside(from: Pos2, to: Pos2, middle: Pos2) -> Pos2 {
    /// Half of a label's size: labels are wider than high.
    const AWAY: egui::Vec2 = vec2(48.0, 18.0);
    let center = from.lerp(to, 0.5);
    let across = (to - from).rot90().normalized();
    let side = across.dot(center - middle);
    let is_down = if side.abs() < 1.0 { across.y > 0.0 } else { side < 0.0 };
    center + AWAY * if is_down { -across } else { across }
}

/// The arc at the second point, between the directions to the first and third.
fn angle_ui(painter: &Painter, place: &Projection, places: &[Vec3], angle: f64) -> Option<Rect> {
    const NUM_STEPS: u16 = 24;
    let &[from, at, to] = places else { return None };
    let (Some((at, _)), Some([_, from]), Some([_, to])) =
        (place.of_file(at), place.line_of_file(at, from), place.line_of_file(at, to))
    else {
        return None;
    };
    let (start, end) = ((from - at).angle(), (to - at).angle());
    // The shorter way: an angle is at most 180 degrees.
    let turn = (end - start + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU)
        - std::f32::consts::PI;
    let on_arc = |share: f32, radius: f32| at + radius * egui::Vec2::angled(start + share * turn);
    let points =
        (0..=NUM_STEPS).map(|step| on_arc(f32::from(step) / f32::from(NUM_STEPS), ARC_POINTS));
    let colors = colors_of(painter.ctx());
    painter.add(Shape::line(points.collect(), Stroke::new(2.0, colors.measured[1])));
    let text = degrees(angle);
    let at = on_arc(0.5, ARC_POINTS + 18.0);
    Some(text_at(painter, at, Align2::CENTER_CENTER, &text, colors.over))
}

/// Draws a label on a plate that covers lines and the model; returns the plate's rectangle.
fn text_at(painter: &Painter, at: Pos2, align: Align2, text: &str, color: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
    let rect = align.anchor_size(at, galley.size());
    let plate = colors_of(painter.ctx()).halo;
    let covered = rect.expand2(vec2(5.0, 2.0));
    painter.rect_filled(covered, 4.0, plate);
    painter.galley(pos2(rect.left(), rect.top()), galley, color);
    covered
}
