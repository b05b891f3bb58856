//! The Statistics pane: size, cost and vertex order of each mesh and subset; textures.

use egui::{
    Align, Label, Layout, RichText, ScrollArea, Sense, TextStyle, TextWrapMode, Ui, WidgetText,
};
use egui_extras::{Column, TableBuilder, TableRow};

use super::context_menu::row_menu_ui;
use super::format;
use super::theme::gap;
use super::widgets::{heading_ui, named_rows_ui};
use rigscope_core::model::display_text;
use rigscope_state::{
    Action, AppState, Command, Selection, Statistics, StatisticsRow, StatisticsSubject,
};

const ROW_HEIGHT: f32 = 20.0;
/// Minimum width of names, and the padding of a number.
const NAME_WIDTH: f32 = 84.0;
const PADDING: f32 = 8.0;
/// Rows shown without scrolling if there is content below.
const MAX_ROWS: usize = 8;
/// Height of the texture list without scrolling.
const TEXTURES_HEIGHT: f32 = 110.0;

/// Heading and tooltip.
const COLUMNS: [(&str, &str); 9] = [
    ("Vertices", "Number of vertices. For a subset, only those used by its triangles."),
    ("Triangles", "Number of triangles."),
    ("Influences", "Largest number of influences per vertex; 1 for a mesh attached to a node."),
    ("UVs", "Number of UV sets."),
    ("In the file", "Size of vertices and indices in the file."),
    (
        "ACMR",
        "Average cache miss ratio: vertices shaded per triangle with a vertex cache of 16. 0.5 is ideal, 3 the worst.",
    ),
    ("ATVR", "Average transformed vertex ratio: how often each vertex is shaded. 1 is ideal."),
    ("Overfetch", "How often each byte of vertex data is fetched. 1 is ideal."),
    ("Overdraw", "How often each pixel is shaded, averaged over views from all sides. 1 is ideal."),
];

pub(super) fn statistics_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        ui.weak("Nothing is open.");
        return;
    }
    let Some(figures) = state.tab.view.statistics.get() else {
        ui.weak("Computing statistics…");
        return;
    };
    // In a narrow pane, the other figures are below the table, and everything scrolls together.
    match num_columns(ui, &widths(ui)) {
        whole if whole == COLUMNS.len() => content_ui(ui, state, figures, whole, out),
        some => {
            _ = ScrollArea::vertical()
                .id_salt("figures")
                .auto_shrink([false, false])
                .show(ui, |ui| content_ui(ui, state, figures, some, out))
        }
    }
}

fn content_ui(
    ui: &mut Ui,
    state: &AppState,
    figures: &Statistics,
    num_columns: usize,
    out: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Memory").strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = ui.button("Copy").on_hover_text(Command::CopyFigures.info().help);
            if copy.accessible_name("Copy statistics").clicked() {
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
    table_ui(ui, state, figures, num_columns, out);
    if num_columns < COLUMNS.len() {
        rest_ui(ui, state, figures, num_columns);
    }
}

/// Width of each column: its heading, or a number of six digits.
fn widths(ui: &Ui) -> [f32; COLUMNS.len()] {
    COLUMNS.map(|(name, _)| {
        let width = |text: &str, style: TextStyle| {
            let text = WidgetText::from(text);
            text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, style).size().x
        };
        let heading = width(name, TextStyle::Small);
        heading.max(width("000 000", TextStyle::Body)) + PADDING
    })
}

/// How many columns fit next to the names.
fn num_columns(ui: &Ui, widths: &[f32]) -> usize {
    let gap = ui.spacing().item_spacing.x;
    let mut left = ui.available_width() - NAME_WIDTH - ui.spacing().scroll.allocated_width();
    let fit = widths.iter().take_while(|&&width| {
        left -= width + gap;
        left >= 0.0
    });
    fit.count()
}

/// The figures without a column, for the selected subset or in total. Vertex order is measured per mesh, so
/// a subset shows the value of its mesh.
fn rest_ui(ui: &mut Ui, state: &AppState, figures: &Statistics, num_columns: usize) {
    let subset = state.tab.selection.subset();
    let is_it = |row: &StatisticsRow| match row.of {
        StatisticsSubject::Subset(number) => Some(number) == subset,
        StatisticsSubject::Mesh(_) | StatisticsSubject::Total => false,
    };
    let is_total = |row: &StatisticsRow| matches!(row.of, StatisticsSubject::Total);
    let is_mesh = |row: &&StatisticsRow| matches!(row.of, StatisticsSubject::Mesh(_));
    let rows = &figures.rows;
    let at = rows.iter().position(is_it).or_else(|| rows.iter().position(is_total));
    let Some((row, before)) = at.and_then(|at| Some((rows.get(at)?, rows.get(..at)?))) else {
        return;
    };
    let mesh = match (row.of, rows.iter().filter(is_mesh).count()) {
        (StatisticsSubject::Total, 1) => rows.iter().find(is_mesh),
        _ => before.iter().rev().find(is_mesh),
    };
    heading_ui(
        ui,
        &match row.of {
            StatisticsSubject::Total => "More about the total".to_owned(),
            StatisticsSubject::Mesh(_) | StatisticsSubject::Subset(_) => {
                format!("More about {}", row.name)
            }
        },
    );
    let of_mesh = mesh.map(values).unwrap_or_default();
    let values: Vec<_> = values(row).into_iter().zip(of_mesh).skip(num_columns).collect();
    let columns = COLUMNS.get(num_columns..).unwrap_or_default();
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    named_rows_ui(ui, &names, |ui, row| {
        if let (Some((own, of_mesh)), Some((_, meaning))) = (values.get(row), columns.get(row)) {
            let value = own.as_deref().or(of_mesh.as_deref()).unwrap_or("–");
            ui.label(value).on_hover_text(*meaning);
        }
    });
}

