//! What was found in the file and about it: a table, filters over it, details below.

mod copy;
mod detail;
mod filter;
mod table;

use egui::{Margin, Panel, Ui};

use super::widgets::{MAX_MESSAGE_CHARS, counted_heading_ui};
use crate::model::{Severity, shown};
use crate::state::{Action, AppState};

pub(super) fn notes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.notes;
    counted_heading_ui(ui, "Notes", list.rows.len());
    if state.tab.document.is_none() {
        return;
    }
    filter::filter_ui(ui, state, out);
    let selected = list.selected.and_then(|number| list.all.get(number));
    if let Some(note) = selected {
        let room = ui.available_height();
        let frame = egui::Frame::new().inner_margin(Margin::symmetric(0, 4));
        Panel::bottom("note detail")
            .frame(frame)
            .show(ui, |ui| detail::detail_ui(ui, state, note, room, out));
    }
    if !list.all.is_empty() && list.rows.is_empty() {
        ui.weak(match list.num_allowed == list.all.len() {
            true => "All that was found is allowed.",
            false => "Nothing of that kind was found.",
        });
    } else if list.all.is_empty() {
        ui.weak(match list.is_judged() {
            true => "Nothing was found.",
            false => "The file is being checked.",
        });
    } else {
        table::table_ui(ui, state, out);
    }
}

/// The colour that says how bad something is.
fn color(ui: &Ui, severity: Severity) -> egui::Color32 {
    match severity {
        Severity::Error => ui.visuals().error_fg_color,
        Severity::Warning => ui.visuals().warn_fg_color,
        Severity::Info => ui.visuals().weak_text_color(),
    }
}

/// A phrase as a sentence; one without end is cut.
fn sentence(phrase: &str) -> String {
    let phrase = shown::short(phrase, MAX_MESSAGE_CHARS);
    let mut chars = phrase.chars();
    match chars.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}
