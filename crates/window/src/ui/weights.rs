//! The Weights pane: the weights that colour the surface, statistics, and a list of their vertices, largest
//! first.

use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder, TableRow};

use super::command_button::{described, framed_command_button_ui};
use super::format::{count, number};
use super::theme::gap;
use super::tooltips::explained_with_keys;
use super::widgets::{at_right_ui, bone_link_ui, counted_heading_ui, facts_ui};
use rigscope_core::model::BoneId;
use rigscope_core::visual::{WeightTable, bone_color};
use rigscope_state::{
    Action, AppState, Command, Document, Selection, WeightRow, WeightsAction, WeightsMode,
};

const ROW_HEIGHT: f32 = 20.0;
/// Minimum height for buttons, facts and a few rows, and the list's height in a lower pane.
const MIN_HEIGHT: f32 = 330.0;
const LOW_LIST_HEIGHT: f32 = 160.0;

pub(super) fn weights_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    if document.model.skeleton.is_empty() {
        ui.weak("The file has no bones.");
        return;
    }
    // In a low pane, everything scrolls, including the list inside.
    if ui.available_height() < MIN_HEIGHT {
        let area = ScrollArea::vertical().id_salt("weights").auto_shrink([false, false]);
        area.show(ui, |ui| content_ui(ui, state, document, out));
    } else {
        content_ui(ui, state, document, out);
    }
}

fn content_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    modes_ui(ui, state, out);
    ui.add_space(gap::SMALL);
    let weights = &state.tab.view.weights;
    let Some(table) = weights.table.get() else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("Reading weights…");
        });
        return;
    };
    match weights.mode {
        WeightsMode::Bone | WeightsMode::Compare => {
            bone_ui(ui, state, document, out);
            if weights.bone.is_none() {
                return;
            }
        }
        WeightsMode::BoneColors => {
            bones_ui(ui, state, document, out);
            return;
        }
        WeightsMode::Sums => sums_ui(ui, state, table),
        WeightsMode::Packing => packing_ui(ui, state, table),
    }
    ui.add_space(gap::SMALL);
    list_ui(ui, state, document, table, out);
}

/// Mode buttons; the active mode colours the surface.
fn modes_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for mode in WeightsMode::ALL {
            let is_listed = state.tab.view.weights.mode == mode;
            let mut text = RichText::new(mode.name());
            if is_listed {
                text = text.strong();
            }
            let button =
                egui::Button::selectable(state.shows_weights(mode), text).frame_when_inactive(true);
            if described(ui.add(button), state, mode.command()).clicked() {
                out.push(Action::Run(mode.command()));
            }
        }
    });
}

fn bone_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let weights = &state.tab.view.weights;
    let figures = &weights.figures;
    let name = |bone: BoneId| document.bone_name(bone);
    let Some(bone) = weights.bone else {
        ui.weak("Select a bone or vertex to see weights.");
        return;
    };
    named_bone_ui(ui, "Bone", bone, &name(bone), out);
    let mut facts =
        vec![("Vertices", count(figures.vertices)), ("Weight sum", number(figures.sum))];
    if let Some(locked) = weights.locked {
        named_bone_ui(ui, "Locked", locked, &name(locked), out);
        facts.push(("Locked bone, vertices", count(figures.locked_vertices)));
        facts.push(("Locked bone, weight sum", number(figures.locked_sum)));
    }
    if weights.mode == WeightsMode::Compare {
        facts.push(("Shared vertices", count(figures.shared_vertices)));
        facts.push(("Shared weight sum", number(figures.shared_sum)));
    } else if let Some(center) = state.influence_center() {
        facts.push(("Influence centre", super::format::vec3(center)));
    }
    facts_ui(ui, &facts);
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::LockBone, "🔒 Lock", out);
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        if weights.locked.is_some() {
            let unlock = ui.button("Unlock");
            let help = "Unlocks the locked bone.";
            if explained_with_keys(unlock, help, &[Command::LockBone]).clicked() {
                out.push(Action::Weights(WeightsAction::Lock(None)));
            }
        }
    });
    if weights.mode == WeightsMode::Compare && weights.locked.is_none() {
        ui.weak("Lock this bone, then select the one to compare it with.");
    }
}

fn named_bone_ui(ui: &mut Ui, what: &str, bone: BoneId, name: &str, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.weak(what);
        bone_link_ui(ui, name, bone, out);
    });
}

fn sums_ui(ui: &mut Ui, state: &AppState, table: &WeightTable) {
    let weights = &state.tab.view.weights;
    let sums = || weights.rows.iter().map(|row| row.value);
    let facts = [
        ("Vertices", count(table.num_vertices())),
        ("Sum deviates from 1", count(weights.rows.len())),
        ("Largest deviation", number(weights.figures.worst)),
    ];
    facts_ui(ui, &facts);
    if weights.rows.is_empty() {
        ui.weak("All weights sum to 1.");
    } else if sums().any(|sum| sum == 0.0) {
        ui.weak("Vertices with a sum of 0 have no weight at all.");
    }
}

