//! One finding in detail: meaning, fix, and whether to keep reporting it.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui};

use super::{color, message, sentence};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format;
use crate::ui::theme::gap;
use crate::ui::tooltips::explained_with_keys;
use crate::ui::widgets::document_id;
use rigscope_core::diagnose::CAUSES;
use rigscope_core::model::Finding;
use rigscope_io::fix::Choice;
use rigscope_state::{Action, AppState, Command, FindingsAction, FixAction, Pane};

pub(super) fn detail_ui(ui: &mut Ui, state: &AppState, finding: &Finding, out: &mut Vec<Action>) {
    let info = finding.kind.info();
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        let close = ui.add(egui::Button::new("×").frame(false));
        let close = close.on_hover_text("Close");
        if close.accessible_name("Close the finding").clicked() {
            out.push(Action::Findings(FindingsAction::Close));
        }
        mute_ui(ui, state, finding, out);
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            let severity = RichText::new(info.severity.as_str());
            ui.label(severity.color(color(ui, info.severity)));
            ui.add(Label::new(RichText::new(info.code).strong()).truncate());
        });
    });
    ScrollArea::vertical()
        .id_salt(document_id(state, "note detail").with(state.tab.view.findings.selected))
        .auto_shrink([false, false])
        .min_scrolled_height(0.0)
        .show(ui, |ui| {
            ui.add(Label::new(message(&finding.message)).wrap());
            places_ui(ui, state, finding, out);
            fix_ui(ui, state, finding, out);
            for (name, text) in
                [("Problem", info.meaning), ("Effect", info.consequence), ("How to fix", info.fix)]
            {
                ui.add_space(gap::TIGHT);
                ui.label(RichText::new(name).small().strong());
                ui.add(Label::new(sentence(text)).wrap());
            }
            ui.add_space(gap::TIGHT);
            let times = usize::try_from(finding.count).unwrap_or(usize::MAX);
            let times = match times {
                1 => String::new(),
                _ => format!(", found {}", format::counted(times, "time")),
            };
            let place = format!(
                "At {} (group {}{times}).",
                state.place_name(finding.place),
                info.group.as_str()
            );
            ui.add(Label::new(RichText::new(place).weak()).wrap());
        });
}

/// A button that fixes findings of this kind, and one that shows their cause.
fn fix_ui(ui: &mut Ui, state: &AppState, finding: &Finding, out: &mut Vec<Action>) {
    let code = finding.kind.code();
    let fix = state.fix_of(code);
    let cause = state.cause_of(finding.kind);
    let may_have_cause = CAUSES.iter().any(|cause| cause.explains(finding.kind));
    if fix.is_none() && !may_have_cause {
        return;
    }
    ui.add_space(gap::TIGHT);
    ui.horizontal_wrapped(|ui| {
        if let Some(action) = fix {
            let is_idle = state.tab.view.fixing.progress().is_none();
            let button = ui
                .add_enabled(is_idle, egui::Button::new("Fix…"))
                .on_hover_text(format!("Writes a file with this change, and opens it: {action}."))
                .on_disabled_hover_text("A file is being fixed.");
            if button.accessible_name(format!("Fix {code}")).clicked() {
                let codes = vec![code.to_owned()];
                let choice = Choice::codes(codes);
                out.push(Action::Fix(FixAction::Ask(choice)));
            }
        }
        if may_have_cause {
            let name = if cause.is_some() { "Show the cause" } else { "Find the cause" };
            let pane = [Command::pane(Pane::Diagnosis)];
            let button = explained_with_keys(ui.button(name), "Opens the Diagnosis pane.", &pane);
            if button.clicked() {
                out.push(Action::ShowPane(Pane::Diagnosis, true));
            }
        }
        if let Some(cause) = cause {
            ui.weak(format!("Cause: {}.", cause.statement));
        }
    });
}

/// The places of the finding: buttons for the next and previous one, and a list of the known ones.
fn places_ui(ui: &mut Ui, state: &AppState, finding: &Finding, out: &mut Vec<Action>) {
    const LIST_HEIGHT: f32 = 110.0;
    let num = finding.places.len();
    if num < 2 {
        return;
    }
    let at = state.tab.view.findings.place;
    ui.add_space(gap::TIGHT);
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::PreviousPlace, "Previous", out);
        framed_command_button_ui(ui, state, Command::NextPlace, "Next", out);
        ui.weak(format!("Place {} of {}", format::count(at + 1), format::count(num)));
        if finding.count > num as u64 {
            let all = format::count(usize::try_from(finding.count).unwrap_or(usize::MAX));
            ui.weak(format!("({all} found in total)"));
        }
    });
    let height = ui.text_style_height(&egui::TextStyle::Body);
    let list = ScrollArea::vertical().id_salt("places").max_height(LIST_HEIGHT);
    list.show_rows(ui, height, num, |ui, rows| {
        for number in rows {
            let Some(&place) = finding.places.get(number) else { continue };
            let name = state.place_name(place);
            if ui.selectable_label(number == at, name).clicked() {
                out.push(Action::Findings(FindingsAction::ShowPlace(number)));
            }
        }
    });
}

fn mute_ui(ui: &mut Ui, state: &AppState, finding: &Finding, out: &mut Vec<Action>) {
    let is_muted = state.is_allowed(finding.kind);
    let (name, hover) = if is_muted {
        ("Stop ignoring this rule", "Lists findings of this rule again, in every file.")
    } else {
        (
            "Ignore this rule",
            "Hides findings of this rule in every file, until you stop ignoring it.",
        )
    };
    if ui.small_button(name).on_hover_text(hover).clicked() {
        let action = FindingsAction::Allow(finding.kind, !is_muted);
        out.push(Action::Findings(action));
    }
}
