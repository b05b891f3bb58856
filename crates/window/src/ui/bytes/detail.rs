//! The line above the bytes: meaning and value of the current byte.

use std::ops::Range;

use egui::{RichText, Ui};

use super::super::format::hex;
use rigscope_core::model::{Hit, decode};
use rigscope_io::formats::Content;
use rigscope_state::{AppState, FileBytes};

/// Maximum number of bytes shown in hexadecimal.
const MAX_HEX: u64 = 24;

pub(super) fn detail_ui(ui: &mut Ui, state: &AppState, file: &FileBytes<'_>) {
    if let Some(failure) = file.failure {
        let color = ui.visuals().error_fg_color;
        let text = RichText::new(format!("Reading stopped here: {}", failure.message));
        ui.add(egui::Label::new(text.color(color)).wrap());
    }
    let Some(at) = state.tab.view.bytes.cursor else {
        if file.failure.is_none() {
            ui.weak("Click a byte to select its element.");
        }
        return;
    };
    match file.provenance.at(at) {
        Some(hit) => {
            ui.horizontal_wrapped(|ui| {
                ui.monospace(format!("{at:#x}"));
                ui.label(RichText::new(name(&hit)).strong());
                if let Some(field) = hit.field {
                    ui.weak(format!("{}  ({})", field.name, field.layout));
                }
                if let Some(value) = value(&hit, file.content) {
                    ui.label(value);
                }
                ui.weak(RichText::new(spelled(file.content, &hit.field_bytes)).monospace().small());
            });
        }
        None => {
            ui.weak(format!("{at:#x}: this byte is unused."));
        }
    }
}

/// The meaning of the byte at `at`, as a tooltip.
pub(super) fn hover_ui(ui: &mut Ui, file: &FileBytes<'_>, at: u64) {
    ui.weak(format!("Offset {at:#x} ({at})"));
    let Some(hit) = file.provenance.at(at) else {
        ui.label("This byte is unused.");
        return;
    };
    ui.strong(name(&hit));
    if let Some(field) = hit.field {
        ui.label(format!("{}  ({})", field.name, field.layout));
    }
    if let Some(value) = value(&hit, file.content) {
        ui.label(value);
    }
}

/// Name and index of the record.
pub(super) fn name(hit: &Hit<'_>) -> String {
    let name = hit.span.element.name();
    if hit.span.count == 1 && hit.span.first == 0 {
        return name.to_owned();
    }
    format!("{name} {}", hit.record)
}

/// The field's value; `None` if the record has no fields.
pub(super) fn value(hit: &Hit<'_>, content: &Content) -> Option<String> {
    let field = hit.field?;
    Some(decode(field, &content.part(hit.field_bytes.clone()).ok()?))
}

fn spelled(content: &Content, range: &Range<u64>) -> String {
    let end = range.end.min(range.start + MAX_HEX);
    let Ok(shown) = content.part(range.start..end) else { return String::new() };
    let more = if end < range.end { " …" } else { "" };
    format!("{}{more}", hex(&shown))
}