fn packing_ui(ui: &mut Ui, state: &AppState, table: &WeightTable) {
    let weights = &state.tab.view.weights;
    let drops = weights.rows.iter().filter(|row| row.other > 0.0).count();
    let facts = [
        ("Vertices", count(table.num_vertices())),
        ("Changed", count(weights.rows.len())),
        ("With influences dropped", count(drops)),
        ("Largest loss", number(weights.figures.worst)),
    ];
    facts_ui(ui, &facts);
    ui.weak("Losses when packing to four 8-bit influences per vertex.");
}

/// Names of the number columns, and their meanings.
fn columns(mode: WeightsMode) -> &'static [(&'static str, &'static str)] {
    const WEIGHT: (&str, &str) = ("Weight", "Weight of the selected bone.");
    match mode {
        WeightsMode::Bone | WeightsMode::BoneColors => &[WEIGHT],
        WeightsMode::Compare => &[WEIGHT, ("Locked", "Weight of the locked bone.")],
        WeightsMode::Sums => &[("Sum", "Sum of the vertex's weights.")],
        WeightsMode::Packing => &[
            ("Lost", "Weight that shifts to other bones."),
            ("Dropped", "Weight of dropped influences."),
        ],
    }
}

fn list_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    table: &WeightTable,
    out: &mut Vec<Action>,
) {
    let weights = &state.tab.view.weights;
    counted_heading_ui(ui, "Vertices", weights.rows.len());
    if weights.rows.is_empty() {
        return;
    }
    let columns = columns(weights.mode);
    let height = ui.available_height();
    let max_height = if height.is_finite() { height } else { LOW_LIST_HEIGHT };
    let has_other = columns.len() > 1;
    let mut builder = TableBuilder::new(ui)
        .id_salt("weight list")
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::remainder().clip(true))
        .column(Column::exact(78.0))
        .auto_shrink([false, false])
        .min_scrolled_height(0.0)
        .max_scroll_height(max_height);
    if has_other {
        builder = builder.column(Column::exact(64.0));
    }
    builder
        .header(ROW_HEIGHT, |mut header| {
            header.col(|ui| {
                ui.weak("Vertex");
            });
            for &(name, help) in columns {
                let (_, response) = header.col(|ui| at_right_ui(ui, RichText::new(name).weak()));
                response.on_hover_text(help);
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, weights.rows.len(), |row| {
                if let Some(&entry) = weights.rows.get(row.index()) {
                    row_ui(row, state, document, table, entry, out);
                }
            });
        });
}

fn row_ui(
    mut row: TableRow<'_, '_>,
    state: &AppState,
    document: &Document,
    table: &WeightTable,
    entry: WeightRow,
    out: &mut Vec<Action>,
) {
    let Some((mesh, vertex)) = table.place(entry.vertex) else { return };
    let wanted = Selection::Vertex { mesh, vertex, subset: None };
    let is_selected = matches!(state.tab.selection, Selection::Vertex { mesh: m, vertex: v, .. }
        if (m, v) == (mesh, vertex));
    row.set_selected(is_selected);
    let mut is_clicked = false;
    row.col(|ui| {
        let text = match document.model.meshes.len() {
            1 => format!("vertex {}", vertex.0),
            _ => format!("vertex {} of mesh {}", vertex.0, mesh.0),
        };
        let label = egui::Label::new(text).truncate().sense(Sense::click());
        is_clicked |= ui.add(label).clicked();
    });
    row.col(|ui| at_right_ui(ui, number(entry.value)));
    match state.tab.view.weights.mode {
        WeightsMode::Compare => {
            row.col(|ui| at_right_ui(ui, number(entry.other)));
        }
        WeightsMode::Packing => {
            row.col(|ui| at_right_ui(ui, number(entry.other)));
        }
        _ => {}
    }
    is_clicked |= row.response().clicked();
    if is_clicked {
        out.push(Action::Select(wanted));
    }
}

/// All bones that move vertices, each with its colour.
fn bones_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let bones = &state.tab.view.weights.bones;
    counted_heading_ui(ui, "Bones that move vertices", bones.len());
    let height = ui.available_height();
    let max_height = if height.is_finite() { height } else { LOW_LIST_HEIGHT };
    let area = ScrollArea::vertical().id_salt("weighted bones").auto_shrink([false, false]);
    area.max_height(max_height).show_rows(ui, ROW_HEIGHT, bones.len(), |ui, rows| {
        for &(bone, num) in rows.filter_map(|row| bones.get(row)) {
            ui.horizontal(|ui| {
                let size = egui::vec2(12.0, 12.0);
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                let [r, g, b] = bone_color(bone);
                let color = egui::Rgba::from_rgb(r, g, b);
                ui.painter().rect_filled(rect, 2.0, color);
                let is_selected = state.tab.selection.bone() == Some(bone);
                let name = document.bone_name(bone);
                // Right to left: the name gets the space left by the number.
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.weak(count(num)).on_hover_text("Number of vertices that this bone moves.");
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let button = egui::Button::selectable(is_selected, &name).truncate();
                        let help = format!("{name}\nSelects this bone.");
                        if ui.add(button).on_hover_text(help).clicked() {
                            out.push(Action::Select(Selection::Bone(bone)));
                        }
                    });
                });
            });
        }
    });
}
