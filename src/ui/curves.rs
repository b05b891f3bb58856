//! Below: translation, rotation and scale of the selected bone over the clip, with its keys.
//!
//! Curves are read once by the state; here they are drawn. A click or a drag shows that moment, the
//! right or middle button moves what is seen, the wheel zooms, a double click shows all again.

use egui::{PointerButton, Rangef, Ui, vec2};
use egui_plot::{AxisHints, HoverPosition, Line, Plot, PlotPoint, PlotPoints, Points, VLine};

use super::channels::{COLORS, NAMES};
use super::theme;
use super::value_tracks::value_tracks_ui;
use crate::state::{
    Action, AnimationAction, AppState, Channel, CurveSpace, Curves, Document, RotationAs,
    TimelineAction,
};

/// A notch of the wheel.
const ZOOM_SPEED: f32 = 0.004;
/// Keys nearer to each other than this are not drawn as dots.
const KEY_SPACING: f32 = 4.0;

pub(super) fn curves_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    let Some(bone) = state.tab.selection.bone() else {
        if !document.model.value_tracks.is_empty() {
            return value_tracks_ui(ui, state, document);
        }
        ui.weak("Select a bone to see its curves.");
        return;
    };
    if state.clip().is_none() {
        ui.weak("The file has no clip.");
        return;
    }
    let view = &state.tab.view.animation.curves;
    let Some(curves) = view.shown.get() else {
        ui.weak("Reading curves…");
        return;
    };
    head_ui(ui, state, document, bone, curves, out);
    let turn: (&str, &[Channel]) = match view.rotation_as {
        RotationAs::Euler => ("Rotation, degrees", &curves.euler),
        RotationAs::Quaternion => ("Rotation, quaternion", &curves.quaternion),
    };
    let turn_spread = match view.rotation_as {
        RotationAs::Euler => 2.0,
        RotationAs::Quaternion => 0.05,
    };
    let extent = f64::from(document.bounds.extent() / state.display_scale());
    // Rounding of what does not move is not to fill the plot: each has a least height.
    let groups: [(&str, &[Channel], f64); 3] = [
        ("Translation", &curves.moves, 0.01 * extent),
        (turn.0, turn.1, turn_spread),
        ("Scale", &curves.scales, 0.05),
    ];
    ui.columns(groups.len(), |columns| {
        for (ui, (name, channels, spread)) in columns.iter_mut().zip(groups) {
            plot_ui(ui, state, (name, spread), channels, out);
        }
    });
}

fn head_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    bone: crate::model::BoneId,
    curves: &Curves,
    out: &mut Vec<Action>,
) {
    let view = &state.tab.view.animation.curves;
    ui.horizontal(|ui| {
        ui.strong(document.bone_name(bone));
        ui.separator();
        if curves.is_finished {
            ui.weak("finished skinning matrices, as stored");
        } else {
            let mut space = view.space;
            ui.selectable_value(&mut space, CurveSpace::Local, "In the parent");
            ui.selectable_value(&mut space, CurveSpace::Model, "In the model");
            if space != view.space {
                let action = AnimationAction::SetCurveSpace(space);
                out.push(Action::Animation(action));
            }
        }
        ui.separator();
        let mut rotation_as = view.rotation_as;
        ui.selectable_value(&mut rotation_as, RotationAs::Euler, "Euler")
            .on_hover_text("Degrees about x, then the rotated y, then the rotated z.");
        ui.selectable_value(&mut rotation_as, RotationAs::Quaternion, "Quaternion");
        if rotation_as != view.rotation_as {
            out.push(Action::Animation(AnimationAction::SetTurnAs(rotation_as)));
        }
        ui.separator();
        for (name, color) in NAMES.iter().zip(COLORS) {
            let is_shown = *name != "w" || view.rotation_as == RotationAs::Quaternion;
            if is_shown {
                ui.colored_label(color, *name);
            }
        }
    });
}

