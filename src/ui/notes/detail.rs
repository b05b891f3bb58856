//! One note in full: what was found, what it means, how to mend it, whether to keep reporting it.

use egui::{Label, RichText, ScrollArea, Ui};

use super::{color, sentence};
use crate::model::Note;
use crate::state::{Action, AppState, NotesAction};

/// Room for a few lines of text, but never more than this share of the pane; more scrolls.
const MAX_HEIGHT: f32 = 150.0;
const MAX_SHARE: f32 = 0.35;

/// `room` is the height that the table and this share, in points.
pub(super) fn detail_ui(
    ui: &mut Ui,
    state: &AppState,
    note: &Note,
    room: f32,
    out: &mut Vec<Action>,
) {
    let info = note.kind.info();
    let max_height = MAX_HEIGHT.min(room * MAX_SHARE);
    ui.horizontal_wrapped(|ui| {
        let severity = RichText::new(info.severity.as_str()).color(color(ui, info.severity));
        ui.label(severity);
        ui.label(RichText::new(info.code).strong());
        let is_allowed = state.is_allowed(note.kind);
        let (name, hover) = match is_allowed {
            true => ("Show again", "Lists notes of this code again, in every file."),
            false => {
                ("Allow", "Hides notes of this code in every file, until you show them again.")
            }
        };
        if ui.small_button(name).on_hover_text(hover).clicked() {
            let action = NotesAction::Allow(note.kind, !is_allowed);
            out.push(Action::Notes(action));
        }
    });
    ScrollArea::vertical()
        .id_salt("note detail text")
        .max_height(max_height)
        .min_scrolled_height(0.0)
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.add(Label::new(sentence(&note.message)).wrap());
            ui.weak(format!("First at {}, group {}.", note.place, info.group.as_str()));
            ui.add_space(2.0);
            for (name, text) in [("Means", info.meaning), ("To mend", info.mend)] {
                ui.label(RichText::new(name).small().strong());
                ui.add(Label::new(sentence(text)).wrap());
            }
        });
}
