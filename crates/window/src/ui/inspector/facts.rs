//! Rows of facts.

use egui::Ui;

use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{count, number, row};
use crate::ui::widgets::{facts_ui, heading_ui};
use rigscope_state::{Action, AppState, Command, FactSection, FactValue};

/// A heading with a row for each fact.
pub(super) fn section_ui(ui: &mut Ui, section: &FactSection) {
    heading_ui(ui, &section.title);
    let facts = section.facts.iter();
    let rows: Vec<_> = facts.map(|fact| (fact.name.as_str(), short(&fact.value))).collect();
    facts_ui(ui, &rows);
}

/// The buttons that copy all facts.
pub(super) fn copy_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    framed_command_button_ui(ui, state, Command::CopyInspected, "Copy", out);
    framed_command_button_ui(ui, state, Command::CopyInspectedJson, "JSON", out);
}

/// A value with a readable number of digits.
fn short(value: &FactValue) -> String {
    match value {
        FactValue::Count(number) => {
            usize::try_from(*number).map_or_else(|_| number.to_string(), count)
        }
        FactValue::Number(value) => number(*value),
        FactValue::Numbers(numbers) => row(numbers),
        FactValue::Integers(numbers) => {
            let texts: Vec<_> = numbers.iter().map(i64::to_string).collect();
            texts.join("  ")
        }
        FactValue::Text(_) | FactValue::Hex(_) => value.exact(),
    }
}
