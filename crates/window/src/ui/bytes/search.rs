//! The search field for text, bytes and numbers in the file.

use egui::{ComboBox, Key, ProgressBar, RichText, Ui};

use crate::ui::format;
use crate::ui::search_field::search_field_ui;
use crate::ui::tooltips::explained_with_keys;
use rigscope_state::{
    Action, AppState, ByteKind, ByteMatches, ByteQuery, ByteSearchAction, Command, SearchDirection,
};

/// Shows the field. `num_focus_requests` is the number of search requests when it last received the focus.
pub(super) fn search_ui(
    ui: &mut Ui,
    state: &AppState,
    num_focus_requests: &mut u64,
    out: &mut Vec<Action>,
) {
    let search = &state.tab.view.byte_search;
    let mut query = search.query.clone();
    let label = ui.weak("Find");
    let kind = ComboBox::from_id_salt("kind of bytes").width(84.0);
    let kind = kind.selected_text(query.kind.label()).show_ui(ui, |ui| {
        for kind in ByteKind::ALL {
            ui.selectable_value(&mut query.kind, kind, kind.label());
        }
    });
    let kind = kind.response.on_hover_text("Chooses how the search text is read.");
    kind.accessible_name("Kind of value to find");
    let example = query.kind.example();
    let response = search_field_ui(ui, &mut query.text, "Find", example, 150.0);
    let response = explained_with_keys(response, query.kind.hint(), &[Command::FindBytes])
        .labelled_by(label.id);
    if *num_focus_requests != search.num_focus_requests {
        *num_focus_requests = search.num_focus_requests;
        response.request_focus();
    }
    let is_typing = response.has_focus() || response.lost_focus();
    if is_typing && ui.input(|input| input.key_pressed(Key::Enter)) {
        let is_back = ui.input(|input| input.modifiers.shift);
        let direction = if is_back { SearchDirection::Previous } else { SearchDirection::Next };
        out.push(Action::ByteSearch(ByteSearchAction::Jump(direction)));
        response.request_focus();
    }
    if query != search.query {
        out.push(Action::ByteSearch(ByteSearchAction::Search(query)));
    }
    outcome_ui(ui, state, out);
}

fn outcome_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let search = &state.tab.view.byte_search;
    if let Some(fault) = search.query.fault() {
        ui.label(RichText::new(fault).color(ui.visuals().warn_fg_color));
        return;
    }
    if let Some(fraction) = state.search_progress() {
        ui.add(ProgressBar::new(fraction).desired_width(90.0)).accessible_name("Searching");
        let stop = ui.small_button("×").on_hover_text("Stop searching");
        if stop.accessible_name("Stop searching").clicked() {
            let nothing = ByteQuery { text: String::new(), ..search.query.clone() };
            out.push(Action::ByteSearch(ByteSearchAction::Search(nothing)));
        }
        return;
    }
    let Some(found) = search.found.get() else { return };
    let steps = [
        (SearchDirection::Previous, "⏶", "Previous match (Shift+Enter)"),
        (SearchDirection::Next, "⏷", "Next match (Enter)"),
    ];
    for (direction, text, name) in steps {
        let button = ui.add_enabled(!found.at.is_empty(), egui::Button::new(text).small());
        if button.on_hover_text(name).accessible_name(name).clicked() {
            out.push(Action::ByteSearch(ByteSearchAction::Jump(direction)));
        }
    }
    ui.label(outcome(found, state.found_number()));
}

/// The number of results, and the current one.
fn outcome(found: &ByteMatches, number: Option<usize>) -> String {
    let num = format::count(found.at.len());
    let all = if found.has_more { format!("more than {num}") } else { num };
    match (found.at.len(), number) {
        (0, _) => "No matches".into(),
        (_, Some(number)) => format!("{} of {all}", format::count(number)),
        (1, None) => "1 match".into(),
        _ => format!("{all} matches"),
    }
}
