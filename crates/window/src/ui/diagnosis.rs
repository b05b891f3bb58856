//! The pane "Diagnosis": the causes of a file's problems, the model without them, and fixes.

use egui::{
    Button, Label, ProgressBar, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText,
};

use super::format::{capital, count};
use super::theme::gap;
use super::tooltips::explained_with_keys;
use rigscope_io::fix::Choice;
use rigscope_state::{
    Action, AppState, Causes, Command, DIAGNOSIS_TASK, DiagnosisAction, FixAction, NamedCause, Pane,
};

pub(super) fn diagnosis_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        ui.weak("Nothing is open.");
        return;
    }
    ScrollArea::vertical()
        .id_salt("diagnosis")
        .auto_shrink([false, false])
        .show(ui, |ui| content_ui(ui, state, out));
}

fn content_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    fixing_ui(ui, state, out);
    if let Some(task) = state.task(DIAGNOSIS_TASK) {
        ui.add(ProgressBar::new(task.fraction).text(task.slot.0));
        return;
    }
    let Some(causes) = state.causes() else { return };
    if causes.list.is_empty() {
        no_cause_ui(ui, causes);
        return;
    }
    for cause in &causes.list {
        cause_ui(ui, state, cause, out);
    }
}

/// The most convincing cause, at most `width` points wide; opens the pane.
pub(super) fn main_cause_ui(ui: &mut Ui, state: &AppState, width: f32, out: &mut Vec<Action>) {
    let Some((cause, num_others)) = state.main_cause() else { return };
    let others = if num_others == 0 { String::new() } else { format!(" (and {num_others} more)") };
    let text = format!("Cause: {}{others}", cause.statement);
    let text = RichText::new(&text).color(ui.visuals().warn_fg_color);
    let galley = WidgetText::from(text.clone()).into_galley(
        ui,
        Some(TextWrapMode::Extend),
        f32::INFINITY,
        TextStyle::Button,
    );
    let size = egui::vec2(
        (galley.size().x + 2.0 * ui.spacing().button_padding.x).min(width),
        ui.spacing().interact_size.y,
    );
    let button = ui.add_sized(size, Button::new(text).frame(false).truncate());
    let help = format!("{}.\nOpens the Diagnosis pane.", capital(&cause.statement));
    if explained_with_keys(button, &help, &[Command::pane(Pane::Diagnosis)]).clicked() {
        out.push(Action::ShowPane(Pane::Diagnosis, true));
    }
}

/// Progress of a fix that is being written.
pub(super) fn fixing_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some((what, fraction)) = state.tab.view.fixing.progress() else { return };
    ui.horizontal(|ui| {
        let cancel = ui.button("Cancel").on_hover_text("Stops without writing a file.");
        if cancel.clicked() {
            out.push(Action::Fix(FixAction::Cancel));
        }
        ui.add(ProgressBar::new(fraction).text(what));
    });
}

fn no_cause_ui(ui: &mut Ui, causes: &Causes) {
    if causes.unusual.is_empty() {
        ui.label(RichText::new("Nothing is unusual.").strong());
        ui.weak(format!("{} measurements are as in sound models.", count(causes.num_measured)));
        return;
    }
    ui.label(RichText::new("Unusual, but no known cause explains it.").strong());
    for text in &causes.unusual {
        ui.add(Label::new(format!("{}.", capital(text))).wrap());
    }
    ui.weak(format!("{} causes were ruled out.", count(causes.num_ruled_out)));
}

fn cause_ui(ui: &mut Ui, state: &AppState, cause: &NamedCause, out: &mut Vec<Action>) {
    ui.add(Label::new(RichText::new(format!("{}.", capital(&cause.statement))).strong()).wrap());
    ui.add(Label::new(format!("{}.", capital(&cause.improvement))).wrap());
    let symptoms =
        state.tab.view.findings.all.iter().filter(|finding| cause.explains(finding.kind));
    let symptoms: Vec<&str> = symptoms.map(|finding| finding.kind.code()).collect();
    if !symptoms.is_empty() {
        let text = format!("Explains the findings {}.", symptoms.join(", "));
        ui.add(Label::new(RichText::new(text).weak()).wrap());
    }
    ui.add_space(gap::TIGHT);
    ui.horizontal_wrapped(|ui| {
        let is_idle = state.tab.view.fixing.progress().is_none();
        let why_disabled = if cause.can_be_undone {
            "A file is being fixed."
        } else {
            "The file doesn't contain the right values; export it again."
        };
        let fix = ui
            .add_enabled(is_idle && cause.can_be_undone, Button::new("Fix…"))
            .on_hover_text("Writes a file without this fault, and opens it.")
            .on_disabled_hover_text(why_disabled);
        if fix.accessible_name(format!("Fix {}", cause.name)).clicked() {
            let causes = vec![cause.name.to_owned()];
            let choice = Choice::causes(causes);
            out.push(Action::Fix(FixAction::Ask(choice)));
        }
        let button = Button::selectable(state.shows_undone(), "Before and after");
        let both = ui
            .add(button.frame_when_inactive(true))
            .on_hover_text("Shows the model as it is and without the fault, side by side.");
        if both.clicked() {
            out.push(Action::Diagnosis(DiagnosisAction::ToggleUndone));
        }
    });
    ui.add_space(gap::TIGHT);
    let exporter = format!("In the exporter: {}.", cause.fix);
    ui.add(Label::new(RichText::new(exporter).weak()).wrap());
    ui.add_space(gap::SMALL);
}
