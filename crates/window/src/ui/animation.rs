//! The Animation pane: onion skin, loop seam, root motion, a second clip, morph target weights.

use egui::{Button, DragValue, ScrollArea, Slider, SliderClamping, Ui};

use super::command_button::framed_command_button_ui;
use super::format::{count, degrees, length, percent, time};
use super::second_clip::second_clip_ui;
use super::stretched_edges::stretch_ui;
use super::tooltips::{explained, explained_with_keys};
use super::widgets::{bone_link_ui, facts_ui, heading_ui};
use rigscope_core::model::{counted, display_text, plural};
use rigscope_state::{
    Action, AnimationAction, AppState, BlendError, Command, Document, Onion, Sampling, Selection,
};

/// Maximum height of a seam's bone list.
const LIST_HEIGHT: f32 = 150.0;
/// Slider range of morph target weights.
const WEIGHTS: std::ops::RangeInclusive<f32> = -1.0..=2.0;
/// Height of the morph target list without scrolling.
const MORPHS_HEIGHT: f32 = 220.0;

pub(super) fn animation_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    ScrollArea::vertical().id_salt("animation").auto_shrink([false, false]).show(ui, |ui| {
        if state.clip().is_some() {
            between_ui(ui, state, document, out);
            ui.separator();
            onion_ui(ui, state, out);
            ui.separator();
            seam_ui(ui, state, document, out);
            ui.separator();
            stretch_ui(ui, state, document, out);
            ui.separator();
            root_ui(ui, state, document, out);
            ui.separator();
            second_clip_ui(ui, state, document, out);
        } else {
            ui.weak("The file has no clip.");
        }
        morphs_ui(ui, state, out);
    });
}

fn push(out: &mut Vec<Action>, action: AnimationAction) {
    out.push(Action::Animation(action));
}

fn between_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    heading_ui(ui, "Sampling between keys");
    let mut sampling = state.tab.playback.sampling;
    ui.horizontal_wrapped(|ui| {
        for (choice, name, help) in [
            (
                Sampling::Runtime,
                "As the runtime",
                "Samples as the runtime of the format does: stored matrices are stepped (linear for IQM), and curves are evaluated at the exact time.",
            ),
            (
                Sampling::Step,
                "Stepped",
                "Holds the earlier key or, for curves, the earlier frame.",
            ),
            (
                Sampling::Linear,
                "Linear",
                "Blends stored matrices component by component, and evaluates curves at the exact time.",
            ),
            (
                Sampling::Decomposed,
                "Decomposed",
                "Blends translation and scale linearly and rotation spherically, so that limbs keep their length.",
            ),
        ] {
            let response = ui.selectable_value(&mut sampling, choice, name);
            match choice {
                Sampling::Linear => explained_with_keys(response, help, &[Command::ToggleLinear]),
                Sampling::Decomposed => {
                    explained_with_keys(response, help, &[Command::ToggleDecomposed])
                }
                _ => explained(response, help),
            };
        }
    });
    if sampling != state.tab.playback.sampling {
        push(out, AnimationAction::SetSampling(sampling));
    }
    ui.horizontal(|ui| {
        let label = "Measure deviation";
        framed_command_button_ui(ui, state, Command::MeasureBlendError, label, out);
        if state.is_measuring_blend_error() {
            ui.spinner();
        }
    });
    if let Some(error) = state.tab.view.animation.error.get() {
        error_ui(ui, state, document, error, out);
    }
}

fn error_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    error: &BlendError,
    out: &mut Vec<Action>,
) {
    let Some(worst) = error.worst else {
        let text = match error.num_intervals {
            0 => "The clip has no stored keys to blend.",
            _ => "Linear and decomposed sampling agree.",
        };
        ui.weak(text);
        return;
    };
    let distance = worst.distance * state.display_scale();
    let share = distance / document.bounds.extent().max(f32::MIN_POSITIVE);
    let facts = [
        (
            "Largest deviation",
            format!("{} ({} of the size)", length(state, distance), percent(share)),
        ),
        ("Time", time(state, state.tab.playback.clip, worst.time_secs)),
        ("Intervals", count(error.num_intervals)),
    ];
    facts_ui(ui, &facts);
    let vertex = format!("vertex {} of mesh {}", worst.vertex.0, worst.mesh.0);
    let help = "Selects this vertex, goes to the time of the deviation and frames it.";
    if ui.link(vertex).on_hover_text(help).clicked() {
        out.push(Action::Select(Selection::Vertex {
            mesh: worst.mesh,
            vertex: worst.vertex,
            subset: None,
        }));
        out.push(Action::Seek(worst.time_secs));
        out.push(Action::Run(Command::FrameSelection));
    }
}

fn onion_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    framed_command_button_ui(ui, state, Command::ToggleOnion, "Onion skin", out);
    let old = state.tab.view.animation.onion;
    let mut onion = old;
    ui.horizontal_wrapped(|ui| {
        // A number's label stays with it when the row wraps.
        let number = |ui: &mut Ui, edit: DragValue<'_>, name: &str, help: &str| {
            let edit = edit.speed(0.1).prefix(format!("{name} "));
            ui.add(edit).on_hover_text(help).accessible_name(name);
        };
        let before = DragValue::new(&mut onion.num_before).range(0..=8);
        number(ui, before, "Before", "Sets the number of earlier keys to show as ghosts.");
        let after = DragValue::new(&mut onion.num_after).range(0..=8);
        number(ui, after, "After", "Sets the number of later keys to show as ghosts.");
        let unit = format!(" {}", plural(u64::from(onion.spacing), "key"));
        let spacing = DragValue::new(&mut onion.spacing).range(1..=100).suffix(unit);
        number(ui, spacing, "Every", "Shows every nth key as a ghost.");
    });
    if onion != old {
        push(out, AnimationAction::SetOnion(Onion { ..onion }));
    }
}

