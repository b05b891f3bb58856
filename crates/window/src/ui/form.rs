//! A form for a request, built from its option table: two-column grid rows, or one line.

use egui::{ComboBox, DragValue, Response, Ui};

use super::tooltips::explained;
use rigscope_core::options::{OptionInfo, OptionKind, Request};

/// Width of a combo box, in points.
const COMBO_WIDTH: f32 = 240.0;
/// The change of a number per dragged point, relative to it, and at least.
const SPEED_OF_NUMBER: f64 = 0.01;
const MIN_SPEED: f64 = 1e-5;

/// Shows the rows of the options accepted by `is_offered`. Options that share a row are stacked.
pub(super) fn form_rows_ui<R: Request>(
    ui: &mut Ui,
    request: &mut R,
    is_offered: impl Fn(&OptionInfo<R>) -> bool,
) {
    let shown = |option: &&OptionInfo<R>| !option.row.is_empty() && is_offered(option);
    let options: Vec<&OptionInfo<R>> = R::OPTIONS.iter().filter(shown).collect();
    for row in options.chunk_by(|a, b| a.row == b.row) {
        let Some(first) = row.first() else { continue };
        let label = ui.label(first.row);
        ui.vertical(|ui| {
            ui.spacing_mut().combo_width = COMBO_WIDTH;
            for option in row {
                let response = explained(option_ui(ui, request, option), sentence(option.help));
                if option.label.is_empty() {
                    response.labelled_by(label.id);
                }
            }
        });
        ui.end_row();
    }
}

/// Shows the options that are in forms in one line, each after the name of its row.
pub(super) fn form_line_ui<R: Request>(ui: &mut Ui, request: &mut R) {
    for option in R::OPTIONS.iter().filter(|option| !option.row.is_empty()) {
        let label = ui.label(option.row);
        let help = [option.help, option.details].map(|text| text.trim_end_matches('.'));
        let sentences = help.into_iter().filter(|text| !text.is_empty()).map(sentence);
        let help = sentences.collect::<Vec<_>>().join(" ");
        explained(option_ui(ui, request, option), help).labelled_by(label.id);
    }
}

/// A help text of the command line, which has no full stop, as a tooltip.
fn sentence(help: &str) -> String {
    format!("{help}.")
}

fn option_ui<R>(ui: &mut Ui, request: &mut R, option: &OptionInfo<R>) -> Response {
    match &option.kind {
        OptionKind::Flag(field) => {
            let mut is_set = (field.get)(request);
            let response = ui.checkbox(&mut is_set, option.label);
            (field.set)(request, is_set);
            response
        }
        &OptionKind::Number { neutral, is_valid, ref field, .. } => {
            let mut number = (field.get)(request).or(neutral).unwrap_or_default();
            let speed = (number.abs() * SPEED_OF_NUMBER).max(MIN_SPEED);
            let drag = DragValue::new(&mut number).speed(speed).max_decimals(7);
            let response = ui.add(drag.update_while_editing(false));
            if response.changed() && is_valid(number) {
                (field.set)(request, Some(number).filter(|_| Some(number) != neutral));
            }
            response
        }
        &OptionKind::Count { min, max, ref field, .. } => {
            /// Four influences per vertex are the usual limit of engines.
            const USUAL_COUNT: usize = 4;
            let value = (field.get)(request);
            let mut is_set = value.is_some();
            let mut count = value.unwrap_or(USUAL_COUNT.clamp(min, max));
            let row = ui.horizontal(|ui| {
                let checkbox = ui.checkbox(&mut is_set, option.label);
                let edit = DragValue::new(&mut count).range(min..=max).speed(0.1);
                ui.add_enabled(is_set, edit).labelled_by(checkbox.id);
                checkbox
            });
            (field.set)(request, is_set.then_some(count));
            row.inner
        }
        OptionKind::Text { field, .. } => {
            let mut text = (field.get)(request).unwrap_or_default();
            let response = ui.text_edit_singleline(&mut text);
            (field.set)(request, Some(text).filter(|text| !text.is_empty()));
            response
        }
        OptionKind::Choice { choices, field, .. } => {
            let choices = choices();
            let current = (field.get)(request).and_then(|number| choices.get(number));
            let current = current.map_or("", |choice| choice.name);
            ComboBox::from_id_salt(option.name)
                .selected_text(current)
                .show_ui(ui, |ui| {
                    for (number, choice) in choices.iter().enumerate() {
                        let response = ui.selectable_label(choice.name == current, choice.name);
                        if response.on_hover_text(sentence(choice.help)).clicked() {
                            (field.set)(request, Some(number));
                        }
                    }
                })
                .response
        }
        // The window has its own lists of files and names.
        OptionKind::Texts { .. } | OptionKind::Names { .. } | OptionKind::Paths { .. } => {
            ui.label(option.label)
        }
    }
}
