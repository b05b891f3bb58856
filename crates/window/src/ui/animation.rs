//! The Animation pane: onion skin, loop seam, root motion, a second clip, morph target weights.

use egui::{
    Button, ComboBox, DragValue, Id, PopupCloseBehavior, ScrollArea, Slider, SliderClamping, Ui,
};

use super::clip_list::ClipList;
use super::command_button::framed_command_button_ui;
use super::format::{count, degrees, length, percent, seconds};
use super::stretched_edges::stretch_ui;
use super::widgets::{facts_ui, heading_ui};
use rigscope_core::model::display_text;
use rigscope_state::{
    Action, AnimationAction, AppState, BlendError, Command, Document, LAYER_MISFIT, LayerMode,
    Onion, Sampling, Selection,
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
            layer_ui(ui, state, document, out);
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
                Sampling::Player,
                "As players",
                "Stored matrices are stepped, those of IQM linear; curves are read at the time itself.",
            ),
            (
                Sampling::Step,
                "Stepped",
                "Holds the earlier key or, for curves, the earlier frame.",
            ),
            (
                Sampling::Linear,
                "Linear",
                "Stored matrices are blended; curves are read at the time itself.",
            ),
            (
                Sampling::Decomposed,
                "Decomposed",
                "Translation, rotation and scale are blended, rotation spherically; nothing shrinks.",
            ),
        ] {
            ui.selectable_value(&mut sampling, choice, name)
                .on_hover_text(help);
        }
    });
    if sampling != state.tab.playback.sampling {
        push(out, AnimationAction::SetSampling(sampling));
    }
    ui.horizontal(|ui| {
        let label = "Measure difference";
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
        ("Worst", format!("{} ({} of the size)", length(state, distance), percent(share))),
        ("At", seconds(worst.time_secs)),
        ("Intervals", count(error.num_intervals)),
    ];
    facts_ui(ui, &facts);
    let vertex = format!("vertex {} of mesh {}", worst.vertex.0, worst.mesh.0);
    if ui.link(vertex).clicked() {
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
        let number = |ui: &mut Ui, value: &mut u32, name: &str, unit: &str, least: u32, most| {
            let edit = DragValue::new(value).range(least..=most).speed(0.1);
            ui.add(edit.prefix(format!("{name} ")).suffix(unit)).accessible_name(name);
        };
        number(ui, &mut onion.num_before, "Before", "", 0, 8);
        number(ui, &mut onion.num_after, "After", "", 0, 8);
        number(ui, &mut onion.spacing, "Every", " keys", 1, 100);
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
                    let name = document.bone_name(bone.bone);
                    if ui.link(name).clicked() {
                        out.push(Action::Select(Selection::Bone(bone.bone)));
                    }
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
        framed_command_button_ui(ui, state, Command::ToggleInPlace, "Stay in place", out);
    });
    if let Some(root) = state.tab.view.animation.root.get() {
        ui.horizontal_wrapped(|ui| {
            if ui.link(document.bone_name(root.bone)).clicked() {
                out.push(Action::Select(Selection::Bone(root.bone)));
            }
            ui.weak(format!(
                "travels {} over the ground and ends {} from its start",
                length(state, root.length),
                length(state, root.distance),
            ));
        });
    }
}

fn layer_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    heading_ui(ui, "Second clip");
    let layer = state.tab.playback.layer;
    let mut wanted = layer.map(|layer| layer.clip);
    let text = wanted.map_or("none".into(), |clip| document.clip_name(clip.index()));
    ComboBox::from_id_salt("second clip")
        .width(180.0)
        .truncate()
        .selected_text(text)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show_ui(ui, |ui| {
            let list =
                ClipList { document, name: "clips to lay over", selected: wanted, is_popup: true };
            let mut clicked =
                ui.selectable_label(wanted.is_none(), "none").clicked().then_some(None);
            let first = list.show(ui, Id::unique(list.name), |ui, clip, _| {
                let name = document.clip_name(clip.index());
                let label = Button::selectable(wanted == Some(clip), name);
                let chosen = ui.add_enabled(state.layer_fits(clip), label);
                if chosen.on_disabled_hover_text(LAYER_MISFIT).clicked() {
                    clicked = Some(Some(clip));
                }
            });
            let first = first.filter(|&clip| state.layer_fits(clip)).map(Some);
            if let Some(clip) = clicked.or(first) {
                wanted = clip;
                ui.close();
            }
        })
        .response
        .accessible_name("Clip to lay over");
    if wanted != layer.map(|layer| layer.clip) {
        push(out, AnimationAction::SetLayer(wanted));
    }
    let Some(layer) = layer else { return };
    if !state.layer_fits(layer.clip) {
        ui.colored_label(
            ui.visuals().warn_fg_color,
            format!("Not laid over the clip shown: {LAYER_MISFIT}."),
        );
    }
    let mut weight = layer.weight;
    let slider = Slider::new(&mut weight, 0.0..=1.0).text("Weight");
    if ui.add(slider).changed() {
        push(out, AnimationAction::SetLayerWeight(weight));
    }
    let mut mode = layer.mode;
    ui.horizontal_wrapped(|ui| {
        for (choice, name, help) in [
            (LayerMode::Crossfade, "Crossfade", "From the first clip to the second."),
            (
                LayerMode::AddToStart,
                "Add to its start",
                "Adds the difference between the second clip's current and first pose.",
            ),
            (
                LayerMode::AddToRest,
                "Add to rest",
                "Adds the difference between the second clip's pose and the rest pose.",
            ),
        ] {
            ui.selectable_value(&mut mode, choice, name).on_hover_text(help);
        }
    });
    if mode != layer.mode {
        push(out, AnimationAction::SetLayerMode(mode));
    }
    let mut is_in_step = layer.is_in_step;
    ui.checkbox(&mut is_in_step, "In step")
        .on_hover_text("Stretches the second clip to the length of the first.");
    if is_in_step != layer.is_in_step {
        push(out, AnimationAction::SetLayerInStep(is_in_step));
    }
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
    if ui.add_enabled(!overrides.is_empty(), reset).clicked() {
        push(out, AnimationAction::ResetMorphs);
    }
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
                    if ui.add(slider).changed() {
                        let (target, weight) = (row.target, Some(weight));
                        push(out, AnimationAction::SetMorph { target, weight });
                    }
                    let is_set = overrides.get(row.target).is_some();
                    if is_set
                        && ui
                            .small_button("⟲")
                            .on_hover_text("Leaves the weight to the clip again.")
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
