//! The table of findings, one row per finding; only visible rows are laid out.

use egui::{
    Align, Id, Key, Label, Layout, Modifiers, Popup, RichText, Role, Sense, Ui, WidgetInfo,
};
use egui_extras::{Column, TableBuilder, TableRow};

use super::{color, message, sentence};
use crate::ui::context_menu::selection_entries_ui;
use crate::ui::key_listener::{ROW_KEYS, claim_list_keys, list_step};
use crate::ui::widgets::{changed_selection, document_id};
use crate::ui::{format, theme};
use rigscope_core::model::{Finding, Severity, display_text};
use rigscope_state::{
    Action, AppState, Command, FindingList, FindingOrder, FindingsAction, Selection,
};

const ROW_HEIGHT: f32 = 20.0;
/// Maximum length of a message in the table.
const MAX_LINE_CHARS: usize = 300;
/// Narrower panes omit the rule first, then the count, then the place; the details show all of them.
const MIN_WIDTH_WITH_CODE: f32 = 640.0;
const MIN_WIDTH_WITH_COUNT: f32 = 420.0;
const MIN_WIDTH_WITH_PLACE: f32 = 300.0;

/// The columns from left to right.
const COLUMNS: [FindingOrder; 5] = [
    FindingOrder::Severity,
    FindingOrder::Place,
    FindingOrder::Message,
    FindingOrder::Count,
    FindingOrder::Code,
];

pub(super) fn table_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let list = &state.tab.view.findings;
    let width = ui.available_width();
    let is_shown = |column: &FindingOrder| match column {
        FindingOrder::Place => width >= MIN_WIDTH_WITH_PLACE,
        FindingOrder::Code => width >= MIN_WIDTH_WITH_CODE,
        FindingOrder::Count => width >= MIN_WIDTH_WITH_COUNT,
        FindingOrder::Severity | FindingOrder::Message => true,
    };
    let columns: Vec<FindingOrder> = COLUMNS.into_iter().filter(is_shown).collect();
    // The column widths depend on the number of columns.
    let id = document_id(state, "notes").with(columns.len());
    let rect = ui.available_rect_before_wrap();
    let focus = ui.interact(rect, id.with("keys"), Sense::focusable_noninteractive());
    focus.widget_info(|| WidgetInfo::labeled(Role::Table, true, "Table of findings"));
    if focus.has_focus() {
        keys_ui(ui, list, focus.id, rect.height(), out);
    }
    // The finding was selected elsewhere, or resizing has moved it out of view.
    let changed_selection = changed_selection(ui, id, list.selected);
    let changed_selection =
        changed_selection.and_then(|number| list.rows.iter().position(|row| *row == number));
    let mut table = TableBuilder::new(ui)
        .id_salt(id)
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .animate_scrolling(false)
        .auto_shrink([false, false])
        .min_scrolled_height(0.0);
    if let Some(row) = changed_selection {
        table = table.scroll_to_row(row, None);
    }
    for column in &columns {
        table = table.column(match column {
            FindingOrder::Severity => Column::exact(18.0),
            FindingOrder::Code => Column::initial(140.0).at_least(60.0).clip(true),
            FindingOrder::Count => Column::exact(52.0),
            FindingOrder::Message => Column::remainder().at_least(100.0).clip(true),
            FindingOrder::Place => Column::initial(150.0).at_least(40.0).clip(true).resizable(true),
        });
    }
    table
        .header(ROW_HEIGHT, |mut header| {
            for &order in &columns {
                let (name, hover) = match order {
                    FindingOrder::Severity => ("", "Sort by severity"),
                    FindingOrder::Code => ("Rule", "Sort by rule"),
                    FindingOrder::Count => ("Count", "Sort by count"),
                    FindingOrder::Message => ("Finding", "Sort by message"),
                    FindingOrder::Place => ("Place", "Sort by place"),
                };
                header.col(|ui| {
                    let arrow = match (list.order == order, list.is_reversed) {
                        (false, _) => "",
                        (true, false) => " ⏷",
                        (true, true) => " ⏶",
                    };
                    // The first column is too narrow for both.
                    let text = if order == FindingOrder::Severity && !arrow.is_empty() {
                        arrow.trim().to_owned()
                    } else {
                        format!("{name}{arrow}")
                    };
                    let text = RichText::new(text).small().weak();
                    let label = Label::new(text).sense(Sense::click());
                    let response = ui.add(label).on_hover_text(hover);
                    if response.accessible_name(hover).clicked() {
                        out.push(Action::Findings(FindingsAction::Sort(order)));
                    }
                });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, list.rows.len(), |row| {
                row_ui(row, state, &columns, focus.id, out);
            });
        });
}

