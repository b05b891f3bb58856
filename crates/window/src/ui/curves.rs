//! The Curves pane: translation, rotation and scale of the selection's bone over the clip, or the weights of the
//! clip's morph targets, with the keys.
//!
//! The state samples the curves once; this module draws them.

use egui::{Color32, Id, Rgba, Ui};

use super::channels::NAMES;
use super::clip_plot::{ClipPlot, PlotLine};
use super::format::count;
use super::theme::colors;
use super::value_tracks::value_tracks_ui;
use rigscope_core::model::subset_color;
use rigscope_state::{
    Action, AnimationAction, AppState, Channel, CurveSpace, CurveSubject, Curves, Document,
    RotationAs,
};

pub(super) fn curves_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    let Some(subject) = state.curve_subject() else {
        if !document.model.value_tracks.is_empty() {
            return value_tracks_ui(ui, state, document);
        }
        let noun = document.model.bone_noun().one();
        ui.weak(match state.clip() {
            Some(_) if document.model.skeleton.is_empty() => "The clip moves no bone.".to_owned(),
            Some(_) => format!("Select a {noun} or vertex to see its curves."),
            None => "The file has no clip.".to_owned(),
        });
        return;
    };
    let view = &state.tab.view.animation.curves;
    let Some(curves) = view.shown.get() else {
        ui.weak("Reading curves…");
        return;
    };
    let bone = match subject {
        CurveSubject::Bone(bone) => bone,
        CurveSubject::Morphs => return morphs_ui(ui, state, curves, out),
    };
    head_ui(ui, state, document, bone, curves, out);
    let rotation: (&str, &str, &[Channel]) = match view.rotation_as {
        RotationAs::Euler => ("Rotation", "degrees", &curves.euler),
        RotationAs::Quaternion => ("Rotation, quaternion", "component", &curves.quaternion),
    };
    let unit = document.model.axes.unit_name();
    let turn_spread = match view.rotation_as {
        RotationAs::Euler => 2.0,
        RotationAs::Quaternion => 0.05,
    };
    let extent = f64::from(document.bounds.extent() / state.display_scale());
    // Minimum ranges, so that rounding errors of constant values don't fill the plot.
    let groups: [(&str, &str, &[Channel], f64); 3] = [
        ("Translation", &*unit, &curves.moves, 0.01 * extent),
        (rotation.0, rotation.1, rotation.2, turn_spread),
        ("Scale", "factor", &curves.scales, 0.05),
    ];
    // A new bone or clip resets the zoom.
    let what = Id::unique(("curves", bone, state.tab.playback.clip));
    ui.columns(groups.len(), |columns| {
        for (ui, (name, unit, channels, spread)) in columns.iter_mut().zip(groups) {
            let lines = channels.iter().zip(NAMES).zip(colors(ui.visuals()).channels);
            let lines = lines.map(|((channel, name), color)| PlotLine { name, color, channel });
            ClipPlot { name, unit, what, spread, lines: lines.collect() }.show(ui, state, out);
        }
    });
}

/// The weights of the clip's morph targets in one plot.
fn morphs_ui(ui: &mut Ui, state: &AppState, curves: &Curves, out: &mut Vec<Action>) {
    let color = |number| {
        let [r, g, b] = subset_color(number);
        Color32::from(Rgba::from_rgb(r, g, b))
    };
    ui.horizontal_wrapped(|ui| {
        ui.strong("Morph targets");
        ui.separator();
        for (number, (name, _)) in curves.morphs.iter().enumerate() {
            ui.colored_label(color(number), name);
        }
        if curves.num_more_morphs > 0 {
            ui.weak(format!("and {} more", count(curves.num_more_morphs)));
        }
    });
    let lines = curves.morphs.iter().enumerate().map(|(number, (name, channel))| PlotLine {
        name,
        color: color(number),
        channel,
    });
    let what = Id::unique(("morph curves", state.tab.playback.clip));
    ClipPlot { name: "Weights", unit: "weight", what, spread: 0.05, lines: lines.collect() }
        .show(ui, state, out);
}

fn head_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    bone: rigscope_core::model::BoneId,
    curves: &Curves,
    out: &mut Vec<Action>,
) {
    let view = &state.tab.view.animation.curves;
    ui.horizontal_wrapped(|ui| {
        ui.strong(document.bone_name(bone));
        ui.separator();
        if curves.is_finished {
            ui.weak("baked skinning matrices, as stored");
        } else {
            let mut space = view.space;
            ui.selectable_value(&mut space, CurveSpace::Local, "Local")
                .on_hover_text("Plots the transform relative to the parent bone.");
            ui.selectable_value(&mut space, CurveSpace::Model, "Model space")
                .on_hover_text("Plots the transform relative to the model.");
            if space != view.space {
                let action = AnimationAction::SetCurveSpace(space);
                out.push(Action::Animation(action));
            }
        }
        ui.separator();
        let mut rotation_as = view.rotation_as;
        ui.selectable_value(&mut rotation_as, RotationAs::Euler, "Euler").on_hover_text(
            "Plots rotations as degrees about x, then the rotated y, then the rotated z.",
        );
        ui.selectable_value(&mut rotation_as, RotationAs::Quaternion, "Quaternion")
            .on_hover_text("Plots rotations as quaternion components.");
        if rotation_as != view.rotation_as {
            out.push(Action::Animation(AnimationAction::SetRotationAs(rotation_as)));
        }
        ui.separator();
        for (name, color) in NAMES.iter().zip(colors(ui.visuals()).channels) {
            let is_shown = *name != "w" || view.rotation_as == RotationAs::Quaternion;
            if is_shown {
                ui.colored_label(color, *name);
            }
        }
    });
}
