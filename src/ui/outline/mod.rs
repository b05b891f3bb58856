//! Left: what the file consists of.

mod bones;
mod subsets;

use egui::{Panel, Ui};

use crate::state::{Action, AppState};

/// Subsets above, bones below.
pub(super) fn outline_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    if document.has_collision() {
        Panel::bottom("collision")
            .resizable(true)
            .default_size(150.0)
            .size_range(60.0..=(ui.available_height() * 0.4).max(80.0))
            .frame(egui::Frame::new())
            .show(ui, |ui| {
                crate::ui::collision::collision_outline_ui(ui, state, document, out);
            });
    }
    if document.model.has_no_bones() {
        subsets::subsets_ui(ui, state, document, out);
        return;
    }
    if document.subsets.is_empty() {
        bones::bones_ui(ui, state, document, out);
        return;
    }
    Panel::top("subsets")
        .resizable(true)
        .default_size(240.0)
        .size_range(60.0..=(ui.available_height() - 120.0).max(80.0))
        .frame(egui::Frame::new())
        .show(ui, |ui| {
            subsets::subsets_ui(ui, state, document, out);
        });
    ui.add_space(4.0);
    bones::bones_ui(ui, state, document, out);
}
