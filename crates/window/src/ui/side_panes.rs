//! The pane next to the view: images and exports.

use egui::Ui;

use super::{export_pane, image_export_pane};
use rigscope_state::{Action, AppState, Dialog};

/// Shows the open one to the right of all docked panes.
pub(super) fn side_panes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        return;
    }
    match state.docked_dialog() {
        Some(Dialog::ImageExport) => image_export_pane::image_export_pane_ui(ui, state, out),
        Some(Dialog::Export) => export_pane::export_pane_ui(ui, state, out),
        _ => {}
    }
}
