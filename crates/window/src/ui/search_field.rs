//! A field that filters a list. Escape clears it.

use egui::{Key, Response, TextEdit, Ui};

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
