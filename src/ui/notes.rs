//! What was found in the file; a click shows where.

use egui::{RichText, ScrollArea, Ui};

use super::format;
use crate::model::{Note, Place, Severity};
use crate::state::{Action, AppState};

pub(super) fn notes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let notes = state.document.as_ref().map_or(&[][..], |d| &d.notes);
    ScrollArea::vertical()
        .id_salt("notes")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if state.document.is_some() && notes.is_empty() {
                ui.weak("Nothing was found amiss.");
            }
            for (index, note) in notes.iter().enumerate() {
                ui.push_id(index, |ui| note_ui(ui, note, out));
            }
        });
}

fn note_ui(ui: &mut Ui, note: &Note, out: &mut Vec<Action>) {
    let info = note.kind.info();
    let color = match note.severity() {
        Severity::Error => ui.visuals().error_fg_color,
        Severity::Warning => ui.visuals().warn_fg_color,
        Severity::Info => ui.visuals().weak_text_color(),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(info.severity.as_str()).small().color(color));
        let times = match note.count {
            1 => String::new(),
            count => format!(
                "  ×{}",
                format::count(usize::try_from(count).unwrap_or(usize::MAX))
            ),
        };
        let text = RichText::new(format!("{}{times}", info.code));
        let has_place = !matches!(note.place, Place::File | Place::Line(_));
        let hover = format!("{}.\n{} at {}", info.meaning, note.message, note.place);
        if has_place {
            let response = ui.link(text).on_hover_text(hover);
            if response.clicked() {
                out.push(Action::Focus(note.place));
            }
        } else {
            ui.label(text).on_hover_text(hover);
        }
    });
    ui.add(egui::Label::new(RichText::new(&note.message).weak().small()).wrap());
    ui.add_space(3.0);
}
