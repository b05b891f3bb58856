//! The track: ruler, rows of keys and events, and the playhead, which follows a press.

use egui::{
    Align2, CursorIcon, FontId, Painter, PointerButton, Rect, Response, Sense, Stroke, Ui, pos2,
    vec2,
};

use super::event_marks::EventMarks;
use super::key_marks::{KeyMark, mark_at, marks, paint_diamond, paint_marks};
use super::second_clip::paint_second_clip;
use super::time_scale::TimeScale;
use super::{overview, ruler};
use crate::ui::command_button::described;
use crate::ui::format::{counted, time};
use crate::ui::theme::{self, gap};
use crate::ui::wheel;
use rigscope_state::{Action, AppState, Command, KeyTimes, TimelineAction};

/// Labels above, range handles below.
const RULER_HEIGHT: f32 = 25.0;
const ROW_HEIGHT: f32 = 17.0;
/// Width of the row names.
const GUTTER_WIDTH: f32 = 104.0;
/// Margin for the range handles at the first and last time.
const MARGIN: f32 = 10.0;

/// One row below the ruler.
struct TrackRow<'a> {
    name: &'a str,
    keys: Option<&'a KeyTimes>,
    /// Placeholder text for a row without keys.
    hint: &'a str,
    marks: Vec<KeyMark>,
    rect: Rect,
}

pub(super) fn track_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let timeline = &state.tab.view.timeline;
    let has_events = state.clip().is_some_and(|clip| !clip.events.is_empty());
    let (morphs, materials) = (timeline.morphs.as_ref(), timeline.materials.as_ref());
    let layer = state.tab.playback.layer;
    let extra = [
        timeline.bone.is_some(),
        morphs.is_some(),
        materials.is_some(),
        has_events,
        layer.is_some(),
    ];
    let num_rows = 1 + extra.into_iter().filter(|has| *has).count();
    let height = overview::HEIGHT + RULER_HEIGHT + num_rows as f32 * ROW_HEIGHT;
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let (gutter, area) = rect.split_left_right_at_x(rect.left() + GUTTER_WIDTH.min(size.x * 0.3));
    let (strip, below) = area.split_top_bottom_at_y(area.top() + overview::HEIGHT);
    let (ruler_rect, rows_rect) = below.split_top_bottom_at_y(below.top() + RULER_HEIGHT);
    ui.painter().rect_filled(rows_rect, 4.0, ui.visuals().extreme_bg_color);
    if state.clip().is_none() {
        let color = ui.visuals().weak_text_color();
        let text = if state.tab.document.is_some() { "The file has no clip." } else { "" };
        let font = FontId::proportional(12.0);
        ui.painter().text(rows_rect.center(), Align2::CENTER_CENTER, text, font, color);
        return;
    }
    let scale = TimeScale { x: area.x_range().shrink(MARGIN), visible: state.visible_times() };
    let row_rect = |number: usize| {
        let top = rows_rect.top() + number as f32 * ROW_HEIGHT;
        Rect::from_x_y_ranges(rows_rect.x_range(), top..=top + ROW_HEIGHT)
    };
    let mut rows = vec![TrackRow::new("Keys", state.key_times(), "", &scale, row_rect(0))];
    if let Some(row) = &timeline.bone {
        let hint = match (row.name.is_empty(), row.keys.len()) {
            (true, _) => "Select a bone or vertex to see keys.",
            (false, 0) => "This bone has no keys.",
            (false, _) => "",
        };
        let name = if row.name.is_empty() { "Bone" } else { &row.name };
        rows.push(TrackRow::new(name, Some(&row.keys), hint, &scale, row_rect(rows.len())));
    }
    for row in [morphs, materials].into_iter().flatten() {
        rows.push(TrackRow::new(&row.name, Some(&row.keys), "", &scale, row_rect(rows.len())));
    }
    let events = has_events.then(|| {
        let rect = row_rect(rows.len());
        rows.push(TrackRow::new("Events", None, "", &scale, rect));
        EventMarks::of(state, &scale, rect)
    });
    let layer = layer.map(|layer| {
        let rect = row_rect(rows.len());
        rows.push(TrackRow::new("Second clip", None, "", &scale, rect));
        (layer, rect)
    });

    gutter_ui(ui, state, &rows, gutter, ruler_rect, out);
    overview::overview_ui(ui, state, strip.shrink2(vec2(MARGIN, 1.0)), out);
    let is_snapping = ui.input(|input| input.modifiers.shift);
    let snapped = |time: f64| if is_snapping { snap(state, time) } else { time };
    let response = scrub_ui(ui, state, &scale, below, events.as_ref(), &snapped, out);
    zoom_ui(ui, state, &scale, &response, out);
    ruler::paint_ruler(ui, state, &scale, ruler_rect);
    paint_rows(ui, state, &scale, &rows, rows_rect);
    if let Some(events) = &events {
        events.paint(ui, &ui.painter_at(rows_rect));
    }
    if let (Some((layer, rect)), Some(document)) = (&layer, &state.tab.document) {
        let name = document.clip_name(layer.clip.index());
        let painter = ui.painter_at(rows_rect);
        paint_second_clip(ui, &painter, (layer, &name), &scale, *rect);
    }
    let is_snapped = response.is_pointer_button_down_on() && is_snapping;
    paint_playhead(ui, state, &scale, ruler_rect, &rows, is_snapped);
    ruler::handles_ui(ui, state, &scale, ruler_rect, &snapped, out);
    hover_ui(response, state, &scale, &rows, events.as_ref());
}

