//! The panel next to the view: images and exports.

use egui::Ui;

use super::{export, picture};
use rigscope_state::{Action, AppState, Dialog};

/// Shows the open panel to the right of all panes.
pub(super) fn beside_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        return;
    }
    match state.beside() {
        Some(Dialog::Picture) => picture::picture_ui(ui, state, out),
        Some(Dialog::Export) => export::export_ui(ui, state, out),
        _ => {}
    }
}
