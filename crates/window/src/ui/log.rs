//! The Log pane: all messages with time and level.

use egui::{ComboBox, RichText, ScrollArea, Ui};

use super::format::capital;
use super::search_field::search_field_ui;
use super::theme::gap;
use super::tooltips::explained;
use super::widgets::MAX_MESSAGE_CHARS;
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, LogEntry, ToastLevel};

const ROW_POINTS: f32 = 18.0;

#[derive(Clone)]
struct LogFilter {
    text: String,
    level: ToastLevel,
}

impl Default for LogFilter {
    fn default() -> Self {
        Self { text: String::new(), level: ToastLevel::Info }
    }
}

impl LogFilter {
    fn shows(&self, entry: &LogEntry) -> bool {
        let wanted = self.text.trim().to_lowercase();
        entry.level >= self.level && entry.text.to_lowercase().contains(&wanted)
    }
}

pub(super) fn log_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let id = egui::Id::unique("log filter");
    let mut filter: LogFilter = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        search_field_ui(ui, &mut filter.text, "Filter the log", "Filter", 180.0);
        let combo = ComboBox::from_id_salt("log level")
            .selected_text(level_text(filter.level))
            .show_ui(ui, |ui| {
                for level in [ToastLevel::Info, ToastLevel::Warning, ToastLevel::Error] {
                    ui.selectable_value(&mut filter.level, level, level_text(level));
                }
            });
        let help = "Lists only messages of this severity and above.";
        combo.response.on_hover_text(help).accessible_name("Log level");
        let entries = state.toasts.log().entries();
        let is_empty = entries.is_empty();
        let copy = ui.add_enabled(!is_empty, egui::Button::new("Copy"));
        if explained(copy, "Copies the listed messages.").clicked() {
            let shown = entries.iter().filter(|entry| filter.shows(entry));
            let lines: Vec<_> = shown.map(LogEntry::to_line).collect();
            out.push(Action::CopyText(lines.join("\n")));
        }
        let clear = ui.add_enabled(!is_empty, egui::Button::new("Clear"));
        if explained(clear, "Removes all messages.").clicked() {
            out.push(Action::ClearLog);
        }
    });
    ui.add_space(gap::TIGHT);
    let entries = state.toasts.log().entries();
    let shown: Vec<_> = entries.iter().filter(|entry| filter.shows(entry)).collect();
    if shown.is_empty() {
        ui.weak(if entries.is_empty() {
            "There are no messages yet."
        } else {
            "No message matches the filter."
        });
    }
    ScrollArea::both().id_salt("log").auto_shrink([false, false]).stick_to_bottom(true).show_rows(
        ui,
        ROW_POINTS,
        shown.len(),
        |ui, rows| {
            for entry in shown.iter().take(rows.end).skip(rows.start) {
                row_ui(ui, entry);
            }
        },
    );
    ui.data_mut(|data| data.insert_temp(id, filter));
}

fn level_text(level: ToastLevel) -> &'static str {
    match level {
        ToastLevel::Info => "All",
        ToastLevel::Warning => "Warnings and errors",
        ToastLevel::Error => "Errors",
    }
}

fn row_ui(ui: &mut Ui, entry: &LogEntry) {
    let color = match entry.level {
        ToastLevel::Info => ui.visuals().text_color(),
        ToastLevel::Warning => ui.visuals().warn_fg_color,
        ToastLevel::Error => ui.visuals().error_fg_color,
    };
    ui.horizontal(|ui| {
        ui.set_height(ROW_POINTS);
        ui.label(RichText::new(&entry.clock).weak().monospace().size(11.0));
        let times = match entry.count {
            1 => String::new(),
            count => format!("  ×{count}"),
        };
        // One line each; the tooltip and the copied text are complete.
        let line = entry.text.lines().next().unwrap_or_default();
        let line = capital(&display_text::shortened(line, MAX_MESSAGE_CHARS));
        let text = RichText::new(format!("{line}{times}")).color(color);
        let label = egui::Label::new(text).wrap_mode(egui::TextWrapMode::Extend);
        ui.add(label)
            .on_hover_text(capital(&display_text::shortened(&entry.text, MAX_MESSAGE_CHARS)));
    });
}
