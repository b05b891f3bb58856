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
                let fill = ui.visuals().selection.bg_fill;
                let color = ui.visuals().strong_text_color();
                let button = Button::new(RichText::new(main).color(color)).fill(fill);
                pressed.main |= ui.add_enabled(can_do, button).clicked();
            } else {
                pressed.close |= ui.button(close).clicked();
            }
        }
    });
    pressed
}
