//! The menu bar: menus from the command table, and the recent files.

use egui::style::ScrollStyle;
use egui::{MenuBar, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText};

use super::command_button::{NO_TICK, menu_entry_ui};
use super::rows::rows_ui;
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, Command, MENUS, Menu, file_label};

/// Minimum width of a menu, in points.
const MENU_WIDTH: f32 = 220.0;
/// Space between a menu's last entry and the bottom of the window, in points: the menu's frame and a gap.
const MENU_MARGIN: f32 = 12.0;
/// Height of a line between groups, in points.
const LINE_HEIGHT: f32 = 6.0;
/// Minimum height of a menu that opens near the bottom of the window, in points.
const MIN_MENU_HEIGHT: f32 = 120.0;

pub(super) fn menu_bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    MenuBar::new().ui(ui, |ui| {
        let num = num_menus(ui);
        let (shown, rest) = MENUS.split_at(num);
        shown.iter().for_each(|menu| menu_ui(ui, state, menu, out));
        if !rest.is_empty() {
            let more = ui.menu_button("»", |ui| {
                rest.iter().for_each(|menu| menu_ui(ui, state, menu, out));
            });
            more.response.on_hover_text("More menus").accessible_name("More menus");
        }
    });
}

fn menu_ui(ui: &mut Ui, state: &AppState, menu: &Menu, out: &mut Vec<Action>) {
    ui.menu_button(menu.name, |ui| scrolled_entries_ui(ui, state, menu, out));
}

/// The entries of a menu. If the window is too low for all of them, they move closer together; if that isn't enough,
/// they scroll.
fn scrolled_entries_ui(ui: &mut Ui, state: &AppState, menu: &Menu, out: &mut Vec<Action>) {
    ui.set_min_width(MENU_WIDTH);
    let below = ui.ctx().content_rect().bottom() - ui.max_rect().top();
    let height = (below - MENU_MARGIN).max(MIN_MENU_HEIGHT);
    let num_lines = menu.groups().count().saturating_sub(1) as f32;
    let num_entries = menu.commands().count() as f32 + if has_recent(menu) { 1.0 } else { 0.0 };
    let least = num_entries * ui.spacing().interact_size.y + num_lines * LINE_HEIGHT;
    let spacing = (height - least) / (num_entries + num_lines).max(1.0);
    let usual = ui.spacing().item_spacing.y;
    ui.spacing_mut().item_spacing.y = spacing.floor().clamp(0.0, usual);
    if spacing < 0.0 {
        // Otherwise, nothing shows that the entry at the bottom isn't the last.
        ui.spacing_mut().scroll = ScrollStyle::solid();
    }
    ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .show(ui, |ui| entries_ui(ui, state, menu, out));
}

/// Whether the menu also has the recent files.
fn has_recent(menu: &Menu) -> bool {
    menu.commands().any(|command| command == Command::Open)
}

/// How many menus fit; an overflow menu contains the rest.
fn num_menus(ui: &Ui) -> usize {
    let spacing = ui.spacing();
    let around = 2.0 * spacing.button_padding.x + spacing.item_spacing.x;
    let width = |text: &str| {
        let text = WidgetText::from(text);
        let mode = Some(TextWrapMode::Extend);
        text.into_galley(ui, mode, f32::INFINITY, TextStyle::Button).size().x + around
    };
    let widths = || MENUS.iter().map(|menu| width(menu.name));
    let mut room = ui.available_width() + spacing.item_spacing.x;
    if widths().sum::<f32>() <= room {
        return MENUS.len();
    }
    room -= width("»");
    let fit = widths().take_while(|width| {
        room -= width;
        room >= 0.0
    });
    fit.count()
}

/// The entries of a menu, with lines between its groups.
pub(super) fn entries_ui(ui: &mut Ui, state: &AppState, menu: &Menu, out: &mut Vec<Action>) {
    let has_ticks = menu.commands().any(|command| command.info().is_switch());
    for (number, group) in menu.groups().enumerate() {
        if number > 0 {
            ui.separator();
        }
        for command in group {
            menu_entry_ui(ui, state, command, has_ticks, out);
            if command == Command::Open {
                recent_ui(ui, state, has_ticks, out);
            }
        }
    }
}

fn recent_ui(ui: &mut Ui, state: &AppState, has_ticks: bool, out: &mut Vec<Action>) {
    let recent = &state.settings.recent;
    let indent = if has_ticks { NO_TICK } else { "" };
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button(format!("{indent}Open recent"), |ui| {
            ui.set_min_width(240.0);
            // Edited settings may list more files than Rigscope stores.
            rows_ui(ui, "recent", recent.len(), None, |ui, row| {
                let Some(path) = recent.get(row) else { return };
                let entry = ui
                    .button(display_text::name(&file_label(path)))
                    .on_hover_text(display_text::escaped(&path.to_string_lossy()));
                if entry.clicked() {
                    out.push(Action::Open(path.clone()));
                    ui.close();
                }
            });
            ui.separator();
            let help = "Removes all files from the list. Files on disk aren't changed.";
            if ui.button("Clear the list").on_hover_text(help).clicked() {
                out.push(Action::ClearRecent);
                ui.close();
            }
        });
    });
}
