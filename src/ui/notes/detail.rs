//! One note in full: what was found, what it means, how to mend it, whether to keep reporting it.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use super::{color, sentence};
use crate::model::Note;
use crate::state::{Action, AppState, NotesAction};
use crate::ui::format;
use crate::ui::theme::gap;
use crate::ui::widgets::document_id;

pub(super) fn detail_ui(ui: &mut Ui, state: &AppState, note: &Note, out: &mut Vec<Action>) {
    let info = note.kind.info();
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        let close = ui.add(egui::Button::new("×").frame(false));
        if close.accessible_name("Close the note").clicked() {
            out.push(Action::Notes(NotesAction::Close));
        }
        mute_ui(ui, state, note, out);
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            let severity = RichText::new(info.severity.as_str());
            ui.label(severity.color(color(ui, info.severity)));
            ui.add(Label::new(RichText::new(info.code).strong()).truncate());
        });
    });
    ScrollArea::vertical()
        .id_salt(document_id(state, "note detail").with(state.tab.view.notes.selected))
        .auto_shrink([false, false])
        .min_scrolled_height(0.0)
        .show(ui, |ui| {
            ui.add(Label::new(sentence(&note.message)).wrap());
            for (name, text) in [("Means", info.meaning), ("To mend", info.mend)] {
                ui.add_space(gap::TIGHT);
                ui.label(RichText::new(name).small().strong());
                ui.add(Label::new(sentence(text)).wrap());
            }
            ui.add_space(gap::TIGHT);
            let times = usize::try_from(note.count).unwrap_or(usize::MAX);
            let times = match times {
                1 => String::new(),
                _ => format!(", found {}", format::counted(times, "time")),
            };
            let place = format!("At {}, group {}{times}.", note.place, info.group.as_str());
            ui.add(Label::new(RichText::new(place).weak()).wrap());
        });
}

fn mute_ui(ui: &mut Ui, state: &AppState, note: &Note, out: &mut Vec<Action>) {
    let is_muted = state.is_allowed(note.kind);
    let (name, hover) = match is_muted {
        true => ("Unmute this rule", "Lists notes of this code again, in every file."),
        false => ("Mute this rule", "Hides notes of this code in every file, until you unmute it."),
    };
    if ui.small_button(name).on_hover_text(hover).clicked() {
        let action = NotesAction::Allow(note.kind, !is_muted);
        out.push(Action::Notes(action));
    }
}
