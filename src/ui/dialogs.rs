//! Windows inside the window: keys, about.

use egui::{Id, Modal, RichText, ScrollArea, Ui, vec2};

use super::shortcuts::shortcuts;
use crate::formats::FORMATS;
use crate::state::{Action, AppState, Dialog, MENUS};

pub(super) fn dialogs_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let (title, content): (&str, fn(&mut Ui, &AppState)) = match state.dialog {
        Some(Dialog::Keys) => ("Keys", keys_ui),
        Some(Dialog::About) => ("About Rigscope", about_ui),
        Some(Dialog::Palette | Dialog::Export | Dialog::GoToVertex | Dialog::Picture) | None => {
            return;
        }
    };
    let response = Modal::new(Id::unique(title)).show(ui.ctx(), |ui| {
        ui.set_width(520.0);
        ui.heading(title);
        ui.add_space(6.0);
        content(ui, state);
        ui.add_space(8.0);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    if response.inner || response.backdrop_response.clicked() {
        out.push(Action::CloseDialog);
    }
}

fn keys_ui(ui: &mut Ui, _: &AppState) {
    ScrollArea::vertical().max_height(440.0).show(ui, |ui| {
        for menu in MENUS {
            ui.label(RichText::new(menu.name).strong());
            egui::Grid::new(menu.name)
                .num_columns(2)
                .min_col_width(150.0)
                .spacing(vec2(16.0, 3.0))
                .show(ui, |ui| {
                    for command in menu.commands() {
                        let keys: Vec<_> =
                            shortcuts(command).map(|key| ui.ctx().format_shortcut(&key)).collect();
                        let info = command.info();
                        if !keys.is_empty() {
                            ui.monospace(keys.join(", "));
                            ui.label(info.name).on_hover_text(info.help);
                            ui.end_row();
                        }
                    }
                });
            ui.add_space(6.0);
        }
        ui.label(RichText::new("Mouse, in the view").strong());
        egui::Grid::new("mouse").num_columns(2).min_col_width(150.0).spacing(vec2(16.0, 3.0)).show(
            ui,
            |ui| {
                for (what, means) in [
                    ("Drag", "Turn"),
                    ("Shift+drag, middle, right", "Move"),
                    ("Wheel, pinch", "Zoom to the pointer"),
                    ("Click", "Select what is chosen under Pick in the view"),
                    ("Ctrl+click", "Select a vertex"),
                    ("Alt+click", "Select a triangle"),
                    ("Rest", "Tell what is there"),
                    ("Double click", "Select and frame"),
                ] {
                    ui.monospace(what);
                    ui.label(means);
                    ui.end_row();
                }
            },
        );
    });
}

fn about_ui(ui: &mut Ui, state: &AppState) {
    ui.label(format!("Version {}", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.add_space(6.0);
    if !state.timings.adapter.is_empty() {
        ui.label(format!("Draws on {}.", state.timings.adapter));
    }
    let names: Vec<_> = FORMATS
        .iter()
        .map(|format| {
            let info = format.info();
            format!("{} (.{})", info.name, info.extensions.join(", ."))
        })
        .collect();
    ui.label(format!("Opens {}.", names.join("; ")));
    ui.add_space(6.0);
    ui.weak("Licensed under MIT or Apache 2.0, as you like.");
}
