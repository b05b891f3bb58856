//! The table of subsets.

use egui::{Align, Button, Layout, Response, RichText, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder, TableRow};

use crate::ui::context_menu::row_menu_ui;
use crate::ui::format::{self, counted};
use crate::ui::tooltips::{explained, explained_by_command, explained_with_keys};
use crate::ui::widgets::{changed_selection, counted_heading_ui, document_id};
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, Command, Document, Selection};

const ROW_HEIGHT: f32 = 22.0;
/// In a narrower pane, triangle counts are omitted in favour of names.
const MIN_WIDTH_WITH_COUNTS: f32 = 210.0;

/// The list's height with all rows.
pub(super) fn needed_height(ui: &Ui, state: &AppState, document: &Document) -> f32 {
    let spacing = ui.spacing().item_spacing.y;
    let line = ui.spacing().interact_size.y + spacing;
    let num_lines = 1 + usize::from(state.tab.view.isolated.is_some());
    let num_rows = document.subsets.len();
    num_lines as f32 * line + num_rows as f32 * (ROW_HEIGHT + spacing) + spacing
}

/// The width of the largest possible count.
fn counts_width(document: &Document) -> f32 {
    const DIGIT: f32 = 8.0;
    let model = &document.model;
    let digits = model.num_triangles().max(model.num_vertices()).to_string().len();
    (digits as f32 + 1.0) * DIGIT
}

pub(super) fn subsets_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    out: &mut Vec<Action>,
) {
    counted_heading_ui(ui, "Subsets", document.subsets.len());
    if state.tab.view.isolated.is_some() {
        ui.horizontal(|ui| {
            ui.colored_label(ui.visuals().warn_fg_color, "Only one subset is shown.");
            let link = ui.link("Show all");
            if explained_by_command(link, state, Command::ShowAll).clicked() {
                out.push(Action::Isolate(None));
            }
        });
    }
    let has_counts = ui.available_width() >= MIN_WIDTH_WITH_COUNTS;
    // Names need the space more than gaps.
    ui.spacing_mut().item_spacing.x = 2.0;
    let id = document_id(state, "subsets");
    let changed_selection = changed_selection(ui, id, state.tab.selection.subset());
    let table = TableBuilder::new(ui)
        .id_salt(id)
        .striped(false)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(24.0))
        .column(Column::exact(24.0))
        .column(Column::exact(20.0))
        .column(Column::remainder().clip(true))
        .min_scrolled_height(0.0)
        .animate_scrolling(false)
        .auto_shrink([false, false]);
    let table =
        if has_counts { table.column(Column::exact(counts_width(document))) } else { table };
    let table = match changed_selection {
        Some(row) => table.scroll_to_row(row, None),
        None => table,
    };
    table.body(|body| {
        body.rows(ROW_HEIGHT, document.subsets.len(), |row| {
            row_ui(row, state, document, has_counts, out);
        });
    });
}

fn row_ui(
    mut row: TableRow<'_, '_>,
    state: &AppState,
    document: &Document,
    has_counts: bool,
    out: &mut Vec<Action>,
) {
    let number = row.index();
    let Some(subset) = document.subsets.get(number) else { return };
    let name = document.subset_name(number);
    row.set_selected(state.tab.selection.subset() == Some(number));
    row.col(|ui| eye_ui(ui, state, number, &name, out));
    row.col(|ui| isolate_ui(ui, state, number, &name, out));
    row.col(|ui| {
        if let Some(look) = state.tab.view.looks.get(number) {
            let mut color = look.color;
            ui.spacing_mut().interact_size = vec2(14.0, 14.0);
            let response = ui.color_edit_button_rgb(&mut color);
            let response = response
                .on_hover_text("Sets the colour of this subset.")
                .accessible_name(format!("Colour of {name}"));
            if response.changed() {
                out.push(Action::SetColor(number, color));
            }
        }
    });
    row.col(|ui| {
        let mut text = RichText::new(&name);
        if !state.tab.view.shows(number) {
            text = text.weak();
        }
        let label =
            egui::Label::new(text).truncate().show_tooltip_when_elided(false).sense(Sense::click());
        let response = ui.add(label).on_hover_text(hover_text(document, number));
        if response.clicked() {
            out.push(Action::Select(Selection::Subset(number)));
        }
        if response.double_clicked() {
            out.push(Action::Run(Command::FrameSelection));
        }
        row_menu_ui(&response, state, Selection::Subset(number), out);
        if subset.overlaps {
            ui.weak("≈").on_hover_text(
                "Shares triangles with another subset, like the passes of a multi-pass material.",
            );
        }
    });
    if has_counts {
        row.col(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let (num, what) = subset.content(&document.model);
                ui.weak(format::count(num)).on_hover_text(match what {
                    "triangles" => "Triangles",
                    other => other,
                });
            });
        });
    }
    let response = row.response();
    if response.contains_pointer() {
        out.push(Action::HoverRow(Some(Selection::Subset(number))));
    }
    if response.clicked() {
        out.push(Action::Select(Selection::Subset(number)));
    }
    row_menu_ui(&response, state, Selection::Subset(number), out);
}

fn eye_ui(ui: &mut Ui, state: &AppState, number: usize, name: &str, out: &mut Vec<Action>) {
    let is_visible = state.tab.view.looks.get(number).is_none_or(|look| look.is_visible);
    let mut text = RichText::new(if is_visible { "👁" } else { "–" });
    if !is_visible {
        text = text.weak();
    }
    let verb = if is_visible { "Hide" } else { "Show" };
    let response = ui.add(Button::new(text).frame(false));
    let response = explained_in_row(response, state, number, verb, Command::HideSelected)
        .accessible_name(format!("{verb} {name}"));
    if response.clicked() {
        out.push(Action::SetVisible(number, !is_visible));
    }
}

fn isolate_ui(ui: &mut Ui, state: &AppState, number: usize, name: &str, out: &mut Vec<Action>) {
    let is_only = state.tab.view.isolated == Some(number);
    let mut text = RichText::new(if is_only { "⏺" } else { "○" });
    if !is_only {
        text = text.weak();
    }
    let help = if is_only { "Show all subsets" } else { "Show only this subset" };
    let response = ui.add(Button::new(text).frame(false));
    let response = explained_in_row(response, state, number, help, Command::IsolateSelected)
        .accessible_name(format!("Isolate {name}"));
    if response.clicked() {
        out.push(Action::Isolate((!is_only).then_some(number)));
    }
}

/// Adds a tooltip to a button of row `number`, with the shortcut of `command` if it applies to that row.
fn explained_in_row(
    response: Response,
    state: &AppState,
    number: usize,
    help: &str,
    command: Command,
) -> Response {
    if state.tab.selection.subset() == Some(number) {
        explained_with_keys(response, help, &[command])
    } else {
        explained(response, help)
    }
}

fn hover_text(document: &Document, number: usize) -> String {
    let Some(row) = document.subsets.get(number) else { return String::new() };
    let name = document.subset_name(number);
    if row.loose.is_some() {
        let (num, what) = row.content(&document.model);
        return format!("{name}\n{num} {what} of mesh {}", row.mesh.0);
    }
    let range = row.subset.range();
    let mesh = match document.model.mesh(row.mesh).name.as_str() {
        "" => row.mesh.0.to_string(),
        name => format!("{} {}", row.mesh.0, display_text::name(name)),
    };
    format!(
        "{name}\nSubset {} of mesh {}\nMaterial {}\nIndices {} to {} ({})",
        row.part.0,
        mesh,
        document.material_name(number),
        range.start,
        range.end,
        counted(range.len() / 3, "triangle")
    )
}
