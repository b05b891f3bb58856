//! The buttons at the end of a dialog, in the platform's order.

use egui::{Align, Button, Layout, Response, RichText, Ui};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pressed {
    /// The main button.
    pub(super) main: bool,
    /// The button that closes the dialog.
    pub(super) close: bool,
}

/// Both buttons at the right end of a row: the main one is last, or before the other on Windows.
pub(super) fn buttons_ui(ui: &mut Ui, main: &str, can_do: bool, close: &str) -> Pressed {
    let mut pressed = Pressed::default();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_main_last = !cfg!(target_os = "windows");
        for is_main in [is_main_last, !is_main_last] {
            if is_main {
                let button = main_button_ui(ui, main, can_do);
                pressed.main |= button.on_hover_text("Shortcut: Enter").clicked();
            } else {
                pressed.close |= ui.button(close).on_hover_text("Shortcut: Esc").clicked();
            }
        }
    });
    pressed
}

/// The button of a dialog that can only be closed.
pub(super) fn close_button_ui(ui: &mut Ui) -> bool {
    let layout = Layout::right_to_left(Align::Center);
    ui.with_layout(layout, |ui| main_button_ui(ui, "Close", true)).inner.clicked()
}

fn main_button_ui(ui: &mut Ui, text: &str, can_do: bool) -> Response {
    let selection = ui.visuals().selection;
    let text = RichText::new(text).color(selection.stroke.color);
    let button = Button::new(text).fill(selection.bg_fill).min_size(egui::vec2(64.0, 24.0));
    ui.add_enabled(can_do, button)
}
