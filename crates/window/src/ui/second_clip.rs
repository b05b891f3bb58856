//! The second clip in the Animation pane: how it is combined with the first, when it is faded in, and which bones it
//! affects.

use egui::{Button, ComboBox, DragValue, Id, PopupCloseBehavior, Slider, Ui};

use super::clip_list::ClipList;
use super::rows::{popup_height, row_pitch};
use super::widgets::{bone_link_ui, heading_ui};
use rigscope_core::pose::{Fade, SecondClip};
use rigscope_state::{
    Action, AnimationAction, AppState, Document, LAYER_MISFIT, LayerMode, Selection,
};

/// The duration of a fade that begins, in seconds; games use 0.1 to 0.3.
const USUAL_FADE_SECS: f64 = 0.2;

fn push(out: &mut Vec<Action>, action: AnimationAction) {
    out.push(Action::Animation(action));
}

pub(super) fn second_clip_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    out: &mut Vec<Action>,
) {
    heading_ui(ui, "Second clip");
    let layer = state.tab.playback.layer;
    let mut wanted = layer.map(|layer| layer.clip);
    let text = wanted.map_or("None".into(), |clip| document.clip_name(clip.index()));
    let height = popup_height(ui);
    ComboBox::from_id_salt("second clip")
        .width(180.0)
        .height(height)
        .truncate()
        .selected_text(text)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show_ui(ui, |ui| {
            let list = ClipList {
                state,
                document,
                name: "clips to blend with",
                selected: wanted,
                // The row above the list needs some of it.
                popup_height: Some(height - row_pitch(ui)),
            };
            let mut clicked =
                ui.selectable_label(wanted.is_none(), "None").clicked().then_some(None);
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
        .on_hover_text("Blends the clip with a second one.")
        .accessible_name("Clip to blend with");
    if wanted != layer.map(|layer| layer.clip) {
        push(out, AnimationAction::SetLayer(wanted));
    }
    let Some(layer) = layer else { return };
    if !state.layer_fits(layer.clip) {
        ui.colored_label(
            ui.visuals().warn_fg_color,
            format!("This clip can't be blended with the first: {LAYER_MISFIT}."),
        );
    }
    weight_ui(ui, &layer, out);
    mode_ui(ui, &layer, out);
    if layer.mode == LayerMode::AddToStart {
        reference_ui(ui, &layer, out);
    }
    fade_ui(ui, state, &layer, out);
    mask_ui(ui, state, document, &layer, out);
}

fn weight_ui(ui: &mut Ui, layer: &SecondClip, out: &mut Vec<Action>) {
    let mut weight = layer.weight;
    let slider = Slider::new(&mut weight, 0.0..=1.0).text("Weight");
    let help =
        "Sets the weight of the second clip: 0 shows only the first clip, 1 the full effect.";
    if ui.add(slider).on_hover_text(help).changed() {
        push(out, AnimationAction::SetLayerWeight(weight));
    }
}

fn mode_ui(ui: &mut Ui, layer: &SecondClip, out: &mut Vec<Action>) {
    let mut mode = layer.mode;
    ui.horizontal_wrapped(|ui| {
        for (choice, name, help) in [
            (
                LayerMode::Crossfade,
                "Crossfade",
                "Blends from the first clip to the second according to the weight.",
            ),
            (
                LayerMode::AddToStart,
                "Add to first pose",
                "Adds the difference between the second clip's current pose and its first one, or that at another time.",
            ),
            (
                LayerMode::AddToRest,
                "Add to rest pose",
                "Adds the difference between the second clip's pose and the rest pose.",
            ),
        ] {
            ui.selectable_value(&mut mode, choice, name).on_hover_text(help);
        }
    });
    if mode != layer.mode {
        push(out, AnimationAction::SetLayerMode(mode));
    }
}

/// The time of the pose that is subtracted.
fn reference_ui(ui: &mut Ui, layer: &SecondClip, out: &mut Vec<Action>) {
    let [start, end] = layer.span_secs;
    ui.horizontal(|ui| {
        ui.label("Relative to the pose at");
        let mut time_secs = layer.reference_secs.unwrap_or(start);
        let edit = DragValue::new(&mut time_secs).range(start..=end).speed(0.01).suffix(" s");
        let edit = ui.add(edit.max_decimals(3)).on_hover_text("A time of the second clip.");
        if edit.accessible_name("Time of the reference pose").changed() {
            push(out, AnimationAction::SetLayerReference(Some(time_secs)));
        }
    });
}

/// A fade, or whether the second clip has the length of the first.
fn fade_ui(ui: &mut Ui, state: &AppState, layer: &SecondClip, out: &mut Vec<Action>) {
    let mut has_fade = layer.fade.is_some();
    ui.checkbox(&mut has_fade, "Fade in").on_hover_text(
        "Begins the second clip at a time of the first, and blends over to it, as a game changes animations.",
    );
    if has_fade != layer.fade.is_some() {
        let start_secs = state.tab.playback.time_secs;
        let fade = Fade { start_secs, duration_secs: USUAL_FADE_SECS };
        push(out, AnimationAction::SetLayerFade(has_fade.then_some(fade)));
    }
    if let Some(fade) = layer.fade {
        let [start, end] = layer.base_secs;
        let mut wanted = fade;
        ui.horizontal(|ui| {
            ui.label("from");
            let edit = DragValue::new(&mut wanted.start_secs).range(start..=end);
            let edit = ui.add(edit.speed(0.01).max_decimals(3).suffix(" s"));
            edit.accessible_name("Start of the fade");
            ui.label("over");
            let edit = DragValue::new(&mut wanted.duration_secs).range(0.0..=end - start);
            let edit = ui.add(edit.speed(0.01).max_decimals(3).suffix(" s"));
            edit.accessible_name("Duration of the fade");
        });
        if wanted != fade {
            push(out, AnimationAction::SetLayerFade(Some(wanted)));
        }
        return;
    }
    let mut is_in_step = layer.is_in_step;
    ui.checkbox(&mut is_in_step, "Match length")
        .on_hover_text("Stretches the second clip to the length of the first.");
    if is_in_step != layer.is_in_step {
        push(out, AnimationAction::SetLayerInStep(is_in_step));
    }
}

/// The bones that the second clip affects.
fn mask_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    layer: &SecondClip,
    out: &mut Vec<Action>,
) {
    let selected = match state.tab.selection {
        Selection::Bone(bone) => Some(bone),
        _ => None,
    };
    ui.horizontal_wrapped(|ui| {
        if let Some(mask) = layer.mask {
            ui.label("Only below");
            bone_link_ui(ui, &document.bone_title(mask), mask, out);
            if ui.small_button("All bones").clicked() {
                push(out, AnimationAction::SetLayerMask(None));
            }
        }
        let other = selected.filter(|bone| layer.mask != Some(*bone));
        let can_mask = state.layer_can_be_masked();
        let button = Button::new("Only below the selected bone").small();
        let button = ui.add_enabled(can_mask && other.is_some(), button);
        let button = button.on_hover_text(
            "Applies the second clip only to the selected bone and those below it, such as an arm.",
        );
        let why = if can_mask {
            "Select a bone first."
        } else {
            "Keys of this clip are baked skinning matrices, which aren't relative to a parent."
        };
        if button.on_disabled_hover_text(why).clicked() {
            push(out, AnimationAction::SetLayerMask(other));
        }
    });
}
