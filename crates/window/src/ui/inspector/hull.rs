//! Inspector of a collision hull.

use egui::Ui;

use super::facts::{copy_ui, section_ui};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::theme::gap;
use rigscope_state::{Action, AppState, Command};

pub(super) fn hull_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    for section in &state.inspector_facts() {
        section_ui(ui, section);
    }
    ui.add_space(gap::MEDIUM);
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        copy_ui(ui, state, out);
    });
}
