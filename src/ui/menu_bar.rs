//! The menu bar: the table of commands, and the recent files.

use egui::{MenuBar, Ui};

use super::command_button::menu_entry_ui;
use crate::state::{Action, AppState, COMMANDS, Command, Menu};

pub(super) fn menu_bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                ui.set_min_width(220.0);
                let entries = COMMANDS.iter().filter(|info| info.menu == menu);
                for info in entries {
                    if info.starts_group {
                        ui.separator();
                    }
                    menu_entry_ui(ui, state, info.command, out);
                    if info.command == Command::Open {
                        recent_ui(ui, state, out);
                    }
                }
            });
        }
    });
}

fn recent_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let recent = &state.settings.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            ui.set_min_width(240.0);
            for path in recent {
                let name = path.file_name().unwrap_or(path.as_os_str());
                let entry = ui
                    .button(name.to_string_lossy())
                    .on_hover_text(path.display().to_string());
                if entry.clicked() {
                    out.push(Action::Open(path.clone()));
                    ui.close();
                }
            }
            ui.separator();
            if ui.button("Clear the list").clicked() {
                out.push(Action::ClearRecent);
                ui.close();
            }
        });
    });
}
