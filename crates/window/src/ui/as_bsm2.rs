//! The pane "As BSM2": deviations caused by packing, as numbers and as a histogram.

use egui::{Align, Layout, RichText, ScrollArea, Ui};
use egui_extras::{Column, TableBuilder};

use super::command_button::framed_command_button_ui;
use super::format::{capital, count, counted, in_unit, length, seconds};
use super::histogram::histogram_ui;
use super::second_model::{ColorsButton, colors_button_ui};
use super::theme::gap;
use super::widgets::{facts_ui, heading_ui};
use rigscope_state::{
    AS_BSM2_TASK, Action, AppState, AsBsm2Action, Bsm2Conversion, Command, Deviation,
    DeviationKind, Document, Painter, SecondAction, SecondModel,
};

const ROW_HEIGHT: f32 = 22.0;
/// Four digits, an exponent and a unit.
const NUMBER_WIDTH: f32 = 88.0;
/// Minimum width for names and two numbers side by side.
const MIN_TABLE_WIDTH: f32 = 252.0;

pub(super) fn as_bsm2_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ScrollArea::vertical()
        .id_salt("as bsm2")
        .auto_shrink([false, false])
        .show(ui, |ui| content_ui(ui, state, out));
}

fn content_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::AsBsm2, "Show as BSM2", out);
        let view = &state.tab.view;
        let has_errors = view.as_bsm2.conversion().is_some_and(|baked| !baked.is_verbatim)
            && view.second.shown == Some(SecondModel::AsBsm2);
        let button = ColorsButton {
            painter: Painter::Second(SecondModel::AsBsm2),
            label: "Deviations as colours",
            help: "Colours each vertex by the selected deviation.",
            needs: "Show the model as BSM2 to see its deviations.",
        };
        colors_button_ui(ui, state, button, has_errors, out);
    });
    if let Some(task) = state.task(AS_BSM2_TASK) {
        ui.add(egui::ProgressBar::new(task.fraction).text(task.slot.0));
        return;
    }
    if let Some(problem) = state.tab.view.as_bsm2.problem() {
        ui.colored_label(ui.visuals().error_fg_color, capital(problem));
        return;
    }
    let (Some(document), Some(baked)) = (&state.tab.document, state.tab.view.as_bsm2.conversion())
    else {
        ui.weak("Packs the model in memory as an export to BSM2 would, and shows the deviations.");
        return;
    };
    ui.add_space(gap::SMALL);
    if baked.is_verbatim {
        ui.label("The model is already packed; its vertices are stored unchanged.");
        return;
    }
    sizes_ui(ui, document, baked);
    changes_ui(ui, baked);
    heading_ui(ui, "Deviations");
    errors_ui(ui, state, baked, out);
    if let Some(worst) = &baked.between_keys {
        let text = format!(
            "Between keys (stepped): up to {} at {}",
            length(state, worst.distance),
            seconds(worst.time_secs)
        );
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
    }
    let kind = state.tab.view.as_bsm2.kind;
    ui.add_space(gap::SMALL);
    histogram_ui(ui, state, "as bsm2 histogram", baked.histogram(kind), kind.unit());
}

fn sizes_ui(ui: &mut Ui, document: &Document, baked: &Bsm2Conversion) {
    let change = |from: usize, to: usize| format!("{} from {}", count(to), count(from));
    let model = &document.model;
    let mut facts = vec![
        ("Vertices", change(model.num_vertices(), baked.num_vertices())),
        ("Bones", change(model.num_bones(), baked.num_bones())),
        ("Meshes", change(model.meshes.len(), baked.parts.len())),
    ];
    if baked.parts.len() > 1 {
        facts.push(("Files", count(baked.parts.len())));
    }
    facts_ui(ui, &facts);
}