fn seam_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    framed_command_button_ui(ui, state, Command::ToggleLoopSeam, "Loop seam", out);
    let view = &state.tab.view.animation;
    if !view.shows_seam {
        return;
    }
    let Some(seam) = view.seam.get() else {
        ui.weak("Measuring…");
        return;
    };
    if seam.is_empty() {
        ui.weak("The clip is too short to compare its ends.");
        return;
    }
    ui.weak(
        "From the last key to the first, without root motion: gap, angle and change of velocity.",
    );
    let height = ui.text_style_height(&egui::TextStyle::Body);
    ScrollArea::vertical().id_salt("seam").max_height(LIST_HEIGHT).show_rows(
        ui,
        height,
        seam.len(),
        |ui, rows| {
            for bone in seam.get(rows).unwrap_or_default() {
                ui.horizontal(|ui| {
                    bone_link_ui(ui, &document.bone_name(bone.bone), bone.bone, out);
                    ui.weak(format!(
                        "{}  {}  {} per second",
                        length(state, bone.gap),
                        degrees(bone.angle_rad.to_degrees()),
                        length(state, bone.velocity),
                    ));
                });
            }
        },
    );
}

fn root_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::ToggleRootPath, "Root motion", out);
        framed_command_button_ui(ui, state, Command::ToggleInPlace, "Play in place", out);
    });
    if let Some(root) = state.tab.view.animation.root.get() {
        ui.horizontal_wrapped(|ui| {
            bone_link_ui(ui, &document.bone_name(root.bone), root.bone, out);
            ui.weak(format!(
                "travels {} over the ground and ends {} from its start",
                length(state, root.length),
                length(state, root.distance),
            ));
        });
    }
}

/// The expressions of an avatar as presets of the weights.
fn expressions_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let document = state.tab.document.as_ref();
    let avatar = document.and_then(|document| document.model.avatar.as_ref());
    let expressions = avatar.map_or(&[][..], |avatar| &avatar.expressions);
    if expressions.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("Expressions:");
        for (number, expression) in expressions.iter().enumerate() {
            let name = match &*expression.name {
                "" => format!("expression {number}"),
                name => display_text::name(name).into_owned(),
            };
            let has_weights = !expression.weights.is_empty();
            let button = ui.add_enabled(has_weights, Button::new(name).small());
            let help = match (has_weights, expression.num_material_changes) {
                (true, 0) => "Sets the weights of this expression.".to_owned(),
                (true, num) => format!(
                    "Sets the weights of this expression. It also changes {}, which isn't shown.",
                    counted(num as u64, "material")
                ),
                (false, _) => "This expression changes no morph target.".to_owned(),
            };
            if button.on_hover_text(&help).on_disabled_hover_text(&help).clicked() {
                push(out, AnimationAction::ShowExpression(number));
            }
        }
    });
}

fn morphs_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let rows = state.morph_rows();
    if rows.is_empty() {
        return;
    }
    ui.separator();
    heading_ui(ui, "Morph targets");
    let overrides = &state.tab.playback.morphs;
    let reset = Button::new("Reset all weights");
    let reset = ui.add_enabled(!overrides.is_empty(), reset);
    let help = "Resets the weights of all morph targets to the values in the clip.";
    if explained(reset, help).clicked() {
        push(out, AnimationAction::ResetMorphs);
    }
    expressions_ui(ui, state, out);
    let weights = state.morph_weights();
    ScrollArea::vertical().id_salt("morphs").max_height(MORPHS_HEIGHT).show_rows(
        ui,
        ui.spacing().interact_size.y,
        rows.len(),
        |ui, shown| {
            for row in rows.get(shown).unwrap_or_default() {
                ui.horizontal(|ui| {
                    let mut weight = weights.get(row.target).copied().unwrap_or_default();
                    let name = if row.info.name.is_empty() {
                        format!("target {}", row.target)
                    } else {
                        display_text::name(&row.info.name).into_owned()
                    };
                    // Clips and typed values may exceed the slider's range.
                    let slider = Slider::new(&mut weight, WEIGHTS)
                        .clamping(SliderClamping::Never)
                        .text(&name);
                    let help = "Overrides the weight of this morph target.";
                    if ui.add(slider).on_hover_text(help).changed() {
                        let (target, weight) = (row.target, Some(weight));
                        push(out, AnimationAction::SetMorph { target, weight });
                    }
                    let is_set = overrides.get(row.target).is_some();
                    if is_set
                        && ui
                            .small_button("⟲")
                            .on_hover_text("Resets the weight to the value in the clip.")
                            .clicked()
                    {
                        let (target, weight) = (row.target, None);
                        push(out, AnimationAction::SetMorph { target, weight });
                    }
                });
            }
        },
    );
}
