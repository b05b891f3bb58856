//! Filters of findings by severity, group and text; and copying them.

use egui::{Button, ComboBox, RichText, Ui};

use super::{color, copy};
use crate::ui::format::{counted_severity, severities};
use crate::ui::search_field::search_field_ui;
use crate::ui::theme::gap;
use rigscope_core::model::{FindingGroup, Severity};
use rigscope_io::fix::Choice;
use rigscope_state::{Action, AppState, Command, FindingFilter, FindingsAction, FixAction};

/// With less space left, the search field moves to a separate row.
const MIN_SEARCH: f32 = 110.0;

pub(super) fn filter_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.findings;
    let mut filter = list.filter.clone();
    ui.horizontal_wrapped(|ui| {
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            let name = severities(severity);
            let is_on = &mut filter.severities[severity as usize];
            let text = RichText::new(counted_severity(list.num(severity), severity));
            // Severity colours are hard to read on the background of an active button.
            let text = if *is_on { text } else { text.color(color(ui, severity)) };
            let button = Button::selectable(*is_on, text).small();
            let response = ui.add(button).on_hover_text(if *is_on {
                format!("Hide {name}")
            } else {
                format!("Show {name}")
            });
            let response = response.accessible_name(format!("Show {name}"));
            *is_on ^= response.clicked();
        }
        if list.num_allowed > 0 {
            let text = format!("{} ignored", list.num_allowed);
            let button = Button::selectable(filter.shows_allowed, text).small();
            let response = ui.add(button);
            let response = response.on_hover_text("Also lists findings of ignored rules.");
            filter.shows_allowed ^= response.clicked();
        }
        group_ui(ui, &mut filter);
        ui.menu_button("Copy", |ui| copy_ui(ui, state, out))
            .response
            .on_hover_text("Copies the listed findings.")
            .accessible_name("Copy findings");
        let is_idle = state.tab.view.fixing.progress().is_none();
        let fix = ui
            .add_enabled(is_idle && state.has_fixes(), Button::new("Fix all…").small())
            .on_hover_text(
                "Writes a file with all safe fixes applied, and opens it. Guesses aren't applied.",
            )
            .on_disabled_hover_text("No finding has a fix that is safe to apply without review.");
        if fix.clicked() {
            out.push(Action::Fix(FixAction::Ask(Choice::All)));
        }
        let room = ui.available_size_before_wrap().x;
        let width = if room < MIN_SEARCH { ui.available_width() } else { room };
        search_field_ui(ui, &mut filter.text, "Search findings", "Search findings", width);
    });
    ui.add_space(gap::TIGHT);
    if filter != list.filter {
        out.push(Action::Findings(FindingsAction::Filter(filter)));
    }
}

fn group_ui(ui: &mut Ui, filter: &mut FindingFilter) {
    let name = |group: Option<FindingGroup>| group.map_or("All groups", FindingGroup::as_str);
    ComboBox::from_id_salt("note group")
        .width(84.0)
        .selected_text(name(filter.group))
        .show_ui(ui, |ui| {
            let groups = FindingGroup::ALL.into_iter().map(Some);
            for group in std::iter::once(None).chain(groups) {
                ui.selectable_value(&mut filter.group, group, name(group));
            }
        })
        .response
        .accessible_name("Group of findings");
}

fn copy_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if ui.button("Copy as text").clicked() {
        out.push(Action::Run(Command::CopyFindings));
        ui.close();
    }
    if ui.button("Copy as JSON").clicked() {
        out.push(Action::CopyText(copy::json(&state.tab.view.findings)));
        ui.close();
    }
}