/// Lost and changed elements, if any.
fn changes_ui(ui: &mut Ui, baked: &Bsm2Conversion) {
    let (dropped, changed) = (&baked.dropped, &baked.changed);
    let lost = [
        (dropped.num_cut_vertices, "vertex", "lost influences beyond the fourth"),
        (dropped.num_morph_targets, "morph target", "left out"),
        (
            dropped.num_dual_quaternion_meshes,
            "mesh",
            "skinned by matrices instead of dual quaternions",
        ),
        (dropped.num_bone_local_meshes, "mesh", "lost separate positions per influence"),
        (dropped.num_vertex_caches, "vertex animation", "left out"),
        (dropped.num_clamped_uvs, "UV", "clamped"),
        (baked.num_torn_meshes, "mesh", "lost texture transforms that differ between subsets"),
    ];
    let other = [
        (changed.num_moved_uvs, "UV", "moved by whole tiles"),
        (changed.num_cut_triangles, "triangle", "split at tile borders"),
        (changed.num_reversed_meshes, "mesh", "reversed because of a mirrored node"),
        (changed.num_unweighted, "vertex", "without weights assigned to a static bone"),
        (changed.num_doubled_bones, "bone", "stored twice"),
        (changed.num_meshes_with_new_normals, "mesh", "got normals"),
        (changed.num_meshes_with_new_tangents, "mesh", "got tangents"),
        (baked.num_placed_materials, "material", "with texture transforms baked into the UVs"),
        (changed.num_welded, "vertex", "merged with identical vertices"),
    ];
    let some = |list: &[(usize, &str, &str)]| -> Vec<String> {
        let some = list.iter().filter(|(num, ..)| *num > 0);
        some.map(|(num, one, what)| format!("{} {what}", counted(*num, one))).collect()
    };
    for (title, lines) in [("Lost", some(&lost)), ("Changed", some(&other))] {
        if lines.is_empty() {
            continue;
        }
        heading_ui(ui, title);
        for line in lines {
            ui.add(egui::Label::new(RichText::new(line).weak()).wrap());
        }
    }
}

/// One kind of deviation per row; clicking its maximum selects the worst vertex.
fn errors_ui(ui: &mut Ui, state: &AppState, baked: &Bsm2Conversion, out: &mut Vec<Action>) {
    let known = DeviationKind::ALL.into_iter();
    let known = known.filter_map(|kind| Some((kind, baked.deviation(kind)?)));
    if ui.available_width() < MIN_TABLE_WIDTH {
        for (kind, deviation) in known {
            kind_ui(ui, state, kind, out);
            let numbers = numbers(state, kind, deviation);
            for (at, name) in ["Largest", "Mean"].into_iter().enumerate() {
                ui.horizontal(|ui| {
                    ui.add_space(gap::LARGE);
                    ui.weak(name);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        number_ui(ui, at, &numbers, kind, deviation, out);
                    });
                });
            }
        }
        return;
    }
    TableBuilder::new(ui)
        .id_salt("as bsm2 errors")
        .vscroll(false)
        .cell_layout(Layout::right_to_left(Align::Center))
        .column(Column::remainder().clip(true))
        .columns(Column::exact(NUMBER_WIDTH), 2)
        .header(ROW_HEIGHT, |mut header| {
            for title in ["", "Largest", "Mean"] {
                header.col(|ui| _ = ui.weak(title));
            }
        })
        .body(|mut body| {
            for (kind, deviation) in known {
                body.row(ROW_HEIGHT, |mut row| {
                    row.col(|ui| {
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            kind_ui(ui, state, kind, out);
                        });
                    });
                    let numbers = numbers(state, kind, deviation);
                    for at in 0..numbers.len() {
                        row.col(|ui| number_ui(ui, at, &numbers, kind, deviation, out));
                    }
                });
            }
        });
}

/// The name of a kind of deviation; clicking it shows its histogram.
fn kind_ui(ui: &mut Ui, state: &AppState, kind: DeviationKind, out: &mut Vec<Action>) {
    let name = ui.selectable_label(state.tab.view.as_bsm2.kind == kind, kind.name());
    if name.on_hover_text(kind.help()).clicked() {
        out.push(Action::AsBsm2(AsBsm2Action::Choose(kind)));
    }
}

/// The maximum and mean deviation with their units.
fn numbers(state: &AppState, kind: DeviationKind, deviation: &Deviation) -> [String; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "text of four digits")]
    let numbers = [deviation.max, deviation.mean as f32];
    match deviation.worst {
        Some(_) => numbers.map(|number| in_unit(state, number, kind.unit())),
        None => numbers.map(|_| "–".to_owned()),
    }
}

/// Number `at` of `numbers`.
fn number_ui(
    ui: &mut Ui,
    at: usize,
    numbers: &[String; 2],
    kind: DeviationKind,
    deviation: &Deviation,
    out: &mut Vec<Action>,
) {
    let Some(number) = numbers.get(at) else { return };
    let Some(worst) = deviation.worst.filter(|_| at == 0) else {
        ui.label(number);
        return;
    };
    let hover = format!(
        "Selects vertex {}, which deviates most, and goes to the time of the deviation.",
        worst.vertex.vertex.0
    );
    let link = ui.link(number).on_hover_text(hover);
    let name = format!("Worst {}", kind.name().to_lowercase());
    if link.accessible_name(name).clicked() {
        out.push(Action::Second(SecondAction::ShowWorst(worst)));
    }
}