impl<'a> TrackRow<'a> {
    fn new(
        name: &'a str,
        keys: Option<&'a KeyTimes>,
        hint: &'a str,
        scale: &TimeScale,
        rect: Rect,
    ) -> Self {
        let marks = keys.map_or_else(Vec::new, |keys| marks(keys, scale));
        Self { name, keys, hint, marks, rect }
    }
}

/// The nearest key, of the selected bone if it has any, otherwise of the clip.
fn snap(state: &AppState, time: f64) -> f64 {
    let of_bone = state.tab.view.timeline.bone.as_ref().map(|row| &row.keys);
    let keys = of_bone.filter(|keys| !keys.is_empty()).or_else(|| state.key_times());
    keys.and_then(|keys| keys.nearest(time)).unwrap_or(time)
}

/// The ruler's unit: both names, with the current one highlighted.
fn unit_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.inactive.weak_bg_fill);
    let (seconds, frames) = rect.split_left_right_at_fraction(0.53);
    for (rect, name, is_frames) in [(seconds, "Seconds", false), (frames, "Frames", true)] {
        let is_on = state.settings.ruler_frames == is_frames;
        let button = egui::Button::selectable(is_on, egui::RichText::new(name).small());
        let response = ui.scope(|ui| {
            ui.spacing_mut().button_padding.x = 2.0;
            ui.put(rect, button.truncate())
        });
        let response = described(response.inner, state, Command::ToggleFrames);
        if response.accessible_name(format!("{name} on the timeline")).clicked() && !is_on {
            out.push(Action::Run(Command::ToggleFrames));
        }
    }
}

/// TrackRow names, and the ruler's unit.
fn gutter_ui(
    ui: &mut Ui,
    state: &AppState,
    rows: &[TrackRow<'_>],
    gutter: Rect,
    ruler: Rect,
    out: &mut Vec<Action>,
) {
    let unit = Rect::from_x_y_ranges(gutter.x_range(), ruler.y_range()).shrink2(vec2(0.0, 1.0));
    unit_ui(ui, state, unit.with_max_x(unit.right() - 6.0), out);
    for row in rows {
        let rect = Rect::from_x_y_ranges(gutter.x_range(), row.rect.y_range());
        let mut ui =
            ui.new_child(egui::UiBuilder::new().max_rect(rect.with_max_x(rect.right() - 6.0)));
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let num = row.keys.map_or(0, KeyTimes::len);
            let most = row.marks.iter().map(|mark| mark.num).max().unwrap_or(0);
            let count = match most {
                0 | 1 => num.to_string(),
                most => format!("{num} ÷{most}"),
            };
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if row.keys.is_some() && num > 0 {
                    let text = egui::RichText::new(count).small().weak();
                    let label = ui.label(text);
                    if most > 1 {
                        label.on_hover_text(format!(
                            "{}. Each mark represents up to {most} keys; zoom in with the wheel.",
                            counted(num, "key")
                        ));
                    }
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let text = egui::RichText::new(row.name).small();
                    ui.add(egui::Label::new(text).truncate());
                });
            });
        });
    }
}

