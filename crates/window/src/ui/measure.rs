//! The Measure pane: manual measurements, now and over the clip.
//!
//! Not for: points and lines in the view (`measure_marks`).

use egui::{Align, Grid, Id, Layout, RichText, ScrollArea, Ui, vec2};

use super::clip_plot::{ClipPlot, PlotLine};
use super::command_button::framed_command_button_ui;
use super::format::{measured, seconds};
use super::measure_marks::NAMES;
use super::theme::{self, gap};
use rigscope_state::{
    Action, AppState, Channel, Command, Document, MAX_POINTS, MeasureCurves, ModelPoint, Selection,
    TimelineAction,
};

/// Width of the values on the left, in points.
const VALUES_POINTS: f32 = 330.0;
/// The distances between the points.
const LINE_NAMES: [&str; 2] = ["P1–P2", "P2–P3"];

/// The next step, also shown in the status bar.
pub(super) fn hint(state: &AppState) -> &'static str {
    match state.tab.view.measure.points.len() {
        0 => "Click the first point: a vertex or a visible bone",
        1 => "Click the second point",
        2 => "Click a third point for the angle at P2, or Esc to end",
        _ => "Click to start a new measurement, or Esc to end",
    }
}

pub(super) fn measure_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    let size = ui.available_size();
    ui.horizontal_top(|ui| {
        let width = VALUES_POINTS.min(0.6 * size.x);
        ui.allocate_ui_with_layout(vec2(width, size.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(width, size.y));
            buttons_ui(ui, state, out);
            ScrollArea::vertical()
                .id_salt("measured values")
                .auto_shrink([false, false])
                .show(ui, |ui| values_ui(ui, state, document, out));
        });
        ui.separator();
        ui.vertical(|ui| curves_ui(ui, state, document, out));
    });
}

fn buttons_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        for (command, label) in [
            (Command::Measure, "Measure"),
            (Command::MeasureSelection, "Add the selection"),
            (Command::CopyMeasured, "Copy CSV"),
            (Command::ClearMeasured, "Clear"),
        ] {
            framed_command_button_ui(ui, state, command, label, out);
        }
    });
    ui.add_space(gap::SMALL);
}

fn values_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let measure = &state.tab.view.measure;
    ui.horizontal_wrapped(|ui| {
        for ((&point, name), color) in
            measure.points.iter().zip(NAMES).zip(theme::colors(ui.visuals()).measured)
        {
            ui.label(RichText::new(name).color(color).strong());
            let link = ui.link(state.point_name(point)).on_hover_text("Selects this point.");
            if link.clicked() {
                out.push(Action::Select(selection(point)));
            }
            ui.add_space(gap::MEDIUM);
        }
    });
    if measure.points.len() < 2 {
        ui.weak(if measure.is_picking {
            hint(state)
        } else {
            "Press Measure and click two points in the view; a third gives an angle."
        });
    }
    let places = state.measured_places();
    if places.is_empty() && !measure.points.is_empty() {
        ui.weak("The file stores no position for one of these bones.");
    }
    let distances = state.measured_distances(&places);
    if distances.is_empty() {
        return;
    }
    let curves = measure.curves.get();
    let unit = document.model.axes.unit_name();
    ui.add_space(gap::SMALL);
    Grid::new("measured").num_columns(4).spacing(vec2(8.0, 4.0)).show(ui, |ui| {
        ui.label("");
        for title in ["Current", "Minimum", "Maximum"] {
            ui.weak(column(title));
        }
        ui.end_row();
        for (at, now) in distances.iter().enumerate() {
            let name = LINE_NAMES.get(at).copied().unwrap_or_default();
            let channel = curves.and_then(|curves| curves.distances.get(at));
            row_ui(ui, &format!("{name}, {unit}"), Some(*now), channel, out);
        }
        if places.len() == MAX_POINTS {
            let channel = curves.map(|curves| &curves.angle);
            row_ui(ui, "Angle at P2, °", state.measured_angle(&places), channel, out);
        }
    });
}

/// A right-aligned number.
fn column(text: &str) -> RichText {
    RichText::new(format!("{text:>10}")).monospace()
}

/// The current value, and its extremes over the clip as links to their times.
fn row_ui(
    ui: &mut Ui,
    name: &str,
    now: Option<f64>,
    channel: Option<&Channel>,
    out: &mut Vec<Action>,
) {
    ui.label(name);
    let now = now.map_or("–".to_owned(), measured);
    ui.label(column(&now).strong());
    let points = || channel.into_iter().flat_map(|channel| &channel.points);
    let least = points().min_by(|a, b| a[1].total_cmp(&b[1]));
    let most = points().max_by(|a, b| a[1].total_cmp(&b[1]));
    for [time_secs, value] in [least, most].into_iter().flatten() {
        let link = ui.link(column(&measured(*value)));
        if link.on_hover_text(format!("Goes to {}.", seconds(*time_secs))).clicked() {
            out.push(Action::Timeline(TimelineAction::Scrub(*time_secs)));
        }
    }
    ui.end_row();
}

fn curves_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let measure = &state.tab.view.measure;
    if measure.points.len() < 2 {
        return;
    }
    if !state.can_play() {
        ui.weak("No clip moves the points, so there are no curves.");
        return;
    }
    let Some(curves) = measure.curves.get() else {
        ui.weak("Measuring over the clip…");
        return;
    };
    if curves.distances.iter().all(|channel| channel.points.is_empty()) {
        return;
    }
    let what = Id::unique(("measured", state.tab.playback.clip, measure.points.len()));
    let unit = document.model.axes.unit_name();
    let extent = f64::from(document.bounds.extent() / state.display_scale());
    let MeasureCurves { distances, angle } = &**curves;
    let [first, middle, last] = theme::colors(ui.visuals()).measured;
    let lines = distances.iter().zip(LINE_NAMES).zip([first, last]);
    let lines = lines.map(|((channel, name), color)| PlotLine { name, color, channel });
    let spread = 0.01 * extent;
    let distance = ClipPlot { name: "Distance", unit: &unit, what, spread, lines: lines.collect() };
    if distances.len() < MAX_POINTS - 1 {
        return distance.show(ui, state, out);
    }
    let line = PlotLine { name: "angle", color: middle, channel: angle };
    let angle =
        ClipPlot { name: "Angle at P2", unit: "degrees", what, spread: 2.0, lines: vec![line] };
    ui.columns(2, |columns| {
        if let [left, right] = columns {
            distance.show(left, state, out);
            angle.show(right, state, out);
        }
    });
}

/// The selection for a click on a point's name.
fn selection(point: ModelPoint) -> Selection {
    match point {
        ModelPoint::Bone(bone) => Selection::Bone(bone),
        ModelPoint::Vertex { mesh, vertex } => Selection::Vertex { mesh, vertex, subset: None },
    }
}
