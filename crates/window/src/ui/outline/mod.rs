//! The Outline pane: the contents of the file.

mod bone_rows;
mod bone_tree;
mod bones;
mod subsets;

use egui::{Panel, Ui};

use super::divider::{Divider, Part};
use rigscope_state::{Action, AppState};

/// Minimum heights: a row or two of subsets, a few bones.
const MIN_SUBSETS: f32 = 60.0;
const MIN_BONES: f32 = 100.0;

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
    // A short list leaves the remaining height to the bones, a long one gets half.
    let needed = subsets::needed_height(ui, state, document);
    let height = ui.available_height();
    let most = needed.min((height - MIN_BONES).max(MIN_SUBSETS));
    let divider = Divider {
        name: "Subsets and bones",
        is_beside: false,
        first: needed.min(height * 0.5),
        range: MIN_SUBSETS.min(most)..=most,
    };
    divider.show(ui, |ui, part| match part {
        Part::First => subsets::subsets_ui(ui, state, document, out),
        Part::Second => bones::bones_ui(ui, state, document, out),
    });
}
