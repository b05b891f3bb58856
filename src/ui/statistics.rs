//! Figures: what each mesh and subset holds and costs, how well it is ordered; textures.

use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder, TableRow};

use super::format;
use super::theme::gap;
use crate::model::shown;
use crate::state::{Action, AppState, Command, FigureOf, FigureRow, Figures, Selection};

const ROW_HEIGHT: f32 = 20.0;
/// Below this width the table scrolls sideways.
const MIN_WIDTH: f32 = 640.0;
/// Textures shown before they scroll.
const TEXTURES_HEIGHT: f32 = 110.0;

/// Heading and what it means.
const COLUMNS: [(&str, &str); 9] = [
    ("Vertices", "Vertices; of a subset those that its triangles name."),
    ("Triangles", "Triangles."),
    ("Influences", "Most influences of one vertex; a mesh on a node has one."),
    ("UVs", "Sets of texture coordinates."),
    ("In the file", "Bytes of vertices and indices in the file."),
    ("ACMR", "Vertices shaded a triangle, with a cache of 16: 0.5 is ideal, 3 the worst."),
    ("ATVR", "Times that a vertex is shaded: 1 is ideal."),
    ("Overfetch", "Times that a byte of a vertex is fetched: 1 is ideal."),
    ("Overdraw", "Times that a pixel is shaded, seen from all sides: 1 is ideal."),
];

pub(super) fn statistics_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        return;
    }
    let Some(figures) = state.tab.view.figures.get() else {
        ui.weak("The file is being measured.");
        return;
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new("Memory").strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = ui.button("Copy").on_hover_text(Command::CopyFigures.info().help);
            if copy.accessible_name("Copy figures").clicked() {
                out.push(Action::Run(Command::CopyFigures));
            }
        });
    });
    memory_ui(ui, state, figures);
    ui.add_space(gap::SMALL);
    if !figures.textures.is_empty() {
        let title = format!("Textures ({})", figures.textures.len());
        egui::CollapsingHeader::new(title)
            .id_salt("texture figures")
            .show(ui, |ui| textures_ui(ui, figures));
    }
    ScrollArea::horizontal().id_salt("figure columns").auto_shrink([false, false]).show(ui, |ui| {
        ui.set_min_width(MIN_WIDTH);
        table_ui(ui, state, figures, out);
    });
}

fn bytes(number: u64) -> String {
    format::bytes(usize::try_from(number).unwrap_or(usize::MAX))
}

fn memory_ui(ui: &mut Ui, state: &AppState, figures: &Figures) {
    let Some(document) = &state.tab.document else { return };
    let mut facts = vec![format!("{} in the file", format::bytes(document.bytes.len()))];
    if figures.clip_bytes > 0 {
        facts.push(format!("{} of it keys", bytes(figures.clip_bytes)));
    }
    if let Some(on_gpu) = state.timings.gpu_bytes {
        facts.push(format!("{} on the GPU with the window", bytes(on_gpu)));
    }
    ui.add(Label::new(RichText::new(facts.join("  ·  ")).weak()).wrap());
}

fn table_ui(ui: &mut Ui, state: &AppState, figures: &Figures, out: &mut Vec<Action>) {
    TableBuilder::new(ui)
        .id_salt("figure table")
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::right_to_left(Align::Center))
        .column(Column::remainder().at_least(90.0).clip(true))
        .columns(Column::initial(56.0).at_least(34.0).clip(true), COLUMNS.len())
        .auto_shrink([false, false])
        .min_scrolled_height(0.0)
        .header(ROW_HEIGHT, |mut header| {
            header.col(|_| {});
            for (name, meaning) in COLUMNS {
                header.col(|ui| {
                    ui.label(RichText::new(name).small().weak()).on_hover_text(meaning);
                });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, figures.rows.len(), |row| {
                if let Some(figure) = figures.rows.get(row.index()) {
                    row_ui(row, state, figure, out);
                }
            });
        });
}

fn row_ui(mut row: TableRow<'_, '_>, state: &AppState, figure: &FigureRow, out: &mut Vec<Action>) {
    let subset = match figure.of {
        FigureOf::Subset(number) => Some(number),
        FigureOf::Mesh(_) | FigureOf::Total => None,
    };
    row.set_selected(subset.is_some() && state.tab.selection.subset() == subset);
    let styled = |text: String| match figure.of {
        FigureOf::Total => RichText::new(text).strong(),
        _ => RichText::new(text),
    };
    row.col(|ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if subset.is_some() {
                ui.add_space(gap::LARGE);
            }
            let text = styled(shown::name(&figure.name).into_owned());
            ui.add(Label::new(text).truncate().selectable(false));
        });
    });
    let order = figure.order;
    let decimal = |value: Option<f32>| value.map(|value| format!("{value:.2}"));
    let values = [
        Some(format::count(figure.num_vertices)),
        Some(format::count(figure.num_triangles)),
        Some(figure.max_influences.to_string()),
        Some(figure.num_uv_sets.to_string()),
        figure.file_bytes.map(bytes),
        decimal(order.map(|order| order.acmr)),
        decimal(order.map(|order| order.atvr)),
        decimal(order.map(|order| order.overfetch)),
        decimal(order.and_then(|order| order.overdraw)),
    ];
    for value in values {
        row.col(|ui| {
            if let Some(value) = value {
                ui.add(Label::new(styled(value)).truncate().selectable(false));
            }
        });
    }
    if let Some(number) = subset.filter(|_| row.response().clicked()) {
        out.push(Action::Select(Selection::Subset(number)));
    }
}

fn textures_ui(ui: &mut Ui, figures: &Figures) {
    ScrollArea::vertical()
        .id_salt("texture rows")
        .max_height(TEXTURES_HEIGHT)
        .auto_shrink([false, true])
        .show_rows(ui, ROW_HEIGHT, figures.textures.len(), |ui, rows| {
            for texture in figures.textures.get(rows).unwrap_or_default() {
                ui.horizontal(|ui| {
                    ui.set_height(ROW_HEIGHT);
                    let mut facts = vec![bytes(texture.stored_bytes)];
                    if let Some([width, height]) = texture.size_px {
                        facts.insert(0, format!("{width}×{height}"));
                    }
                    facts.extend(texture.gpu_bytes.map(|b| format!("{} on the GPU", bytes(b))));
                    facts.push(texture.role.map_or("unused", |role| role.info().label).into());
                    ui.add(Label::new(shown::name(&texture.name)).truncate());
                    ui.weak(facts.join("  ·  "));
                });
            }
        });
}
