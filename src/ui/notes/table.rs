//! The table: one row a note; only the visible ones are laid out.

use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder, TableRow};

use super::{color, sentence};
use crate::model::{Note, Severity, shown};
use crate::state::{Action, AppState, NoteOrder, NotesAction};
use crate::ui::format;

const ROW_HEIGHT: f32 = 20.0;
/// A message is a line of so many characters at most.
const MAX_LINE_CHARS: usize = 300;
/// Below this width the table scrolls sideways.
const MIN_WIDTH: f32 = 420.0;

pub(super) fn table_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::horizontal().id_salt("note columns").auto_shrink([false, false]).show(ui, |ui| {
        ui.set_min_width(MIN_WIDTH);
        rows_ui(ui, state, out);
    });
}

fn rows_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.notes;
    TableBuilder::new(ui)
        .id_salt("note table")
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(18.0))
        .column(Column::initial(122.0).at_least(60.0).clip(true).resizable(true))
        .column(Column::exact(38.0))
        .column(Column::remainder().at_least(100.0).clip(true))
        .column(Column::initial(96.0).at_least(40.0).clip(true))
        .auto_shrink([false, false])
        .min_scrolled_height(0.0)
        .header(ROW_HEIGHT, |mut header| {
            for (order, name, hover) in [
                (NoteOrder::Severity, "!", "Sort by severity"),
                (NoteOrder::Code, "Code", "Sort by code"),
                (NoteOrder::Count, "Times", "Sort by how often it was found"),
                (NoteOrder::Message, "What", "Sort by message"),
                (NoteOrder::Place, "First at", "Sort by place"),
            ] {
                header.col(|ui| {
                    let arrow = match (list.order == order, list.is_reversed) {
                        (false, _) => "",
                        (true, false) => " ⏷",
                        (true, true) => " ⏶",
                    };
                    // The first column has no room for both.
                    let text = match order == NoteOrder::Severity && !arrow.is_empty() {
                        true => arrow.trim().to_owned(),
                        false => format!("{name}{arrow}"),
                    };
                    let text = RichText::new(text).small().weak();
                    let label = Label::new(text).sense(Sense::click());
                    let response = ui.add(label).on_hover_text(hover);
                    if response.accessible_name(hover).clicked() {
                        out.push(Action::Notes(NotesAction::Sort(order)));
                    }
                });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, list.rows.len(), |row| {
                row_ui(row, state, out);
            });
        });
}

fn row_ui(mut row: TableRow<'_, '_>, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.notes;
    let Some(&number) = list.rows.get(row.index()) else { return };
    let Some(note) = list.all.get(number) else { return };
    row.set_selected(list.selected == Some(number));
    let is_allowed = state.is_allowed(note.kind);
    let styled = |text: String| match is_allowed {
        true => RichText::new(text).weak().strikethrough(),
        false => RichText::new(text),
    };
    let cell = |text: RichText| Label::new(text).truncate().selectable(false);
    row.col(|ui| {
        let symbol = match note.severity() {
            Severity::Error => "⛔",
            Severity::Warning => "⚠",
            Severity::Info => "ℹ",
        };
        ui.colored_label(color(ui, note.severity()), symbol);
    });
    row.col(|ui| {
        ui.add(cell(styled(note.kind.code().into())));
    });
    row.col(|ui| {
        if note.count > 1 {
            let count = usize::try_from(note.count).unwrap_or(usize::MAX);
            ui.add(cell(styled(format!("×{}", format::count(count))).weak()));
        }
    });
    row.col(|ui| {
        ui.add(cell(styled(shown::short(&note.message, MAX_LINE_CHARS).into_owned())));
    });
    row.col(|ui| {
        ui.add(cell(styled(note.place.to_string()).weak()));
    });
    let response = row.response();
    if response.clicked() {
        out.push(Action::Notes(NotesAction::Show(number)));
    }
    response.context_menu(|ui| menu_ui(ui, note, is_allowed, out));
    let info = note.kind.info();
    response.on_hover_text(format!(
        "{}\n{}\nTo mend: {}",
        sentence(&note.message),
        sentence(info.meaning),
        sentence(info.mend)
    ));
}

fn menu_ui(ui: &mut Ui, note: &Note, is_allowed: bool, out: &mut Vec<Action>) {
    let code = note.kind.code();
    let name = match is_allowed {
        true => format!("Show {code} again"),
        false => format!("Allow {code}"),
    };
    if ui.button(name).clicked() {
        let action = NotesAction::Allow(note.kind, !is_allowed);
        out.push(Action::Notes(action));
        ui.close();
    }
    if ui.button("Copy this note").clicked() {
        let text = format!("{code}: {} at {}", note.message, note.place);
        out.push(Action::Copy(text));
        ui.close();
    }
}
