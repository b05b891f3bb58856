//! The buttons at the end of a dialog, where the platform has them.

use egui::{Align, Button, Layout, RichText, Ui};

/// Which button was pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pressed {
    /// That which does what the dialog is for.
    pub(super) main: bool,
    /// That which closes it.
    pub(super) close: bool,
}

/// Both buttons at the right end of a row: what the dialog is for is the last one, but on Windows the
/// one before.
pub(super) fn buttons_ui(ui: &mut Ui, main: &str, can_do: bool, close: &str) -> Pressed {
    let mut pressed = Pressed::default();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_main_last = !cfg!(target_os = "windows");
        for is_main in [is_main_last, !is_main_last] {
            if is_main {
                pressed.main |= main_button_ui(ui, main, can_do);
            } else {
                pressed.close |= ui.button(close).clicked();
            }
        }
    });
    pressed
}

/// The only button of a dialog that has nothing to do but be read.
pub(super) fn close_button_ui(ui: &mut Ui) -> bool {
    let layout = Layout::right_to_left(Align::Center);
    ui.with_layout(layout, |ui| main_button_ui(ui, "Close", true)).inner
}

fn main_button_ui(ui: &mut Ui, text: &str, can_do: bool) -> bool {
    let selection = ui.visuals().selection;
    let text = RichText::new(text).color(selection.stroke.color);
    let button = Button::new(text).fill(selection.bg_fill).min_size(egui::vec2(64.0, 24.0));
    ui.add_enabled(can_do, button).clicked()
}
