//! The open files, where there are several.

use egui::{Button, PointerButton, RichText, ScrollArea, Ui};

use super::command_button::command_button_ui;
use crate::state::{Action, AppState, Command, TabAction, TabRow};

pub(super) fn tab_bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::horizontal().id_salt("tab bar").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (at, row) in state.tabs().iter().enumerate() {
                ui.push_id(row.id, |ui| tab_ui(ui, state, at, row, out));
                ui.add_space(6.0);
            }
            command_button_ui(ui, state, Command::Open, "+", out);
        });
    });
}

fn tab_ui(ui: &mut Ui, state: &AppState, at: usize, row: &TabRow, out: &mut Vec<Action>) {
    let mut text = RichText::new(&row.name);
    if row.is_active {
        text = text.strong();
    }
    let path = row.path.as_ref().map(|path| path.display().to_string());
    let response = ui
        .add(Button::selectable(row.is_active, text))
        .on_hover_text(path.unwrap_or_else(|| row.name.clone()))
        .accessible_name(format!("Tab {}", row.name));
    if response.clicked() {
        out.push(Action::Tab(TabAction::Show(at)));
    }
    if response.clicked_by(PointerButton::Middle) {
        out.push(Action::Tab(TabAction::Close(at)));
    }
    // A tab that has come to the front by a key may be out of sight.
    let id = egui::Id::unique("tab shown last");
    let last: Option<u64> = ui.data(|data| data.get_temp(id));
    if row.is_active && last != Some(state.tab_id()) {
        response.scroll_to_me(None);
        ui.data_mut(|data| data.insert_temp(id, state.tab_id()));
    }
    let close = ui
        .add(Button::new("×").frame_when_inactive(false).small())
        .on_hover_text("Close (middle click on the tab)")
        .accessible_name(format!("Close {}", row.name));
    if close.clicked() {
        out.push(Action::Tab(TabAction::Close(at)));
    }
}
