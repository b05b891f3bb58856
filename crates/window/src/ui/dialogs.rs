//! Modal dialogs: shortcuts (content in `shortcut_list`) and About.

use egui::{Id, Key, Modal, Ui};

use super::buttons::close_button_ui;
use super::shortcut_list;
use super::theme::gap;
use super::widgets::card;
use rigscope_io::formats::FORMATS;
use rigscope_state::{Action, AppState, Dialog};

/// The program's description in the About dialog.
const ABOUT: &str = "Inspects, checks, compares and converts skinned meshes and animations.";

const WIDTH: f32 = 540.0;
const MARGIN: f32 = 20.0;

pub(super) fn dialogs_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let (title, content): (&str, fn(&mut Ui, &AppState)) = match state.dialog {
        Some(Dialog::Keys) => ("Keyboard shortcuts", shortcut_list::shortcut_list_ui),
        Some(Dialog::About) => ("About Rigscope", about_ui),
        Some(
            Dialog::Palette
            | Dialog::Export
            | Dialog::Files
            | Dialog::GoToVertex
            | Dialog::ImageExport
            | Dialog::Readers
            | Dialog::Revisions,
        )
        | None => {
            return;
        }
    };
    let modal = Modal::new(Id::unique(title)).frame(card(ui).inner_margin(MARGIN));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 4.0 * MARGIN));
        ui.heading(title);
        ui.add_space(gap::MEDIUM);
        content(ui, state);
        ui.add_space(gap::LARGE);
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        close_button_ui(ui) || enter
    });
    if response.inner || response.should_close() {
        out.push(Action::CloseDialog);
    }
}

fn about_ui(ui: &mut Ui, state: &AppState) {
    ui.label(format!("Version {}", env!("CARGO_PKG_VERSION")));
    ui.label(ABOUT);
    ui.add_space(gap::MEDIUM);
    if !state.timings.adapter.is_empty() {
        ui.label(format!("Renders on {}.", state.timings.adapter));
    }
    let names: Vec<_> = FORMATS
        .iter()
        .map(|format| {
            let info = &format.info;
            format!("{} (.{})", info.name, info.extensions.join(", ."))
        })
        .collect();
    ui.label(format!("Opens {}.", names.join("; ")));
    ui.add_space(gap::MEDIUM);
    ui.weak("Licensed under MIT or Apache 2.0, at your option.");
}
