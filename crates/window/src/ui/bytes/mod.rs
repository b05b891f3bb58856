//! The Bytes pane: sixteen bytes per row, coloured by the element that they were decoded to.
//!
//! Clicking a byte selects its element; the selection is outlined in the bytes. The bar on the right is a
//! draggable overview of the whole file in the same colours. Next to the bytes are the decoded records,
//! fields and values. Search covers text, bytes and numbers.
//!
//! Only visible rows are drawn, regardless of the file's size.

mod bar;
mod columns;
mod decoded_fields;
mod detail;
mod rows;
mod search;
mod style;

use egui::{Id, RichText, Ui};

use super::format;
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, BytesAction, FileBytes};

/// State in egui's memory.
#[derive(Clone, Debug, Default, PartialEq)]
struct ScrollState {
    /// The first visible row; fractional while scrolling.
    first_row: f64,
    /// The byte shown last. If it changes, the pane scrolls there.
    target: Option<u64>,
    /// Text of the "Go to offset" field.
    go_to: String,
    /// Number of search requests when the search field last received the focus.
    num_focus_requests: u64,
}

pub(super) fn bytes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(file) = state.file_bytes() else {
        ui.weak("Nothing is open.");
        return;
    };
    let id = Id::unique("bytes").with(file.name);
    let mut place: ScrollState = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let selected = state.selected_bytes();
    head_ui(ui, state, &file, &mut place, out);
    if let Err(error) = file.content.part(0..0) {
        let text = format!("The file can't be read: {error}.");
        ui.colored_label(ui.visuals().error_fg_color, text);
    }
    detail::detail_ui(ui, state, &file);
    ui.separator();
    let target = target(state, &file, &selected);
    let moved = (target != place.target).then_some(target).flatten();
    place.target = target;
    rows::rows_ui(ui, state, &file, &selected, &mut place.first_row, moved, out);
    ui.data_mut(|data| data.insert_temp(id, place));
}

/// The byte to scroll to.
fn target(
    state: &AppState,
    file: &FileBytes<'_>,
    selected: &[std::ops::Range<u64>],
) -> Option<u64> {
    let cursor = state.tab.view.bytes.cursor;
    // The clicked byte and the selection made by the click are the same place.
    let is_inside = |at: &u64| selected.is_empty() || selected.iter().any(|r| r.contains(at));
    let failing = file.failure.and_then(|failure| failure.bytes.as_ref());
    cursor
        .filter(is_inside)
        .or_else(|| selected.first().map(|range| range.start))
        .or(cursor)
        .or_else(|| failing.map(|range| range.start))
}

fn head_ui(
    ui: &mut Ui,
    state: &AppState,
    file: &FileBytes<'_>,
    place: &mut ScrollState,
    out: &mut Vec<Action>,
) {
    ui.horizontal_wrapped(|ui| {
        name_ui(ui, state, file, out);
        ui.weak(format::bytes(file.content.len()));
        let label = ui.weak("Go to offset");
        let field =
            egui::TextEdit::singleline(&mut place.go_to).hint_text("0x0").desired_width(80.0);
        let help = "Goes to a byte by its offset, decimal or with 0x in hexadecimal.";
        let response = ui.add(field).on_hover_text(help).labelled_by(label.id);
        if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
            match offset(&place.go_to) {
                Some(at) if at < file.content.len() => {
                    out.push(Action::Bytes(BytesAction::MoveCursor(at)));
                }
                _ => {
                    let text = format!("'{}' isn't an offset in this file", place.go_to);
                    out.push(Action::ShowMessage(rigscope_state::ToastLevel::Warning, text));
                }
            }
        }
        search::search_ui(ui, state, &mut place.num_focus_requests, out);
        if let Some(broken) = state.tab.broken.as_ref().filter(|_| state.tab.document.is_some()) {
            let is_shown = state.shown_broken().is_some();
            let text = format!("{} (could not be read)", display_text::name(&broken.name));
            let help = "Switches between the open file and the file that couldn't be read.";
            if ui.selectable_label(is_shown, text).on_hover_text(help).clicked() {
                out.push(Action::Bytes(BytesAction::ShowBroken(!is_shown)));
            }
        }
    });
}

/// The name of the file; a list if the model was read from several.
fn name_ui(ui: &mut Ui, state: &AppState, file: &FileBytes<'_>, out: &mut Vec<Action>) {
    let name = RichText::new(display_text::name(file.name)).strong();
    let document = state.tab.document.as_ref().filter(|_| state.shown_broken().is_none());
    let Some(document) = document.filter(|document| document.byte_files().nth(1).is_some()) else {
        ui.label(name);
        return;
    };
    let shown = state.tab.view.bytes.file;
    let list = egui::ComboBox::from_id_salt("file of bytes").selected_text(name);
    let response = list.show_ui(ui, |ui| {
        for number in document.byte_files() {
            let Some((name, content, _)) = document.bytes_of(number) else { continue };
            let text = format!("{} ({})", display_text::name(name), format::bytes(content.len()));
            if ui.selectable_label(number == shown, text).clicked() {
                out.push(Action::Bytes(BytesAction::ShowFile(number)));
            }
        }
    });
    response.response.on_hover_text("Chooses a file that the model was read from.");
}

/// Hexadecimal with 0x, otherwise decimal.
fn offset(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_decimal_or_hexadecimal() {
        assert_eq!(offset(" 0x1F "), Some(31));
        assert_eq!(offset("31"), Some(31));
        assert_eq!(offset("1F"), None);
        assert_eq!(offset(""), None);
    }
}
