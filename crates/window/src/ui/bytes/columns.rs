//! The columns next to the bytes: each row's decoded fields, and the lines that resize columns.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{CursorIcon, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::decoded_fields::{DecodedField, fields};
use super::detail;
use super::style::{FONT_POINTS, element_color};
use crate::ui::theme;
use rigscope_state::{Action, BytesAction, BytesColumns, FileBytes};

/// Minimum width of a column, in points.
const MIN_POINTS: f32 = 30.0;
/// Distance within which a line can be grabbed, in points.
const GRIP_POINTS: f32 = 4.0;
/// Width in digits of offset, bytes and text, of the first two, and of a record's name.
const WHOLE_DIGITS: f32 = 77.5;
const HEX_DIGITS: f32 = 60.0;
const RECORD_DIGITS: f32 = 17.0;
/// Minimum width of decoded fields while the text column can be dropped.
const MIN_DECODED: f32 = 300.0;
/// Below this width, dropping the text column isn't worth it.
const MIN_NARROW: f32 = 100.0;
/// Maximum share of record names in the width next to the bytes, unless resized by the user.
const RECORD_SHARE: f32 = 0.4;
/// Width of an ellipsis.
const MORE_POINTS: f32 = 14.0;
/// Gap between two fields.
const GAP_POINTS: f32 = 16.0;
const PADDING_POINTS: f32 = 8.0;

/// Rectangles of the columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Offset, bytes and text.
    pub(super) bytes: Rect,
    record: Rect,
    fields: Rect,
}

impl Columns {
    /// Divides `rect` for digits that are `digit` points wide. `says_more` is set if decoded fields add
    /// information to the text column.
    pub(super) fn of(rect: Rect, digit: f32, says_more: bool, widths: BytesColumns) -> Self {
        let most = (rect.width() - GRIP_POINTS).max(MIN_POINTS);
        let [whole, without_text] = [WHOLE_DIGITS, HEX_DIGITS].map(|digits| digits * digit);
        // If space is scarce, the text column is dropped in favour of decoded fields.
        let is_narrow = says_more && rect.width() < whole + MIN_DECODED;
        let has_room = rect.width() > without_text + MIN_NARROW;
        let natural = if is_narrow && has_room { without_text } else { whole };
        let bytes = widths.bytes.unwrap_or(natural).clamp(MIN_POINTS, most);
        let (bytes, decoded) = rect.split_left_right_at_x(rect.left() + bytes);
        let most = (decoded.width() - GRIP_POINTS).max(0.0);
        // If space is scarce, values get most of it.
        let usual = (RECORD_DIGITS * digit).min(RECORD_SHARE * decoded.width());
        let record = widths.record.unwrap_or(usual).max(MIN_POINTS).min(most);
        let (record, fields) = decoded.split_left_right_at_x(decoded.left() + record);
        Self { bytes, record, fields }
    }
}

/// The draggable lines between columns; a double click restores a column's default width.
pub(super) fn grips_ui(ui: &Ui, columns: &Columns, widths: BytesColumns, out: &mut Vec<Action>) {
    let record = columns.record;
    let mut wanted = widths;
    grip_ui(ui, record.left(), columns.bytes, "Width of the bytes", &mut wanted.bytes);
    grip_ui(ui, columns.fields.left(), record, "Width of the records", &mut wanted.record);
    if wanted != widths {
        out.push(Action::Bytes(BytesAction::SetColumns(wanted)));
    }
}

fn grip_ui(ui: &Ui, x: f32, column: Rect, name: &str, width: &mut Option<f32>) {
    let grip = Rect::from_x_y_ranges(x - GRIP_POINTS..=x + GRIP_POINTS, column.y_range());
    let id = ui.scope_id().with(("column", name));
    let response = ui
        .interact(grip, id, Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Splitter, true, name));
    let help = "Drag to set the width. Double-click to fit the content.";
    let response = response.on_hover_text(help);
    if response.double_clicked() {
        *width = None;
    } else if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        *width = Some((pointer.x - column.left()).max(MIN_POINTS));
    }
    let visuals = ui.visuals();
    let stroke = if response.hovered() || response.dragged() {
        Stroke::new(1.5, theme::accent(visuals))
    } else {
        visuals.widgets.noninteractive.bg_stroke
    };
    ui.painter().vline(x, column.y_range(), stroke);
}

