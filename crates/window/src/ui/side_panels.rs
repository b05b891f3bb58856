//! The panel next to the view: images and exports.

use egui::Ui;

use super::{export_panel, image_panel};
use rigscope_state::{Action, AppState, Dialog};

/// Shows the open panel to the right of all panes.
pub(super) fn side_panels_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        return;
    }
    match state.docked_dialog() {
        Some(Dialog::ImageExport) => image_panel::image_panel_ui(ui, state, out),
        Some(Dialog::Export) => export_panel::export_panel_ui(ui, state, out),
        _ => {}
    }
}
