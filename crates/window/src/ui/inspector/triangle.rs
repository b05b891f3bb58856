//! Inspector of a triangle: corners, area, winding and UVs.

use egui::Ui;

use super::facts::{copy_ui, section_ui};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::vec3;
use crate::ui::theme::gap;
use crate::ui::widgets::heading_ui;
use rigscope_state::{Action, AppState, Command, Selection};

pub(super) fn triangle_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(probe) = state.triangle_probe() else { return };
    for section in &state.inspector_facts() {
        section_ui(ui, section);
    }
    ui.add_space(gap::MEDIUM);
    heading_ui(ui, "Corners, as shown");
    let subset = state.tab.selection.subset();
    for (vertex, position) in probe.corners.into_iter().zip(probe.posed) {
        ui.horizontal(|ui| {
            let link = ui.link(format!("Vertex {}", vertex.0));
            if link.on_hover_text("Selects this vertex.").clicked() {
                out.push(Action::Select(Selection::Vertex { mesh: probe.mesh, vertex, subset }));
            }
            ui.weak(vec3(position));
        });
    }
    ui.add_space(gap::MEDIUM);
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        if let Some(number) = subset
            && ui
                .button("Select subset")
                .on_hover_text("Selects the subset of this triangle.")
                .clicked()
        {
            out.push(Action::Select(Selection::Subset(number)));
        }
        copy_ui(ui, state, out);
    });
}