/// Shows row `row` at `y`, `height` points high. Returns the bytes of the field under the pointer.
pub(super) fn row_ui(
    ui: &Ui,
    file: &FileBytes<'_>,
    columns: &Columns,
    row: u64,
    y: f32,
    height: f32,
    out: &mut Vec<Action>,
) -> Option<Range<u64>> {
    let mut pointed = None;
    let mut x = columns.fields.left() + PADDING_POINTS;
    let fields = fields(file, row);
    for (number, piece) in fields.iter().enumerate() {
        let is_first = number == 0;
        if let Some(record) = piece.record.as_ref().filter(|_| is_first) {
            record_ui(ui, file, columns.record, record, piece, y);
        }
        let is_last = number + 1 == fields.len();
        let room =
            columns.fields.right() - PADDING_POINTS - x - if is_last { 0.0 } else { MORE_POINTS };
        if room < MORE_POINTS && !is_first {
            more_ui(ui, columns, fields.get(number..).unwrap_or_default(), row, x, y, height);
            break;
        }
        let galley = ui.painter().layout_job(job(ui, piece, is_first, room));
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
            egui::WidgetInfo::labeled(egui::accesskit::Role::Link, true, spelled(piece))
        });
        let painter = ui.painter_at(columns.fields);
        if response.hovered() {
            let fill = ui.visuals().widgets.hovered.weak_bg_fill;
            painter.rect_filled(place.expand2(vec2(3.0, 0.0)), 2.0, fill);
            pointed = Some(piece.bytes.clone());
        }
        if columns.fields.width() > PADDING_POINTS + MORE_POINTS {
            painter.galley(place.min, galley, ui.visuals().text_color());
        }
        if response.clicked() {
            out.push(Action::Bytes(BytesAction::MoveCursor(piece.bytes.start)));
        }
        response.on_hover_ui_at_pointer(|ui| detail::hover_ui(ui, file, piece.bytes.start));
    }
    pointed
}

/// An ellipsis for fields that don't fit; its tooltip shows them.
fn more_ui(
    ui: &Ui,
    columns: &Columns,
    fields: &[DecodedField],
    row: u64,
    x: f32,
    y: f32,
    height: f32,
) {
    let place = Rect::from_min_max(pos2(x, y), pos2(columns.fields.right(), y + height));
    let place = place.intersect(columns.fields);
    let (font, color) = (FontId::proportional(FONT_POINTS), ui.visuals().weak_text_color());
    if place.width() >= MORE_POINTS {
        let painter = ui.painter_at(columns.fields);
        painter.text(pos2(x, y), egui::Align2::LEFT_TOP, "…", font, color);
    }
    let id = ui.scope_id().with(("more decoded", row));
    let lines: Vec<_> = fields.iter().map(spelled).collect();
    ui.interact(place, id, Sense::hover()).on_hover_text(lines.join("\n"));
}

/// The record at the start of a row, with its colour.
fn record_ui(
    ui: &Ui,
    file: &FileBytes<'_>,
    column: Rect,
    record: &str,
    piece: &DecodedField,
    y: f32,
) {
    let painter = ui.painter_at(column);
    let left = column.left() + PADDING_POINTS;
    if let Some(hit) = file.provenance.at(piece.bytes.start) {
        let swatch = Rect::from_min_size(pos2(left, y + 4.0), vec2(8.0, 8.0));
        painter.rect_filled(swatch, 2.0, element_color(hit.span.element));
    }
    let (font, color) = (FontId::proportional(FONT_POINTS), ui.visuals().text_color());
    let mut job = LayoutJob::simple_singleline(record.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(column.right() - left - 16.0);
    painter.galley(pos2(left + 14.0, y), painter.layout_job(job), color);
}

/// The field's name and value, preceded by the record's name if a new record starts within the row.
fn job(ui: &Ui, piece: &DecodedField, is_first: bool, room: f32) -> LayoutJob {
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
    let shown = rigscope_core::model::display_text::name(&piece.value);
    job.append(&shown, 0.0, value);
    job.wrap = TextWrapping::truncate_at_width(room);
    job
}

/// A field in one line, for screen readers.
fn spelled(piece: &DecodedField) -> String {
    let parts = [piece.record.as_deref(), piece.field, Some(piece.value.as_str())];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
