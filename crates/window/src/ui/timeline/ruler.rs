//! The ruler: labels in seconds or frames, and the playback range.

use egui::{CursorIcon, FontId, Painter, Rect, Sense, Stroke, Ui, pos2};

use super::time_scale::TimeScale;
use crate::ui::tooltips::explained_with_keys;
use crate::ui::{format, theme};
use rigscope_state::{Action, AppState, Command, TimeRange};

/// Minimum distance between labels.
const LABEL_SPACING: f32 = 70.0;
/// Height of the range's bar.
const BAR_HEIGHT: f32 = 3.0;
/// Size of a range handle and its hit area. It is outside the range, so that every time inside can be
/// clicked.
const HANDLE_WIDTH: f32 = 8.0;
const HANDLE_HEIGHT: f32 = 12.0;
/// Maximum number of labels, for ranges that aren't finite.
const MAX_LABELS: u32 = 200;

/// Draws labels, and the range's bar along the bottom of `rect`.
pub(super) fn paint_ruler(ui: &Ui, state: &AppState, scale: &TimeScale, rect: Rect) {
    let painter = ui.painter_at(rect.expand2(egui::vec2(HANDLE_WIDTH, 0.0)));
    let frame_secs = state.tab.playback.clip.and_then(|clip| state.shown_frame_secs(clip));
    if let Some(frame_secs) = frame_secs {
        paint_labels(ui, &painter, scale, rect, frame_secs, &frame_step, "")
    } else {
        paint_labels(ui, &painter, scale, rect, 1.0, &second_step, " s")
    }
    let range = state.play_range();
    let [start, end] = [range.start_secs, range.end_secs].map(|secs| scale.x(secs));
    let bar = Rect::from_x_y_ranges(start..=end, rect.bottom() - BAR_HEIGHT..=rect.bottom());
    let color = theme::accent(ui.visuals()).gamma_multiply(0.55);
    painter.rect_filled(bar.intersect(rect), 0.0, color);
}

/// Round steps: 1, 2 and 5 times a power of ten, in seconds.
fn second_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    // From half a minute on, steps are fractions or multiples of minutes and hours.
    let all = steps.into_iter().chain([30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0]);
    let step = all.filter(|step| *step >= wanted * (1.0 - 1e-9)).fold(f64::MAX, f64::min);
    if step < f64::MAX { step } else { wanted }
}

/// Like [`second_step`], for whole frames.
fn frame_step(wanted: f64) -> f64 {
    second_step(wanted.max(1.0)).round()
}

fn paint_labels(
    ui: &Ui,
    painter: &Painter,
    scale: &TimeScale,
    rect: Rect,
    unit_secs: f64,
    step_of: &dyn Fn(f64) -> f64,
    suffix: &str,
) {
    let step = step_of(scale.secs(LABEL_SPACING) / unit_secs);
    #[expect(clippy::cast_possible_truncation, reason = "a step has a few digits")]
    #[expect(clippy::cast_sign_loss, reason = "decimals are not negative")]
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let color = ui.visuals().weak_text_color();
    let font = FontId::proportional(10.0);
    let first = (scale.visible.start_secs / unit_secs / step - 1e-9).ceil();
    for index in 0..MAX_LABELS {
        let value = (first + f64::from(index)) * step;
        let time = value * unit_secs;
        if !scale.shows(time) {
            break;
        }
        let x = scale.x(time);
        let tick = [pos2(x, rect.bottom() - 7.0), pos2(x, rect.bottom() - BAR_HEIGHT)];
        painter.line_segment(tick, Stroke::new(1.0, color));
        // Avoids "-0".
        let value = if value.abs() < step * 0.5 { 0.0 } else { value };
        let galley =
            painter.layout_no_wrap(format!("{value:.decimals$}{suffix}"), font.clone(), color);
        // Keep the first and last label inside.
        let half = galley.size().x * 0.5;
        let left = (x - half).clamp(rect.left(), (rect.right() - 2.0 * half).max(rect.left()));
        painter.galley(pos2(left, rect.top() + 1.0), galley, color);
    }
}

/// The two range handles. A double click on one removes the range.
pub(super) fn handles_ui(
    ui: &mut Ui,
    state: &AppState,
    scale: &TimeScale,
    rect: Rect,
    snapped: &dyn Fn(f64) -> f64,
    out: &mut Vec<Action>,
) {
    let range = state.play_range();
    for (time, is_start) in [(range.start_secs, true), (range.end_secs, false)] {
        if !scale.shows(time) {
            continue;
        }
        let x = scale.x(time);
        let left = if is_start { x - HANDLE_WIDTH } else { x };
        let handle = Rect::from_min_size(
            pos2(left, rect.bottom() - HANDLE_HEIGHT),
            egui::vec2(HANDLE_WIDTH, HANDLE_HEIGHT),
        );
        let name = if is_start { "Range start" } else { "Range end" };
        let response = ui.interact(handle, ui.scope_id().with(name), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::slider(true, time, name));
        if response.dragged()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let time = snapped(scale.time(pointer.x));
            let wanted = if is_start {
                TimeRange { start_secs: time.min(range.end_secs), ..range }
            } else {
                TimeRange { end_secs: time.max(range.start_secs), ..range }
            };
            if wanted != range && wanted.duration_secs() > 0.0 {
                out.push(Action::SetRange(Some(wanted)));
            }
        }
        if response.double_clicked() {
            out.push(Action::SetRange(None));
        }
        paint_handle(ui, handle, is_start, response.hovered() || response.dragged());
        let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        if !response.dragged() {
            let help = format!(
                "{name}: {}. Drag to play only a part of the clip, or double-click to play all of it.",
                format::time(state, state.tab.playback.clip, time)
            );
            let set = if is_start { Command::RangeStart } else { Command::RangeEnd };
            explained_with_keys(response, &help, &[set, Command::ClearRange]);
        }
    }
}

/// A flag with two grooves; its straight side marks the time.
fn paint_handle(ui: &Ui, handle: Rect, is_start: bool, is_hot: bool) {
    let visuals = ui.visuals();
    let fill = theme::accent(visuals);
    let fill = if is_hot { fill } else { fill.gamma_multiply(0.8) };
    let round = egui::CornerRadius { nw: 3, sw: 3, ..egui::CornerRadius::ZERO };
    let other = egui::CornerRadius { ne: 3, se: 3, ..egui::CornerRadius::ZERO };
    ui.painter().rect_filled(handle, if is_start { round } else { other }, fill);
    for offset in [-1.0, 1.5] {
        let x = handle.center().x + offset;
        let groove = [pos2(x, handle.top() + 3.0), pos2(x, handle.bottom() - 3.0)];
        ui.painter().line_segment(groove, Stroke::new(1.0, visuals.panel_fill));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_wide_enough_for_labels() {
        let steps = [0.0003, 0.02, 0.021, 0.3, 3.0, 11.0, 45.0, 1e5].map(second_step);
        for (step, wanted) in steps.into_iter().zip([0.0005, 0.02, 0.05, 0.5, 5.0, 20.0, 50.0, 1e5])
        {
            assert!((step - wanted).abs() < 1e-9 * wanted, "{step} for {wanted}");
        }
        assert_eq!([0.1, 1.5, 7.0, 30.0].map(frame_step), [1.0, 2.0, 10.0, 30.0]);
    }
}
