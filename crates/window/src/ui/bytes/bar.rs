//! The whole file as a bar: elements, selection, visible part.

use std::ops::Range;

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::style::{ROW_BYTES, element_color};
use crate::ui::theme;
use rigscope_state::FileBytes;

/// More spans wouldn't be visible at the bar's resolution.
const MAX_SPANS: usize = 4000;

pub(super) fn bar_ui(
    ui: &mut Ui,
    file: &FileBytes<'_>,
    selected: &[Range<u64>],
    rect: Rect,
    num_seen: f64,
    first_row: &mut f64,
) {
    let rect = rect.shrink2(vec2(4.0, 0.0));
    let id = ui.scope_id().with("bytes bar");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::accesskit::Role::ScrollBar, true, "Position in the file")
    });
    let num_bytes = (file.content.len() as f64).max(1.0);
    let num_rows = (num_bytes / ROW_BYTES as f64).max(1.0);
    if let Some(at) = response.interact_pointer_pos() {
        let share = f64::from((at.y - rect.top()) / rect.height().max(1.0));
        *first_row = share * num_rows - num_seen * 0.5;
    }
    let y = |at: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "a share of the bar")]
        let share = (at / num_bytes) as f32;
        rect.top() + share.clamp(0.0, 1.0) * rect.height()
    };
    let painter = ui.painter_at(rect.expand(2.0));
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let part = |range: &Range<u64>| {
        let (top, bottom) = (y(range.start as f64), y(range.end as f64));
        Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), bottom.max(top + 1.0)))
    };
    for span in file.provenance.spans.iter().take(MAX_SPANS) {
        let color = element_color(span.element).gamma_multiply(0.7);
        painter.rect_filled(part(&span.range()), 0.0, color);
    }
    if let Some(range) = file.failure.and_then(|failure| failure.bytes.as_ref()) {
        painter.rect_filled(part(range).expand(1.0), 0.0, ui.visuals().error_fg_color);
    }
    for range in selected {
        let mark = part(range).expand2(vec2(2.0, 0.5));
        painter.rect_filled(mark, 1.0, theme::accent(ui.visuals()));
    }
    let seen = Rect::from_min_max(
        pos2(rect.left() - 1.0, y(*first_row * ROW_BYTES as f64)),
        pos2(rect.right() + 1.0, y((*first_row + num_seen) * ROW_BYTES as f64) + 3.0),
    );
    let stroke = Stroke::new(1.5, ui.visuals().strong_text_color());
    painter.rect_filled(seen, 2.0, ui.visuals().strong_text_color().gamma_multiply(0.07));
    painter.rect_stroke(seen, 2.0, stroke, StrokeKind::Inside);
    let help = "Shows which parts of the file are read. Click or drag to go there.";
    response.on_hover_text(help);
}