fn memory_ui(ui: &mut Ui, state: &AppState, figures: &Statistics) {
    let Some(document) = &state.tab.document else { return };
    let num_files = document.byte_files().count();
    let files =
        if num_files == 1 { "the file".to_owned() } else { format::counted(num_files, "file") };
    let mut facts = vec![format!("{} in {files}", format::bytes(document.num_file_bytes()))];
    if figures.clip_bytes > 0 {
        facts.push(format!("including {} of keyframes", format::bytes(figures.clip_bytes)));
    }
    if let Some(on_gpu) = state.timings.gpu_bytes {
        facts.push(format!("{} on the GPU, including the window", format::bytes(on_gpu)));
    }
    ui.add(Label::new(RichText::new(facts.join("  ·  ")).weak()).wrap());
}

fn table_ui(
    ui: &mut Ui,
    state: &AppState,
    figures: &Statistics,
    num_columns: usize,
    out: &mut Vec<Action>,
) {
    let is_whole = num_columns == COLUMNS.len();
    let widths = widths(ui);
    let mut table = TableBuilder::new(ui)
        .id_salt(("figure table", num_columns))
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::right_to_left(Align::Center))
        .column(Column::remainder().clip(true))
        .min_scrolled_height(0.0);
    for width in widths.into_iter().take(num_columns) {
        table = table.column(Column::exact(width).clip(true));
    }
    table = if is_whole {
        table.auto_shrink([false, false])
    } else {
        table.max_scroll_height(ROW_HEIGHT * MAX_ROWS as f32).vscroll(figures.rows.len() > MAX_ROWS)
    };
    table
        .header(ROW_HEIGHT, |mut header| {
            header.col(|_| {});
            for (name, meaning) in COLUMNS.into_iter().take(num_columns) {
                header.col(|ui| {
                    ui.label(RichText::new(name).small().weak()).on_hover_text(meaning);
                });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, figures.rows.len(), |row| {
                if let Some(figure) = figures.rows.get(row.index()) {
                    row_ui(row, state, figure, num_columns, out);
                }
            });
        });
}

fn row_ui(
    mut row: TableRow<'_, '_>,
    state: &AppState,
    figure: &StatisticsRow,
    num_columns: usize,
    out: &mut Vec<Action>,
) {
    let subset = match figure.of {
        StatisticsSubject::Subset(number) => Some(number),
        StatisticsSubject::Mesh(_) | StatisticsSubject::Total => None,
    };
    row.set_selected(subset.is_some() && state.tab.selection.subset() == subset);
    let styled = |text: String| match figure.of {
        StatisticsSubject::Total => RichText::new(text).strong(),
        _ => RichText::new(text),
    };
    row.col(|ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if subset.is_some() {
                ui.add_space(gap::LARGE);
            }
            let text = styled(display_text::name(&figure.name).into_owned());
            ui.add(Label::new(text).truncate().selectable(false));
        });
    });
    for value in values(figure).into_iter().take(num_columns) {
        row.col(|ui| {
            if let Some(value) = value {
                ui.add(Label::new(styled(value)).truncate().selectable(false));
            }
        });
    }
    if let Some(number) = subset {
        row_menu_ui(&row.response(), state, Selection::Subset(number), out);
    }
    if let Some(number) = subset.filter(|_| row.response().clicked()) {
        out.push(Action::Select(Selection::Subset(number)));
    }
}

/// A figure for each column, if known.
fn values(figure: &StatisticsRow) -> [Option<String>; COLUMNS.len()] {
    let order = figure.order;
    let decimal = |value: Option<f32>| value.map(|value| format!("{value:.2}"));
    [
        Some(format::count(figure.num_vertices)),
        Some(format::count(figure.num_triangles)),
        Some(figure.max_influences.to_string()),
        Some(figure.num_uv_sets.to_string()),
        figure.file_bytes.map(format::bytes),
        decimal(order.map(|order| order.acmr)),
        decimal(order.map(|order| order.atvr)),
        decimal(order.map(|order| order.overfetch)),
        decimal(order.and_then(|order| order.overdraw)),
    ]
}

fn textures_ui(ui: &mut Ui, figures: &Statistics) {
    ScrollArea::vertical()
        .id_salt("texture rows")
        .max_height(TEXTURES_HEIGHT)
        .auto_shrink([false, true])
        .show_rows(ui, ROW_HEIGHT, figures.textures.len(), |ui, rows| {
            for texture in figures.textures.get(rows).unwrap_or_default() {
                ui.horizontal(|ui| {
                    ui.set_height(ROW_HEIGHT);
                    let mut facts = vec![format::bytes(texture.stored_bytes)];
                    if let Some([width, height]) = texture.size_px {
                        facts.insert(0, format!("{width}×{height}"));
                    }
                    facts.extend(
                        texture.gpu_bytes.map(|b| format!("{} on the GPU", format::bytes(b))),
                    );
                    facts.push(match texture.role {
                        Some(role) => format::capital(role.info().label),
                        None => "Unused".to_owned(),
                    });
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        let facts = RichText::new(facts.join("  ·  ")).weak();
                        ui.add(Label::new(facts).truncate());
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            ui.add(Label::new(display_text::name(&texture.name)).truncate());
                        });
                    });
                });
            }
        });
}
