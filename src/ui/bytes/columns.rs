//! The column beside the bytes: what each row is, field by field, and the lines that columns are
//! resized by.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{CursorIcon, FontId, Id, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::decoded::{Piece, pieces};
use super::detail;
use super::look::{FONT_POINTS, element_color};
use crate::state::{Action, BytesAction, FileBytes};
use crate::ui::theme;

/// A column is as wide at least, in points.
const MIN_POINTS: f32 = 30.0;
/// A line is taken hold of so near to it.
const GRIP_POINTS: f32 = 4.0;
/// Names of records have no more of what is beside the bytes, unless somebody makes them wider.
const RECORD_SHARE: f32 = 0.4;
/// Between two fields.
const GAP_POINTS: f32 = 16.0;
const PADDING_POINTS: f32 = 8.0;

/// How wide columns have been made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Widths {
    /// Offset, bytes and text; none: as wide as they are.
    bytes: Option<f32>,
    /// Names of records.
    record: Option<f32>,
}

/// Where columns are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Offset, bytes and text.
    pub(super) bytes: Rect,
    record: Rect,
    fields: Rect,
}

impl Columns {
    /// Divides `rect`, in which bytes would take `natural` points.
    pub(super) fn of(rect: Rect, natural: f32, record: f32, widths: &Widths) -> Self {
        let most = (rect.width() - GRIP_POINTS).max(MIN_POINTS);
        let bytes = widths.bytes.unwrap_or(natural).clamp(MIN_POINTS, most);
        let (bytes, decoded) = rect.split_left_right_at_x(rect.left() + bytes);
        let most = (decoded.width() - GRIP_POINTS).max(0.0);
        // Where there is little room values get most of it.
        let usual = record.min(RECORD_SHARE * decoded.width());
        let record = widths.record.unwrap_or(usual).max(MIN_POINTS).min(most);
        let (record, fields) = decoded.split_left_right_at_x(decoded.left() + record);
        Self { bytes, record, fields }
    }
}

/// The lines between columns, to be dragged; a double click gives back the width that one has.
pub(super) fn grips_ui(ui: &Ui, columns: &Columns, widths: &mut Widths) {
    let record = columns.record;
    grip_ui(ui, record.left(), columns.bytes, "Width of the bytes", &mut widths.bytes);
    grip_ui(ui, columns.fields.left(), record, "Width of the records", &mut widths.record);
}

fn grip_ui(ui: &Ui, x: f32, column: Rect, name: &str, width: &mut Option<f32>) {
    let grip = Rect::from_x_y_ranges(x - GRIP_POINTS..=x + GRIP_POINTS, column.y_range());
    let id = ui.scope_id().with(("column", name));
    let response = ui
        .interact(grip, id, Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Splitter, true, name));
    if response.double_clicked() {
        *width = None;
    } else if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        *width = Some((pointer.x - column.left()).max(MIN_POINTS));
    }
    let visuals = ui.visuals();
    let stroke = match response.hovered() || response.dragged() {
        true => Stroke::new(1.5, theme::accent(visuals)),
        false => visuals.widgets.noninteractive.bg_stroke,
    };
    ui.painter().vline(x, column.y_range(), stroke);
}

/// Shows row `row` at `y`, `height` points high; the bytes of what the pointer is on.
pub(super) fn row_ui(
    ui: &Ui,
    file: &FileBytes<'_>,
    columns: &Columns,
    (row, y, height): (u64, f32, f32),
    out: &mut Vec<Action>,
) -> Option<Range<u64>> {
    let mut pointed = None;
    let mut x = columns.fields.left() + PADDING_POINTS;
    for (number, piece) in pieces(file, row).into_iter().enumerate() {
        let is_first = number == 0;
        if let Some(record) = piece.record.as_ref().filter(|_| is_first) {
            record_ui(ui, file, columns.record, (record, &piece), y);
        }
        let galley = ui.painter().layout_job(job(ui, &piece, is_first));
        let place = Rect::from_min_size(pos2(x, y), vec2(galley.size().x, height));
        x = place.right() + GAP_POINTS;
        let begin = if is_first { columns.record.left() } else { place.left() };
        let target = Rect::from_min_max(pos2(begin, y), place.max);
        let target = target.intersect(columns.record.union(columns.fields));
        if !target.is_positive() {
            continue;
        }
        let id = ui.scope_id().with(("decoded", row, number));
        let response = ui.interact(target, id, Sense::click());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::Link, true, spelled(&piece))
        });
        let painter = ui.painter_at(columns.fields);
        if response.hovered() {
            let fill = ui.visuals().widgets.hovered.weak_bg_fill;
            painter.rect_filled(place.expand2(vec2(3.0, 0.0)), 2.0, fill);
            pointed = Some(piece.bytes.clone());
        }
        painter.galley(place.min, galley, ui.visuals().text_color());
        if response.clicked() {
            out.push(Action::Bytes(BytesAction::Look(piece.bytes.start)));
        }
        response.on_hover_ui_at_pointer(|ui| detail::hover_ui(ui, file, piece.bytes.start));
    }
    pointed
}

/// The record that a row begins with, behind its colour.
fn record_ui(ui: &Ui, file: &FileBytes<'_>, column: Rect, (record, piece): (&str, &Piece), y: f32) {
    let painter = ui.painter_at(column);
    let left = column.left() + PADDING_POINTS;
    if let Some(hit) = file.provenance.at(piece.bytes.start) {
        let swatch = Rect::from_min_size(pos2(left, y + 4.0), vec2(8.0, 8.0));
        painter.rect_filled(swatch, 2.0, element_color(hit.span.element));
    }
    let (font, color) = (FontId::proportional(FONT_POINTS), ui.visuals().text_color());
    painter.text(pos2(left + 14.0, y), egui::Align2::LEFT_TOP, record, font, color);
}

/// The field's name, its value, and before both the record where the row has begun with another.
fn job(ui: &Ui, piece: &Piece, is_first: bool) -> LayoutJob {
    let visuals = ui.visuals();
    let name = TextFormat::simple(FontId::proportional(FONT_POINTS), visuals.weak_text_color());
    let record = TextFormat { color: visuals.text_color(), ..name.clone() };
    let value = TextFormat::simple(FontId::monospace(FONT_POINTS), visuals.text_color());
    let mut job = LayoutJob::default();
    if let Some(text) = piece.record.as_ref().filter(|_| !is_first) {
        job.append(&format!("{text}   "), 0.0, record);
    }
    if let Some(field) = piece.field {
        job.append(&format!("{field} "), 0.0, name);
    }
    let shown = crate::model::shown::name(&piece.value);
    job.append(&shown, 0.0, value);
    job.wrap.max_rows = 1;
    job
}

/// A piece in one line, for who hears it.
fn spelled(piece: &Piece) -> String {
    let parts = [piece.record.as_deref(), piece.field, Some(piece.value.as_str())];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Kept while nobody has chosen another.
pub(super) fn remembered(ui: &Ui) -> Widths {
    ui.data(|data| data.get_temp(Id::unique("widths of bytes"))).unwrap_or_default()
}

/// Keeps what has been chosen, for all files.
pub(super) fn remember(ui: &Ui, widths: Widths) {
    ui.data_mut(|data| data.insert_temp(Id::unique("widths of bytes"), widths));
}
