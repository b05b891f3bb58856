//! A plot of values over the clip, with keys and the playhead.
//!
//! Clicking or dragging shows a time, the right button pans, the wheel zooms (values with Shift), a double
//! click resets the zoom.

use egui::{Color32, Id, PointerButton, Rangef, Ui, vec2};
use egui_plot::{AxisHints, HoverPosition, Line, Plot, PlotPoint, PlotPoints, Points, VLine};

use super::format::{measured, time};
use super::{theme, wheel};
use rigscope_state::{Action, AppState, Channel, TimelineAction};

/// Closer keys aren't drawn as dots.
const KEY_SPACING: f32 = 4.0;
/// On the name, because the values at the pointer are shown on the plot.
const HELP: &str = "Click or drag to go to that time. The wheel zooms, with Shift vertically. Drag with the \
                    right button to pan, or double-click to reset the zoom.";

pub(super) struct PlotLine<'a> {
    pub(super) name: &'a str,
    pub(super) color: Color32,
    pub(super) channel: &'a Channel,
}

/// Curves of one quantity.
pub(super) struct ClipPlot<'a> {
    /// Shown above the plot.
    pub(super) name: &'a str,
    /// Shown next to the value axis.
    pub(super) unit: &'a str,
    /// Identifies the subject. A new subject resets the zoom; plots of the same subject share the time
    /// range.
    pub(super) what: Id,
    /// Minimum range of values, so that rounding errors of constant values don't fill the plot.
    pub(super) spread: f64,
    pub(super) lines: Vec<PlotLine<'a>>,
}

impl ClipPlot<'_> {
    pub(super) fn show(&self, ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
        let Self { name, unit, what, spread, lines } = self;
        ui.weak(*name).on_hover_text(HELP);
        let range = state.clip_range();
        // Plots are drawn in the unit of the timeline.
        let clip = state.tab.playback.clip;
        let frame_secs = clip.and_then(|clip| state.shown_frame_secs(clip));
        let unit_secs = frame_secs.unwrap_or(1.0);
        let what = &what.with(frame_secs.is_some());
        let in_units = |points: &[[f64; 2]]| -> PlotPoints<'static> {
            points.iter().map(|[secs, value]| [secs / unit_secs, *value]).collect()
        };
        let clock = state.tab.playback.time_secs;
        let clock_color = theme::accent(ui.visuals());
        let num_keys = lines.first().map_or(0, |line| line.channel.keys.len());
        let has_dots = num_keys as f32 * KEY_SPACING < ui.available_width() * 2.0;
        let label = |hover: &HoverPosition<'_>| {
            let (HoverPosition::NearDataPoint { position, .. }
            | HoverPosition::Elsewhere { position }) = hover;
            let secs = position.x * unit_secs;
            Some(values_text(lines, secs, &time(state, clip, secs)))
        };
        let values = lines.iter().flat_map(|line| &line.channel.points);
        let ends = values.fold([f64::MAX, f64::MIN], |[low, high], [_, value]| {
            [low.min(*value), high.max(*value)]
        });
        let middle = 0.5 * (ends[0] + ends[1]);
        let plot = Plot::new((*what, *name))
            .allow_drag(true)
            .pan_pointer_button(PointerButton::Secondary)
            .allow_boxed_zoom(false)
            .allow_scroll(false)
            .allow_axis_zoom_drag(true)
            .link_axis(*what, [true, false])
            .set_margin_fraction(vec2(0.02, 0.12))
            .include_x(range.start_secs / unit_secs)
            .include_x(range.end_secs / unit_secs)
            .include_y(middle - 0.5 * spread)
            .include_y(middle + 0.5 * spread)
            // egui's vertical line at the pointer would look like the playhead.
            .show_crosshair(false)
            .custom_x_axes(vec![
                AxisHints::new_x()
                    .label(if frame_secs.is_some() { "Frame" } else { "Time (s)" })
                    .label_spacing(Rangef::new(22.0, 36.0)),
            ])
            .custom_y_axes(vec![
                AxisHints::new_y()
                    .label(*unit)
                    .label_spacing(Rangef::new(10.0, 16.0))
                    .min_thickness(44.0),
            ])
            .label_formatter(label);
        let response = plot.show(ui, |plot| {
            for PlotLine { name, color, channel } in lines {
                plot.line(Line::new(*name, in_units(&channel.points)).color(*color).width(1.5));
                if has_dots {
                    plot.points(
                        Points::new(*name, in_units(&channel.keys)).color(*color).radius(2.5),
                    );
                }
            }
            plot.vline(VLine::new("time", clock / unit_secs).color(clock_color).width(1.5));
            if plot.response().hovered() {
                let scroll = plot.ctx().input(|input| input.smooth_scroll_delta());
                let amount = scroll.y + scroll.x;
                if amount != 0.0 {
                    let factor = wheel::zoom_of(amount);
                    let is_value = plot.ctx().input(|input| input.modifiers.shift);
                    let factors = if is_value { vec2(1.0, factor) } else { vec2(factor, 1.0) };
                    plot.zoom_bounds_around_hovered(factors);
                }
            }
        });
        let plot = response.response;
        plot.widget_info(|| egui::WidgetInfo::slider(true, clock, format!("{name} curves")));
        let is_seeking = plot.clicked() || plot.dragged_by(PointerButton::Primary);
        if is_seeking && let Some(pointer) = plot.interact_pointer_pos() {
            let PlotPoint { x, .. } = response.transform.value_from_position(pointer);
            let secs = range.clamp(x * unit_secs);
            if secs != clock || !state.tab.playback.shows_time() {
                out.push(Action::Timeline(TimelineAction::Scrub(secs)));
            }
        }
    }
}

/// The value of each curve at `time_secs`, and that time as text.
fn values_text(lines: &[PlotLine<'_>], time_secs: f64, time: &str) -> String {
    let values = lines.iter().filter_map(|line| {
        let value = value_at(&line.channel.points, time_secs)?;
        Some(format!("{} {}\n", line.name, measured(value)))
    });
    values.chain([time.to_owned()]).collect()
}

/// The interpolated value at `time_secs`, or the value of the nearest end.
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
    fn the_tooltip_shows_all_values_at_the_pointer() {
        let channel =
            |points: &[[f64; 2]]| Channel { points: points.to_vec(), ..Channel::default() };
        let channels = [channel(&[[0.0, 1.0], [1.0, 3.0]]), channel(&[[0.0, -1.0], [1.0, -1.0]])];
        let lines = channels.iter().zip(["x", "y"]);
        let color = Color32::WHITE;
        let lines: Vec<_> =
            lines.map(|(channel, name)| PlotLine { name, color, channel }).collect();
        assert_eq!(values_text(&lines, 0.25, "0.25 s"), "x 1.5\ny -1\n0.25 s");
        let at_ends = [-1.0, 0.0, 1.0, 9.0].map(|time| value_at(&channels[0].points, time));
        assert_eq!(at_ends, [1.0, 1.0, 3.0, 3.0].map(Some));
        assert_eq!(value_at(&[], 0.0), None);
    }
}
