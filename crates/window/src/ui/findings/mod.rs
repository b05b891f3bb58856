//! The Findings pane: a table, filters above it, details below.

mod copy;
mod detail;
mod filter;
mod table;

use egui::Ui;

use super::divider::{Divider, Part};
use super::widgets::MAX_MESSAGE_CHARS;
use rigscope_core::model::{Severity, display_text};
use rigscope_state::{Action, AppState};

/// In a wider pane, details are shown next to the table instead of below it.
const MIN_WIDTH_BESIDE: f32 = 420.0;
/// Minimum size of either part.
const MIN_HEIGHT: f32 = 48.0;
const MIN_WIDTH: f32 = 190.0;

pub(super) fn findings_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.findings;
    if state.tab.document.is_none() {
        ui.weak("Nothing is open.");
        return;
    }
    filter::filter_ui(ui, state, out);
    super::diagnosis::fixing_ui(ui, state, out);
    let width = ui.available_width();
    super::diagnosis::main_cause_ui(ui, state, width, out);
    if list.all.is_empty() {
        ui.weak(if list.is_validated() {
            "No problems were found."
        } else {
            "The file is being checked."
        });
        return;
    }
    let Some(finding) = list.selected.and_then(|number| list.all.get(number)) else {
        list_ui(ui, state, out);
        return;
    };
    let is_beside = ui.available_width() >= MIN_WIDTH_BESIDE;
    let divider = Divider {
        name: if is_beside {
            "List of findings and details"
        } else {
            "List of findings and details below"
        },
        is_beside,
        first: if is_beside { ui.available_width() * 0.55 } else { ui.available_height() * 0.4 },
        range: if is_beside {
            MIN_WIDTH..=ui.available_width() - MIN_WIDTH
        } else {
            MIN_HEIGHT..=ui.available_height() - MIN_HEIGHT
        },
    };
    divider.show(ui, |ui, part| match part {
        Part::First => list_ui(ui, state, out),
        Part::Second => detail::detail_ui(ui, state, finding, out),
    });
}

fn list_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.findings;
    if list.rows.is_empty() {
        ui.weak(if list.num_allowed == list.all.len() {
            "All findings are ignored."
        } else {
            "No finding matches the filter."
        });
    } else {
        table::table_ui(ui, state, out);
    }
}

/// The colour of a severity.
fn color(ui: &Ui, severity: Severity) -> egui::Color32 {
    match severity {
        Severity::Error => ui.visuals().error_fg_color,
        Severity::Warning => ui.visuals().warn_fg_color,
        Severity::Info => ui.visuals().weak_text_color(),
    }
}

/// The message as a sentence. Its first letter stays as it is, because it may belong to a name from the
/// file.
fn message(text: &str) -> String {
    format!("{}.", display_text::shortened(text, MAX_MESSAGE_CHARS).trim_end_matches('.'))
}

/// A phrase as a sentence, shortened if necessary.
fn sentence(phrase: &str) -> String {
    let phrase = display_text::shortened(phrase, MAX_MESSAGE_CHARS);
    let mut chars = phrase.chars();
    match chars.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}