fn row_ui(
    mut row: TableRow<'_, '_>,
    state: &AppState,
    columns: &[FindingOrder],
    focus: Id,
    out: &mut Vec<Action>,
) {
    let list = &state.tab.view.findings;
    let Some(&number) = list.rows.get(row.index()) else { return };
    let Some(finding) = list.all.get(number) else { return };
    // If something else has been selected since, the details stay but the row loses its highlight.
    let is_about_selection = state.is_about_selection(finding.place);
    row.set_selected(list.selected == Some(number) && is_about_selection);
    let is_muted = state.is_allowed(finding.kind);
    let styled = |text: String| {
        if is_muted { RichText::new(text).weak().strikethrough() } else { RichText::new(text) }
    };
    // The row's tooltip shows the full text.
    let cell = |text: RichText| {
        Label::new(text).truncate().show_tooltip_when_elided(false).selectable(false)
    };
    for column in columns {
        row.col(|ui| match column {
            FindingOrder::Severity => {
                if is_about_selection && state.tab.selection != Selection::None {
                    mark_ui(ui);
                }
                let symbol = match finding.severity() {
                    Severity::Error => "⛔",
                    Severity::Warning => "⚠",
                    Severity::Info => "ℹ",
                };
                ui.colored_label(color(ui, finding.severity()), symbol);
            }
            FindingOrder::Code => {
                ui.add(cell(styled(finding.kind.code().into())));
            }
            FindingOrder::Count => {
                let count = usize::try_from(finding.count).unwrap_or(usize::MAX);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.add(cell(styled(format::count(count)).weak()));
                });
            }
            FindingOrder::Message => {
                let line = display_text::shortened(&finding.message, MAX_LINE_CHARS);
                ui.add(cell(styled(line.into_owned())));
            }
            FindingOrder::Place => {
                ui.add(cell(styled(state.place_name(finding.place))));
            }
        });
    }
    let response = row.response();
    if response.clicked() {
        out.push(Action::Findings(FindingsAction::Show(number)));
        response.ctx.memory_mut(|memory| memory.request_focus(focus));
    }
    if response.secondary_clicked() {
        out.push(Action::Findings(FindingsAction::Show(number)));
    }
    // Selecting a finding changes the columns, and with them the row ids.
    let menu =
        Popup::context_menu(&response).id(document_id(state, "menu of a finding").with(number));
    menu.show(|ui| {
        menu_ui(ui, finding, is_muted, out);
        if is_about_selection && state.tab.selection != Selection::None {
            ui.separator();
            selection_entries_ui(ui, state, state.tab.selection, out);
        }
    });
    // The details show the selected finding in full.
    if list.selected == Some(number) {
        return;
    }
    let info = finding.kind.info();
    response.on_hover_text(format!(
        "{}\nEffect: {}\nHow to fix: {}",
        message(&finding.message),
        sentence(info.consequence),
        sentence(info.fix)
    ));
}

/// Up, down, Home and End move between findings; Enter frames the finding's subject.
fn keys_ui(ui: &Ui, list: &FindingList, id: Id, height: f32, out: &mut Vec<Action>) {
    claim_list_keys(ui, id, ROW_KEYS);
    let at = list.selected.and_then(|number| list.rows.iter().position(|row| *row == number));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some rows")]
    let page = (height / ROW_HEIGHT) as usize;
    if let Some(next) = list_step(ui, at, list.rows.len(), page)
        && let Some(&number) = list.rows.get(next)
    {
        out.push(Action::Findings(FindingsAction::Show(number)));
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
        out.push(Action::Run(Command::FrameSelection));
    }
}

/// A bar on the left of findings about the selection.
fn mark_ui(ui: &Ui) {
    let cell = ui.max_rect().expand2(egui::vec2(2.0, 0.0));
    let bar = egui::Rect::from_min_size(cell.min, egui::vec2(2.0, cell.height()));
    ui.painter().rect_filled(bar, 0.0, theme::accent(ui.visuals()));
}

fn menu_ui(ui: &mut Ui, finding: &Finding, is_muted: bool, out: &mut Vec<Action>) {
    let code = finding.kind.code();
    let name = if is_muted { "Stop ignoring this rule" } else { "Ignore this rule" };
    if ui.button(name).clicked() {
        let action = FindingsAction::Allow(finding.kind, !is_muted);
        out.push(Action::Findings(action));
        ui.close();
    }
    if ui.button("Copy this finding").clicked() {
        let text = format!("{code}: {} at {}", finding.message, finding.place);
        out.push(Action::CopyText(text));
        ui.close();
    }
}
