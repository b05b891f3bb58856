//! Small pieces that several panels share.

use egui::{Align, Layout, RichText, Ui, vec2};

use super::format;
use crate::model::shown;

/// A value is shown so far.
const MAX_VALUE_CHARS: usize = 400;
/// A message is shown so far; the whole of it is copied.
pub(super) const MAX_MESSAGE_CHARS: usize = 1000;

/// A heading of a part of a panel.
pub(super) fn heading_ui(ui: &mut Ui, text: &str) {
    ui.add_space(2.0);
    ui.label(RichText::new(shown::name(text)).strong());
}

/// A heading with a number at the right.
pub(super) fn counted_heading_ui(ui: &mut Ui, text: &str, number: usize) {
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(format::count(number));
        });
    });
}

/// Names at the left, values at the right of them.
pub(super) fn facts_ui(ui: &mut Ui, id: &str, facts: &[(&str, String)]) {
    egui::Grid::new(id).num_columns(2).spacing(vec2(12.0, 3.0)).show(ui, |ui| {
        for (name, value) in facts {
            ui.weak(shown::name(name));
            ui.add(egui::Label::new(shown::short(value, MAX_VALUE_CHARS)).wrap());
            ui.end_row();
        }
    });
}

/// A matrix of three rows, in digits of equal width.
pub(super) fn matrix_ui(ui: &mut Ui, title: &str, rows: [[f32; 4]; 3]) {
    ui.weak(title);
    let lines = rows.map(|row| row.map(|value| format!("{:>10}", format::float(value))).concat());
    let text = RichText::new(lines.join("\n")).monospace().size(10.0);
    ui.add(egui::Label::new(text).extend());
    ui.add_space(4.0);
}

/// A card that floats over the view.
pub(super) fn card(ui: &Ui) -> egui::Frame {
    egui::Frame::window(ui.style()).inner_margin(12.0).corner_radius(8.0)
}
