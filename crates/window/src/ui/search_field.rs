//! A field that filters a list. Escape clears it.

use egui::{Key, Response, TextEdit, Ui};

/// The frame in which a field was last shown.
#[derive(Clone, Copy)]
struct LastShown {
    frame: u64,
}

/// Gives the focus to the field of a dialog or popup that has just opened. Returns whether it has.
pub(super) fn focus_when_opened(field: &Response) -> bool {
    let frame = field.ctx.cumulative_frame_nr();
    let id = field.id.with("last shown");
    let last: Option<LastShown> = field.ctx.data(|data| data.get_temp(id));
    field.ctx.data_mut(|data| data.insert_temp(id, LastShown { frame }));
    let has_opened = last.is_none_or(|last| last.frame + 1 < frame);
    if has_opened {
        field.request_focus();
    }
    has_opened
}

use super::key_listener::claim_escape;

/// Shows the field for `text`, `width` points wide, with its accessible name and hint.
pub(super) fn search_field_ui(
    ui: &mut Ui,
    text: &mut String,
    name: &str,
    hint: &str,
    width: f32,
) -> Response {
    let field = TextEdit::singleline(text).hint_text(hint).desired_width(width);
    let mut response = ui.add(field).accessible_name(name);
    if response.has_focus() && !text.is_empty() {
        claim_escape(ui);
    }
    // egui has already removed the focus.
    let is_left = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
    if is_left && !text.is_empty() {
        text.clear();
        response.mark_changed();
    }
    response
}