/// A press shows the time at the pointer; playback continues on release.
fn scrub_ui(
    ui: &mut Ui,
    state: &AppState,
    scale: &TimeScale,
    rect: Rect,
    events: Option<&EventMarks<'_>>,
    snapped: &dyn Fn(f64) -> f64,
    out: &mut Vec<Action>,
) -> Response {
    let playback = &state.tab.playback;
    let response = ui.interact(rect, ui.scope_id().with("scrub"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::slider(true, playback.time_secs, "Timeline"));
    let is_held = response.is_pointer_button_down_on()
        && ui.input(|input| input.pointer.primary_down())
        || response.clicked();
    if is_held && let Some(pointer) = response.interact_pointer_pos() {
        // Clicking an event's mark goes to its exact time; dragging passes over it.
        let event = events.and_then(|events| events.time_at(pointer));
        let event = event.filter(|_| !response.dragged());
        let time = event.unwrap_or_else(|| snapped(scale.time(pointer.x)));
        // If the time is already shown, a resting pointer has no effect.
        let is_new = time != playback.time_secs || !state.tab.playback.shows_time();
        if is_new || (playback.is_playing && !playback.is_held) {
            out.push(Action::Timeline(TimelineAction::Scrub(time)));
        }
    }
    response.on_hover_cursor(CursorIcon::Default)
}

/// The wheel zooms at the pointer; Ctrl+wheel, horizontal scrolling or the middle button pans.
fn zoom_ui(
    ui: &Ui,
    state: &AppState,
    scale: &TimeScale,
    response: &Response,
    out: &mut Vec<Action>,
) {
    let whole = state.clip_range();
    let mut by_points = 0.0;
    let mut factor = 1.0;
    if response.dragged_by(PointerButton::Middle) {
        by_points -= response.drag_delta().x;
    }
    let pointer = response.hover_pos();
    if pointer.is_some() {
        let (scroll, zoom, has_ctrl) = ui.input(|input| {
            (input.smooth_scroll_delta(), input.zoom_delta(), input.modifiers.command)
        });
        by_points -= scroll.x;
        factor /= f64::from(wheel::zoom_of(scroll.y));
        match has_ctrl {
            // egui turns Ctrl+wheel into a zoom gesture, as browsers do.
            true if zoom != 1.0 => by_points -= wheel::points_of(zoom),
            true => {}
            false => factor /= f64::from(zoom),
        }
    }
    if by_points == 0.0 && factor == 1.0 {
        return;
    }
    let about = pointer.map_or(state.tab.playback.time_secs, |pointer| scale.time(pointer.x));
    let moved = scale.visible.moved(scale.secs(by_points), &whole);
    let wanted = moved.zoomed(factor, about, &whole);
    if wanted != scale.visible {
        out.push(Action::Timeline(TimelineAction::Show(Some(wanted))));
    }
}

fn paint_rows(ui: &Ui, state: &AppState, scale: &TimeScale, rows: &[TrackRow<'_>], rect: Rect) {
    let painter = ui.painter_at(rect);
    let color = ui.visuals().weak_text_color();
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            let line = [row.rect.left_top(), row.rect.right_top()];
            painter.line_segment(line, ui.visuals().widgets.noninteractive.bg_stroke);
        }
        paint_marks(&painter, &row.marks, scale, row.rect, color);
        if !row.hint.is_empty() {
            let at = row.rect.left_center() + vec2(MARGIN + gap::MEDIUM, 0.0);
            painter.text(at, Align2::LEFT_CENTER, row.hint, FontId::proportional(11.0), color);
        }
    }
    if state.tab.playback.range.is_some() {
        let range = state.play_range();
        let dim = ui.visuals().panel_fill.gamma_multiply(0.6);
        let (start, end) = (scale.x(range.start_secs), scale.x(range.end_secs));
        for (from, to) in
            [(rect.left(), start.max(rect.left())), (end.min(rect.right()), rect.right())]
        {
            painter.rect_filled(
                Rect::from_x_y_ranges(from..=to.max(from), rect.y_range()),
                0.0,
                dim,
            );
        }
    }
}

