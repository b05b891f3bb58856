//! A pane next to the view for export and image settings. The model stays visible and interactive, and the
//! layout doesn't change when a choice adds more options.

use egui::{Frame, Key, Panel, ScrollArea, Ui};

use super::buttons::{Pressed, buttons_ui};
use super::theme::gap;

/// Wide enough for the longest choice.
const WIDTH: f32 = 372.0;
const MARGIN: i8 = 14;

/// A pane with `content` between its title and its buttons. Enter activates the main button unless another
/// widget has the focus; a number field handles it first.
pub(super) fn side_pane_ui(
    ui: &mut Ui,
    title: &str,
    main: &str,
    can_do: bool,
    content: impl FnOnce(&mut Ui),
) -> Pressed {
    // Checked before the widgets process keys.
    let focused = ui.memory(|memory| memory.focused());
    let frame = Frame::side_top_panel(ui.style()).inner_margin(MARGIN);
    let panel =
        Panel::right("panel next to the view").exact_size(WIDTH).resizable(false).frame(frame);
    let shown = panel.show(ui, |ui| {
        let pressed = Panel::bottom(ui.scope_id().with("buttons"))
            .frame(Frame::new())
            .resizable(false)
            .show_separator_line(false)
            .show(ui, |ui| {
                ui.add_space(gap::LARGE);
                buttons_ui(ui, main, can_do, "Close")
            });
        ui.heading(title);
        ui.add_space(gap::MEDIUM);
        ScrollArea::vertical().id_salt(title).auto_shrink([false, false]).show(ui, content);
        pressed.inner
    });
    let mut pressed = shown.inner;
    let enter = ui.input(|input| input.key_pressed(Key::Enter));
    pressed.main |= enter && can_do && focused.is_none() && !ui.ctx().any_popup_open();
    pressed
}
