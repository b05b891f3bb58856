//! The open files, if there is more than one.

use std::ops::Range;

use egui::{Button, PointerButton, RichText, ScrollArea, Ui};

use super::command_button::command_button_ui;
use super::rows::rows_ui;
use super::theme::gap;
use super::tooltips::{explained, explained_with_keys};
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, Command, TabAction, TabRow};

/// Maximum number of tabs that are laid out.
const MAX_TABS: usize = 40;

pub(super) fn tab_bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::horizontal().id_salt("tab bar").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let tabs = state.tabs();
            let shown = around_active(&tabs);
            more_ui(ui, "Tabs to the left", &tabs, 0..shown.start, out);
            for (at, row) in tabs.iter().enumerate().take(shown.end).skip(shown.start) {
                ui.push_id(row.id, |ui| tab_ui(ui, state, at, row, out));
                ui.add_space(gap::MEDIUM);
            }
            more_ui(ui, "Tabs to the right", &tabs, shown.end..tabs.len(), out);
            command_button_ui(ui, state, Command::Open, "+", out);
        });
    });
}

/// The tabs that are laid out, around the active one.
fn around_active(tabs: &[TabRow]) -> Range<usize> {
    let active = tabs.iter().position(|row| row.is_active).unwrap_or(0);
    let start = active.saturating_sub(MAX_TABS / 2);
    let end = (start + MAX_TABS).min(tabs.len());
    end.saturating_sub(MAX_TABS)..end
}

/// A menu of the tabs that don't fit.
fn more_ui(ui: &mut Ui, name: &str, tabs: &[TabRow], range: Range<usize>, out: &mut Vec<Action>) {
    if range.is_empty() {
        return;
    }
    let menu = ui.menu_button(format!("… {}", range.len()), |ui| {
        ui.set_min_width(240.0);
        rows_ui(ui, name, range.len(), None, |ui, row| {
            let at = range.start + row;
            let text = tabs.get(at).map(|row| display_text::name(&row.name));
            if ui.button(text.unwrap_or_default()).clicked() {
                out.push(Action::Tab(TabAction::Show(at)));
                ui.close();
            }
        });
    });
    explained_with_keys(menu.response, name, &[Command::NextTab, Command::PreviousTab])
        .accessible_name(name);
}

fn tab_ui(ui: &mut Ui, state: &AppState, at: usize, row: &TabRow, out: &mut Vec<Action>) {
    let name = display_text::name(&row.name);
    let mut text = RichText::new(&*name);
    if row.is_active {
        text = text.strong();
    }
    let path = row.path.as_ref().map(|path| path.display().to_string());
    let response = ui
        .add(Button::selectable(row.is_active, text))
        .on_hover_text(display_text::escaped(path.as_deref().unwrap_or(&name)))
        .accessible_name(format!("Tab {name}"));
    if response.clicked() {
        out.push(Action::Tab(TabAction::Show(at)));
    }
    if response.clicked_by(PointerButton::Middle) {
        out.push(Action::Tab(TabAction::Close(at)));
    }
    // A tab that was activated by a shortcut may be out of view.
    let id = egui::Id::unique("tab shown last");
    let last: Option<u64> = ui.data(|data| data.get_temp(id));
    if row.is_active && last != Some(state.tab_id()) {
        response.scroll_to_me(None);
        ui.data_mut(|data| data.insert_temp(id, state.tab_id()));
    }
    let close = ui.add(Button::new("×").frame_when_inactive(false).small());
    let help = "Close (or middle-click the tab)";
    let close = if row.is_active {
        explained_with_keys(close, help, &[Command::CloseTab])
    } else {
        explained(close, help)
    };
    if close.accessible_name(format!("Close {name}")).clicked() {
        out.push(Action::Tab(TabAction::Close(at)));
    }
}
