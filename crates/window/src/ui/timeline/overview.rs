//! The visible part of the clip, above the ruler, while the timeline is zoomed in.

use egui::{CursorIcon, Rect, Sense, Ui, pos2};

use super::time_scale::TimeScale;
use crate::ui::theme;
use crate::ui::tooltips::explained_with_keys;
use rigscope_state::{Action, AppState, Command, TimelineAction};

/// Its height; reserved even if the whole clip is visible, so that zooming doesn't move the track.
pub(super) const HEIGHT: f32 = 7.0;
/// Minimum width of the visible part, in points.
const MIN_WIDTH: f32 = 12.0;

/// Dragging moves the visible part; a double click shows the whole clip.
pub(super) fn overview_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    let Some(visible) = state.tab.view.timeline.visible else { return };
    let whole = state.clip_range();
    let scale = TimeScale { x: rect.x_range(), visible: whole };
    let response = ui.interact(rect, ui.scope_id().with("overview"), Sense::click_and_drag());
    response.widget_info(|| {
        egui::WidgetInfo::slider(true, visible.start_secs, "Visible part of the clip")
    });
    if response.double_clicked() {
        out.push(Action::Timeline(TimelineAction::Show(None)));
    } else if let Some(pointer) = response.interact_pointer_pos() {
        let is_inside = (visible.start_secs..=visible.end_secs).contains(&scale.time(pointer.x));
        let by_secs = match response.dragged() {
            true => scale.secs(response.drag_delta().x),
            // A press outside centres the visible part there.
            false if response.is_pointer_button_down_on() && !is_inside => {
                scale.time(pointer.x) - 0.5 * (visible.start_secs + visible.end_secs)
            }
            false => 0.0,
        };
        if by_secs != 0.0 {
            out.push(Action::Timeline(TimelineAction::Show(Some(visible.moved(by_secs, &whole)))));
        }
    }
    let visuals = ui.visuals();
    let painter = ui.painter();
    painter.rect_filled(rect, 2.0, visuals.extreme_bg_color);
    let (left, right) = (scale.x(visible.start_secs), scale.x(visible.end_secs));
    let middle = 0.5 * (left + right);
    let half = (0.5 * (right - left)).max(0.5 * MIN_WIDTH);
    let part = Rect::from_x_y_ranges(middle - half..=middle + half, rect.y_range());
    painter.rect_filled(part, 2.0, visuals.widgets.hovered.bg_fill);
    let x = scale.x(state.tab.playback.time_secs);
    let stroke = egui::Stroke::new(1.5, theme::accent(visuals));
    painter.line_segment([pos2(x, rect.top()), pos2(x, rect.bottom())], stroke);
    explained_with_keys(
        response.on_hover_cursor(CursorIcon::Grab),
        "The visible part of the clip. Drag to move it, or double-click to show the whole clip.",
        &[Command::ZoomTimeIn, Command::ZoomTimeOut, Command::ShowAllTimes],
    );
}