/// A line across all rows with a head in the ruler, and a ring on the key that it has snapped to.
fn paint_playhead(
    ui: &Ui,
    state: &AppState,
    scale: &TimeScale,
    ruler: Rect,
    rows: &[TrackRow<'_>],
    is_snapped: bool,
) {
    let time = state.tab.playback.time_secs;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let painter = ui.painter_at(ruler.union(last.rect).expand2(vec2(0.0, 2.0)));
    let strong = ui.visuals().strong_text_color();
    // The key in effect.
    let held = state.current_key().zip(state.key_times()).and_then(|(key, keys)| keys.secs(key));
    if let Some(held) = held {
        let center = pos2(scale.x(held), first.rect.center().y);
        paint_diamond(&painter, center, 4.5, strong);
    }
    let x = scale.x(time);
    let color = theme::accent(ui.visuals());
    let top = ruler.bottom() - 2.0;
    let width = if state.tab.playback.shows_time() { 2.0 } else { 1.0 };
    painter.line_segment([pos2(x, top), pos2(x, last.rect.bottom())], Stroke::new(width, color));
    let head = [(-5.0, -9.0), (5.0, -9.0), (5.0, -2.0), (0.0, 4.0), (-5.0, -2.0)]
        .map(|(dx, dy)| pos2(x + dx, top + dy))
        .to_vec();
    painter.add(egui::Shape::convex_polygon(head, color, Stroke::NONE));
    if is_snapped {
        paint_snap(&painter, rows, x, time, strong);
    }
}

fn paint_snap(painter: &Painter, rows: &[TrackRow<'_>], x: f32, time: f64, color: egui::Color32) {
    let is_key = |keys: &KeyTimes| keys.nearest(time) == Some(time);
    for row in rows.iter().filter(|row| row.keys.is_some_and(is_key)) {
        let center = pos2(x, row.rect.center().y);
        painter.circle_stroke(center, 7.0, Stroke::new(1.5, color));
    }
}

/// Shows a tooltip for the object under the pointer.
fn hover_ui(
    response: Response,
    state: &AppState,
    scale: &TimeScale,
    rows: &[TrackRow<'_>],
    events: Option<&EventMarks<'_>>,
) {
    let Some(pointer) = response.hover_pos().filter(|_| !response.is_pointer_button_down_on())
    else {
        return;
    };
    let at = |secs| time(state, state.tab.playback.clip, secs);
    let row = rows.iter().find(|row| row.rect.contains(pointer));
    let mark = row.and_then(|row| mark_at(&row.marks, scale, pointer.x));
    let event = events.filter(|events| events.contains(pointer));
    let text = match (event.and_then(|events| events.text_at(pointer)), mark) {
        (Some(text), _) => text,
        (None, Some(mark)) if mark.num > 1 => {
            let KeyMark { first_secs, last_secs, num } = mark;
            format!("{}, {} to {}", counted(num, "key"), at(first_secs), at(last_secs))
        }
        (None, Some(mark)) => format!("Key at {}", at(mark.first_secs)),
        (None, None) => return,
    };
    response.on_hover_text_at_pointer(text);
}
