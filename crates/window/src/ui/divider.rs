//! Splits a pane into two parts with a draggable line between them.

use std::ops::RangeInclusive;

use egui::{CursorIcon, Id, Rect, Response, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2};

/// Gap between the parts, with the line in its centre.
const GAP: f32 = 7.0;

pub(super) struct Divider {
    /// Its name for egui and screen readers.
    pub name: &'static str,
    /// The parts are side by side instead of one above the other.
    pub is_beside: bool,
    /// Initial size of the first part, in points, until the line is dragged.
    pub first: f32,
    /// Minimum and maximum size of the first part, in points.
    pub range: RangeInclusive<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Left or above.
    First,
    /// Right or below.
    Second,
}

impl Divider {
    /// Shows both parts. A double click restores the line's initial position.
    pub(super) fn show(self, ui: &mut Ui, mut part_ui: impl FnMut(&mut Ui, Part)) {
        let rect = ui.available_rect_before_wrap();
        let along = |rect: Rect| if self.is_beside { rect.width() } else { rect.height() };
        let whole = (along(rect) - GAP).max(0.0);
        let id = Id::unique(("divider", self.name));
        // Stored as a share, so that both parts grow with the pane.
        let dragged: Option<f32> = ui.data(|data| data.get_temp(id));
        let most = self.range.end().min(whole);
        let first = dragged.map_or(self.first, |share| share * whole);
        let first = first.min(most).max(self.range.start().min(most)).round();
        let (above, below) = self.split(rect, first);
        for (rect, part) in [(above, Part::First), (below, Part::Second)] {
            ui.scope_builder(
                UiBuilder::new().max_rect(rect).id_salt((self.name, part as u8)),
                |ui| {
                    ui.shrink_clip_rect(rect.expand(1.0));
                    part_ui(ui, part);
                },
            );
        }
        ui.advance_cursor_after_rect(rect);
        let line = Rect::from_min_max(
            if self.is_beside { above.right_top() } else { above.left_bottom() },
            if self.is_beside { below.left_bottom() } else { below.right_top() },
        );
        let response = self.line_ui(ui, line, id);
        if response.double_clicked() {
            ui.data_mut(|data| data.remove::<f32>(id));
        } else if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            let from_start = at - rect.min;
            let wanted = if self.is_beside { from_start.x } else { from_start.y } - GAP * 0.5;
            let wanted = wanted.min(most).max(self.range.start().min(most));
            ui.data_mut(|data| data.insert_temp(id, wanted / whole.max(1.0)));
        }
    }

    fn split(&self, rect: Rect, first: f32) -> (Rect, Rect) {
        let (start, end) = (first, first + GAP);
        if self.is_beside {
            let above = Rect::from_min_max(rect.min, pos2(rect.left() + start, rect.bottom()));
            (above, Rect::from_min_max(pos2(rect.left() + end, rect.top()), rect.max))
        } else {
            let above = Rect::from_min_max(rect.min, pos2(rect.right(), rect.top() + start));
            (above, Rect::from_min_max(pos2(rect.left(), rect.top() + end), rect.max))
        }
    }

    fn line_ui(&self, ui: &Ui, rect: Rect, id: Id) -> Response {
        let response = ui.interact(rect, id.with("line"), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Splitter, true, self.name));
        let widgets = &ui.visuals().widgets;
        let stroke: Stroke = if response.dragged() {
            widgets.active.fg_stroke
        } else if response.hovered() {
            widgets.hovered.fg_stroke
        } else {
            widgets.noninteractive.bg_stroke
        };
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(if self.is_beside {
                CursorIcon::ResizeHorizontal
            } else {
                CursorIcon::ResizeVertical
            });
        }
        let center = rect.center();
        if self.is_beside {
            ui.painter().vline(center.x, rect.y_range(), stroke)
        } else {
            ui.painter().hline(rect.x_range(), center.y, stroke)
        };
        response.on_hover_text("Drag to resize. Double-click to reset.")
    }
}
