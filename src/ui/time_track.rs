//! The time line itself: ruler, keys, range, and where the clock stands.

use egui::{Align2, CursorIcon, FontId, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::theme;
use super::time_events::Events;
use crate::state::{Action, AppState, KeyTimes, TimeRange};

/// The ruler, on which the range is dragged.
const RULER_HEIGHT: f32 = 18.0;
/// Below it, where the clock is dragged.
const TRACK_HEIGHT: f32 = 22.0;
/// So that the first and last key can be hit.
const MARGIN: f32 = 10.0;
/// Labels nearer to each other than this run together.
const LABEL_SPACING: f32 = 70.0;
/// Keys nearer to each other than this are drawn as one band.
const KEY_SPACING: f32 = 3.0;

/// Times of the clip along the width of the panel.
pub(super) struct Scale {
    rect: Rect,
    range: TimeRange,
}

impl Scale {
    pub(super) fn x(&self, time_secs: f64) -> f32 {
        let length = self.range.duration_secs();
        let share = if length > 0.0 { (time_secs - self.range.start_secs) / length } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
        let share = share as f32;
        egui::lerp(self.rect.x_range(), share)
    }

    fn time(&self, x: f32) -> f64 {
        let share = egui::remap_clamp(x, self.rect.x_range(), 0.0..=1.0);
        self.range.start_secs + f64::from(share) * self.range.duration_secs()
    }

    fn points_a_second(&self) -> f64 {
        f64::from(self.rect.width()) / self.range.duration_secs().max(1e-9)
    }
}

pub(super) fn time_track_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let size = vec2(ui.available_width(), RULER_HEIGHT + TRACK_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let (ruler, track) = rect.split_top_bottom_at_y(rect.top() + RULER_HEIGHT);
    let scale = Scale { rect: rect.shrink2(vec2(MARGIN, 0.0)), range: state.clip_range() };
    let painter = ui.painter_at(rect);
    painter.rect_filled(track, 4.0, ui.visuals().extreme_bg_color);
    if state.clip().is_none() {
        let color = ui.visuals().weak_text_color();
        let font = FontId::proportional(12.0);
        let text = if state.tab.document.is_some() { "The file has no clip." } else { "" };
        painter.text(track.center(), Align2::CENTER_CENTER, text, font, color);
        return;
    }
    range_ui(ui, state, &scale, ruler, out);
    let events = Events::of(state, &scale, track);
    scrub_ui(ui, state, &scale, track, &events, out);
    paint_range(ui, &painter, state, &scale, rect);
    paint_ruler(ui, &painter, &scale, ruler);
    if let Some(keys) = state.key_times() {
        paint_keys(ui, &painter, state, keys, &scale, track);
    }
    events.paint(ui, &painter);
    paint_clock(ui, &painter, state, &scale, rect);
}

/// Dragging along the track shows that moment.
fn scrub_ui(
    ui: &mut Ui,
    state: &AppState,
    scale: &Scale,
    track: Rect,
    events: &Events<'_>,
    out: &mut Vec<Action>,
) {
    let response = ui.interact(track, ui.scope_id().with("scrub"), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::slider(true, state.tab.playback.time_secs, "Timeline"));
    if (response.dragged() || response.clicked() || response.is_pointer_button_down_on())
        && let Some(pointer) = response.interact_pointer_pos()
    {
        // A mark of an event is that event; dragging goes over it.
        let event = events.time_at(pointer).filter(|_| !response.dragged());
        let time = event.unwrap_or_else(|| scale.time(pointer.x));
        // A pointer that rests on what is shown already asks for nothing.
        let is_new = time != state.tab.playback.time_secs || state.shows_default_pose();
        if is_new || state.tab.playback.is_playing {
            out.push(Action::Seek(time));
        }
    }
    let text = response.hover_pos().and_then(|pointer| events.text_at(pointer));
    let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    if let Some(text) = text {
        response.on_hover_text_at_pointer(text);
    }
}

/// Dragging along the ruler moves the nearer end of the range; a double click takes it away.
fn range_ui(ui: &mut Ui, state: &AppState, scale: &Scale, ruler: Rect, out: &mut Vec<Action>) {
    let id = ui.scope_id().with("range");
    let response = ui.interact(ruler, id, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::slider(true, state.play_range().start_secs, "Range"));
    let range = state.play_range();
    if response.drag_started()
        && let Some(pointer) = ui.input(|input| input.pointer.press_origin())
    {
        let to_start = (pointer.x - scale.x(range.start_secs)).abs();
        let to_end = (pointer.x - scale.x(range.end_secs)).abs();
        ui.data_mut(|data| data.insert_temp(id, to_start <= to_end));
    }
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let time = scale.time(pointer.x);
        let moves_start = ui.data(|data| data.get_temp(id)).unwrap_or(true);
        let wanted = if moves_start {
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
    let is_dragged = response.dragged();
    let response = response.on_hover_cursor(CursorIcon::ResizeColumn);
    if !is_dragged {
        response.on_hover_text(
            "Drag an end of the range that is played; double click for the whole clip.",
        );
    }
}

fn paint_range(ui: &Ui, painter: &Painter, state: &AppState, scale: &Scale, rect: Rect) {
    let range = state.play_range();
    let (start, end) = (scale.x(range.start_secs), scale.x(range.end_secs));
    let ruler_bottom = rect.top() + RULER_HEIGHT;
    let bar = Rect::from_min_max(pos2(start, ruler_bottom - 3.0), pos2(end, ruler_bottom));
    let color = theme::accent(ui.visuals());
    painter.rect_filled(bar, 0.0, color.gamma_multiply(0.55));
    for (x, inwards) in [(start, 5.0), (end, -5.0)] {
        let corners = vec![
            pos2(x, ruler_bottom),
            pos2(x, ruler_bottom - 8.0),
            pos2(x + inwards, ruler_bottom),
        ];
        painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
    }
    if state.tab.playback.range.is_some() {
        let dim = ui.visuals().panel_fill.gamma_multiply(0.6);
        for (from, to) in [(rect.left(), start), (end, rect.right())] {
            let outside = Rect::from_min_max(pos2(from, ruler_bottom), pos2(to, rect.bottom()));
            painter.rect_filled(outside, 0.0, dim);
        }
    }
}

/// Steps that people read easily, in seconds.
const STEPS: [f64; 16] =
    [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 300.0];

fn paint_ruler(ui: &Ui, painter: &Painter, scale: &Scale, ruler: Rect) {
    let wanted = f64::from(LABEL_SPACING) / scale.points_a_second();
    let step = STEPS.into_iter().find(|&s| s >= wanted);
    // Longer than any asset: a few labels anyhow.
    let step = step.unwrap_or(scale.range.duration_secs() / 8.0).max(1e-6);
    let decimals = match step {
        s if s >= 1.0 => 0,
        s if s >= 0.1 => 1,
        s if s >= 0.01 => 2,
        _ => 3,
    };
    let color = ui.visuals().weak_text_color();
    let font = FontId::proportional(10.0);
    let first = (scale.range.start_secs / step).ceil();
    for index in 0..200 {
        let time = (first + f64::from(index)) * step;
        if time > scale.range.end_secs + 1e-9 {
            break;
        }
        let x = scale.x(time);
        let tick = [pos2(x, ruler.bottom() - 6.0), pos2(x, ruler.bottom() - 3.0)];
        painter.line_segment(tick, Stroke::new(1.0, color));
        let text = format!("{time:.decimals$} s");
        let galley = painter.layout_no_wrap(text, font.clone(), color);
        // The first and the last one stay inside.
        let half = galley.size().x * 0.5;
        let left = (x - half).clamp(ruler.left(), (ruler.right() - 2.0 * half).max(ruler.left()));
        painter.galley(pos2(left, ruler.top() + 1.0), galley, color);
    }
}

fn paint_keys(
    ui: &Ui,
    painter: &Painter,
    state: &AppState,
    keys: &KeyTimes,
    scale: &Scale,
    track: Rect,
) {
    let visuals = ui.visuals();
    let color = visuals.weak_text_color();
    let is_dense = keys.len() as f32 * KEY_SPACING > scale.rect.width();
    let (top, bottom) = (track.center().y - 5.0, track.center().y + 5.0);
    if is_dense {
        if let (Some(first), Some(last)) = (keys.secs(0), keys.secs(keys.len().saturating_sub(1))) {
            let band = Rect::from_min_max(
                pos2(scale.x(first), top + 2.0),
                pos2(scale.x(last), bottom - 2.0),
            );
            painter.rect_filled(band, 2.0, color.gamma_multiply(0.35));
        }
    } else {
        for time in (0..keys.len()).filter_map(|key| keys.secs(key)) {
            let x = scale.x(time);
            painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(1.0, color));
        }
    }
    // The key that holds now.
    if let Some(time) = state.current_key().and_then(|key| keys.secs(key)) {
        let center = pos2(scale.x(time), track.center().y);
        diamond(painter, center, 4.5, visuals.strong_text_color());
    }
}

fn diamond(painter: &Painter, center: Pos2, radius: f32, color: egui::Color32) {
    let corners = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
        .map(|(x, y)| center + vec2(x, y) * radius)
        .to_vec();
    painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
}

fn paint_clock(ui: &Ui, painter: &Painter, state: &AppState, scale: &Scale, rect: Rect) {
    let x = scale.x(state.tab.playback.time_secs);
    let color = theme::accent(ui.visuals());
    let top = rect.top() + RULER_HEIGHT - 2.0;
    let line = [pos2(x, top), pos2(x, rect.bottom())];
    let width = if state.shows_default_pose() { 1.0 } else { 2.0 };
    painter.line_segment(line, Stroke::new(width, color));
    let corners = vec![
        pos2(x - 5.0, top - 6.0),
        pos2(x + 5.0, top - 6.0),
        pos2(x + 5.0, top),
        pos2(x, top + 6.0),
        pos2(x - 5.0, top),
    ];
    painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
}