fn plot_ui(
    ui: &mut Ui,
    state: &AppState,
    (name, spread): (&str, f64),
    channels: &[Channel],
    out: &mut Vec<Action>,
) {
    ui.weak(name);
    let range = state.clip_range();
    let clock = state.tab.playback.time_secs;
    let clock_color = theme::accent(ui.visuals());
    let num_keys = channels.first().map_or(0, |channel| channel.keys.len());
    let has_dots = num_keys as f32 * KEY_SPACING < ui.available_width() * 2.0;
    let label = |hover: &HoverPosition<'_>| {
        let (HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position }) =
            hover;
        Some(values_text(channels, position.x))
    };
    let values = channels.iter().flat_map(|channel| &channel.points);
    let ends = values
        .fold([f64::MAX, f64::MIN], |[low, high], [_, value]| [low.min(*value), high.max(*value)]);
    let middle = 0.5 * (ends[0] + ends[1]);
    // A new bone or clip is seen as a whole.
    let what = (state.tab.selection.bone(), state.tab.playback.clip);
    let plot = Plot::new(("curves", name, what))
        .allow_drag(true)
        .pan_pointer_button(PointerButton::Secondary)
        .allow_boxed_zoom(false)
        .allow_scroll(false)
        .allow_axis_zoom_drag(true)
        .link_axis(egui::Id::unique(("curves", what)), [true, false])
        .set_margin_fraction(vec2(0.02, 0.12))
        .include_x(range.start_secs)
        .include_x(range.end_secs)
        .include_y(middle - 0.5 * spread)
        .include_y(middle + 0.5 * spread)
        .custom_x_axes(vec![AxisHints::new_x().label_spacing(Rangef::new(22.0, 36.0))])
        .custom_y_axes(vec![
            AxisHints::new_y().label_spacing(Rangef::new(10.0, 16.0)).min_thickness(44.0),
        ])
        .label_formatter(label);
    let response = plot.show(ui, |plot| {
        for ((channel, name), color) in channels.iter().zip(NAMES).zip(COLORS) {
            let points: PlotPoints<'_> = channel.points.iter().copied().collect();
            plot.line(Line::new(name, points).color(color).width(1.5));
            if has_dots {
                let keys: PlotPoints<'_> = channel.keys.iter().copied().collect();
                plot.points(Points::new(name, keys).color(color).radius(2.5));
            }
        }
        plot.vline(VLine::new("time", clock).color(clock_color).width(1.5));
        if plot.response().hovered() {
            let scroll = plot.ctx().input(|input| input.smooth_scroll_delta());
            let amount = scroll.y + scroll.x;
            if amount != 0.0 {
                let factor = (amount * ZOOM_SPEED).exp();
                let is_value = plot.ctx().input(|input| input.modifiers.shift);
                let factors = match is_value {
                    true => vec2(1.0, factor),
                    false => vec2(factor, 1.0),
                };
                plot.zoom_bounds_around_hovered(factors);
            }
        }
    });
    let plot = response.response;
    plot.widget_info(|| egui::WidgetInfo::slider(true, clock, format!("{name} curves")));
    let is_seeking = plot.clicked() || plot.dragged_by(PointerButton::Primary);
    if is_seeking && let Some(pointer) = plot.interact_pointer_pos() {
        let PlotPoint { x, .. } = response.transform.value_from_position(pointer);
        let time = range.clamp(x);
        if time != clock || state.shows_default_pose() {
            out.push(Action::Timeline(TimelineAction::Scrub(time)));
        }
    }
}

/// The value of each channel at `time_secs`, and the time.
fn values_text(channels: &[Channel], time_secs: f64) -> String {
    let values = channels.iter().zip(NAMES).filter_map(|(channel, name)| {
        let value = value_at(&channel.points, time_secs)?;
        Some(format!("{name} {value:.5}\n"))
    });
    values.chain([format!("{time_secs:.4} s")]).collect()
}

/// The value at `time_secs` between the points of a curve, or at its nearest end.
fn value_at(points: &[[f64; 2]], time_secs: f64) -> Option<f64> {
    let next = points.partition_point(|[time, _]| *time <= time_secs);
    let after = points.get(next).or(points.last())?;
    let before = next.checked_sub(1).and_then(|at| points.get(at)).unwrap_or(after);
    let length = after[0] - before[0];
    let share = if length > 0.0 { ((time_secs - before[0]) / length).clamp(0.0, 1.0) } else { 0.0 };
    Some(before[1] + share * (after[1] - before[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_at_the_pointers_time_are_said() {
        let channel =
            |points: &[[f64; 2]]| Channel { points: points.to_vec(), ..Channel::default() };
        let channels = [channel(&[[0.0, 1.0], [1.0, 3.0]]), channel(&[[0.0, -1.0], [1.0, -1.0]])];
        assert_eq!(values_text(&channels, 0.25), "x 1.50000\ny -1.00000\n0.2500 s");
        let at_ends = [-1.0, 0.0, 1.0, 9.0].map(|time| value_at(&channels[0].points, time));
        assert_eq!(at_ends, [1.0, 1.0, 3.0, 3.0].map(Some));
        assert_eq!(value_at(&[], 0.0), None);
    }
}
