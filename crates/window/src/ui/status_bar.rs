//! The status bar: file, size, file watching.

use egui::{Align, Label, Layout, RichText, TextStyle, TextWrapMode, Ui, WidgetText};

use super::theme::gap;
use super::tooltips::explained_with_keys;
use super::widgets::MAX_MESSAGE_CHARS;
use super::{diagnosis, format, measure, theme};
use rigscope_core::model::{Severity, display_text};
use rigscope_state::{Action, AppState, Command, Document, Pane, WatchStatus};

/// Largest part of the bar for the cause of the model's problems.
const CAUSE_SHARE: f32 = 0.5;

pub(super) fn status_bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let Some(document) = &state.tab.document else {
            ui.weak("Drop a file here, or open one.");
            return;
        };
        // Right to left: the description gets the remaining space.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            counts_ui(ui, state, out);
            let width = CAUSE_SHARE * ui.available_width();
            diagnosis::main_cause_ui(ui, state, width, out);
            watch_ui(ui, state);
            tasks_ui(ui, state);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| file_ui(ui, state, document));
        });
    });
}

/// The file, and its description or the next step.
fn file_ui(ui: &mut Ui, state: &AppState, document: &Document) {
    let name = RichText::new(display_text::name(document.name())).strong();
    let has_tooltip = document.origin.path().is_some();
    let name = ui.add(Label::new(name).truncate().show_tooltip_when_elided(!has_tooltip));
    if let Some(path) = document.origin.path() {
        name.on_hover_text(path.display().to_string());
    }
    let text = if state.tab.view.measure.is_picking {
        RichText::new(format!("Measure: {}", measure::hint(state)))
            .color(theme::accent(ui.visuals()))
    } else {
        RichText::new(what_it_is(document)).weak()
    };
    ui.add(Label::new(text).truncate());
}

/// The status bar's text and the recent messages, for screen readers.
pub fn status_text(state: &AppState) -> String {
    let Some(document) = &state.tab.document else { return recent_messages(state) };
    let mut parts = vec![display_text::name(document.name()).into_owned(), what_it_is(document)];
    parts.extend(severities(state).map(|(severity, num)| format::counted_severity(num, severity)));
    parts.extend(state.main_cause().map(|(cause, _)| format!("cause: {}", cause.statement)));
    parts.extend(state.tasks.iter().map(|task| format!("{}…", format::capital(task.slot.0))));
    parts.push(recent_messages(state));
    parts.retain(|part| !part.is_empty());
    parts.join("  ·  ")
}

/// The messages that are still visible, and the last one.
fn recent_messages(state: &AppState) -> String {
    let shown = state.toasts.list().iter().map(|toast| &toast.text);
    let last = state.toasts.log().entries().back().map(|entry| &entry.text);
    let mut texts: Vec<&str> = shown.chain(last).map(String::as_str).collect();
    texts.dedup();
    texts.join("  ·  ")
}

/// The number of findings by severity, without zeros.
fn severities(state: &AppState) -> impl Iterator<Item = (Severity, usize)> {
    let num = |severity| (severity, state.tab.view.findings.num(severity));
    [Severity::Info, Severity::Warning, Severity::Error]
        .map(num)
        .into_iter()
        .filter(|(_, num)| *num > 0)
}

/// Format, size and counts.
fn what_it_is(document: &Document) -> String {
    let model = &document.model;
    let bones =
        if model.has_no_bones() { String::new() } else { format!("  ·  {}", model.bones_text()) };
    format!(
        "{}  ·  {}  ·  {}  ·  {}{bones}",
        document.format.name,
        format::bytes(document.content.len()),
        format::counted(document.model.num_vertices(), "vertex"),
        format::counted(document.model.num_triangles(), "triangle"),
    )
}

fn counts_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let visuals = ui.visuals();
    let (error, warning, weak) =
        (visuals.error_fg_color, visuals.warn_fg_color, visuals.weak_text_color());
    for (severity, num) in severities(state) {
        let color = match severity {
            Severity::Info => weak,
            Severity::Warning => warning,
            Severity::Error => error,
        };
        let text = RichText::new(format::counted_severity(num, severity)).color(color);
        let button = ui.add(egui::Button::new(text).frame(false));
        let pane = [Command::pane(Pane::Findings)];
        if explained_with_keys(button, "Opens the Findings pane.", &pane).clicked() {
            out.push(Action::ShowPane(Pane::Findings, true));
        }
    }
}

/// Background work and its progress.
fn tasks_ui(ui: &mut Ui, state: &AppState) {
    for task in &state.tasks {
        let text = format::capital(task.slot.0);
        let galley = WidgetText::from(&*text).into_galley(
            ui,
            Some(TextWrapMode::Extend),
            f32::INFINITY,
            TextStyle::Button,
        );
        let width = (galley.size().x + 2.0 * gap::LARGE).max(110.0);
        let bar = egui::ProgressBar::new(task.fraction).desired_width(width);
        ui.add(bar.text(text)).accessible_name(task.slot.0);
    }
}

fn watch_ui(ui: &mut Ui, state: &AppState) {
    let (text, color, hover) = match &state.tab.watch {
        WatchStatus::Reloaded(clock) => {
            (format!("Reloaded at {clock}"), ui.visuals().weak_text_color(), String::new())
        }
        WatchStatus::Broken(message) => (
            "The file on disk can't be read".to_owned(),
            ui.visuals().warn_fg_color,
            display_text::shortened(message, MAX_MESSAGE_CHARS).into_owned(),
        ),
        WatchStatus::Gone => {
            ("The file is missing on disk".to_owned(), ui.visuals().warn_fg_color, String::new())
        }
        WatchStatus::Fresh => return,
    };
    let response = ui.label(RichText::new(text).color(color));
    if !hover.is_empty() {
        response.on_hover_text(hover);
    }
    ui.separator();
}
