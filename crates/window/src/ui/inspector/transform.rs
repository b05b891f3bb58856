//! A transform as a matrix and as translation, rotation and scale.

use egui::{RichText, Ui};
use glam::{Affine3A, EulerRot};

use crate::ui::format::matrix_rows;
use crate::ui::theme::gap;
use crate::ui::widgets::{columns_ui, matrix_ui};
use rigscope_core::model::Trs;
use rigscope_state::Action;

/// Shows `matrix` and its parts, with a button that copies the three rows.
pub(super) fn transform_ui(ui: &mut Ui, title: &str, matrix: &Affine3A, out: &mut Vec<Action>) {
    ui.push_id(title, |ui| {
        matrix_ui(ui, title, matrix_rows(matrix));
        parts_ui(ui, matrix);
        let copy = egui::Button::new(RichText::new("Copy").small());
        let response = ui.add(copy).on_hover_text("Copies the matrix, row by row.");
        let response = response.accessible_name(format!("Copy {title}"));
        if response.clicked() {
            out.push(Action::CopyText(as_text(matrix)));
        }
        ui.add_space(gap::MEDIUM);
    });
}

/// Translation, rotation in degrees, and scale.
pub(super) fn parts_ui(ui: &mut Ui, matrix: &Affine3A) {
    let trs = Trs::from_affine(*matrix);
    let (z, y, x) = trs.rotation.to_euler(EulerRot::ZYX);
    let degrees = glam::Vec3::new(x, y, z).map(f32::to_degrees);
    for (name, row) in
        [("Translation", trs.translation.to_array()), ("Rotation x y z, °", degrees.to_array())]
    {
        ui.weak(name);
        columns_ui(ui, &[row]);
    }
    ui.weak("Quaternion");
    columns_ui(ui, &[trs.rotation.to_array()]);
    ui.weak("Scale");
    columns_ui(ui, &[trs.scale.to_array()]);
}

/// All digits, one row per line.
fn as_text(matrix: &Affine3A) -> String {
    let rows = matrix_rows(matrix);
    let line = |row: [f32; 4]| row.map(|value| value.to_string()).join(" ");
    rows.map(line).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_matrix_has_all_its_digits() {
        let moved = Affine3A::from_translation(glam::Vec3::new(0.1, 2.0, -3.5));
        assert_eq!(as_text(&moved), "1 0 0 0.1\n0 1 0 2\n0 0 1 -3.5");
    }
}
