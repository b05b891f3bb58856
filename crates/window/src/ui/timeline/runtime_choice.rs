//! The choice of the runtime that the document is played as.

use egui::{ComboBox, Ui};

use crate::ui::format::length;
use rigscope_state::{Action, AppState, RuntimeAction, SecondAction};

/// Lists the engines that open the document, if there are any.
pub(super) fn runtime_choice_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let runtimes = state.runtimes();
    if runtimes.is_empty() {
        return;
    }
    let chosen = state.runtime();
    let name = chosen.map_or("Play as", |runtime| runtime.name);
    let list = ComboBox::from_id_salt("runtime").selected_text(name).width(96.0);
    let response = list.show_ui(ui, |ui| {
        let mut row = |ui: &mut Ui, text: String, choice| {
            let is_chosen = chosen.map(|own| own.id) == choice_id(choice);
            if ui.selectable_label(is_chosen, text).clicked() && !is_chosen {
                out.push(Action::Runtime(RuntimeAction::Choose(choice)));
            }
        };
        row(ui, "Only the file".to_owned(), None);
        for runtime in runtimes {
            row(ui, format!("{} {}", runtime.name, runtime.version), Some(runtime));
        }
    });
    response.response.accessible_name("Play as").on_hover_ui(|ui| {
        ui.label("Shows how an engine plays the file, coloured by the deviation of each vertex.");
        let differences = state.played().map(|played| &played.differences[..]);
        for difference in differences.unwrap_or_default() {
            ui.label(format!("\u{2022} {difference}"));
        }
        for (runtime, why) in state.runtime_refusals() {
            ui.label(format!("{} can't open the file: {why}.", runtime.name));
        }
        let exceptions = chosen.map(|runtime| runtime.verified.exceptions());
        if let Some(exceptions) = exceptions.filter(|list| !list.is_empty()) {
            ui.separator();
            ui.label("Not shown:");
            for exception in exceptions {
                ui.label(format!("\u{2022} {exception}"));
            }
        }
    });
    worst_ui(ui, state, out);
}

/// The largest deviation; a click shows where and when.
fn worst_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let (Some(played), Some(worst)) = (state.played(), state.worst_as_played()) else { return };
    let distance = length(state, played.max_deviation());
    let response = ui.small_button(distance).on_hover_text(
        "The largest deviation of a vertex. A click selects the vertex and shows the time at which it occurs.",
    );
    if response.accessible_name("Largest deviation of the engine").clicked() {
        out.push(Action::Second(SecondAction::ShowWorst(worst)));
    }
}

fn choice_id(choice: Option<&'static rigscope_core::runtime::Runtime>) -> Option<&'static str> {
    choice.map(|runtime| runtime.id)
}
