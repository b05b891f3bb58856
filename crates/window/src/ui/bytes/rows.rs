//! Rows of bytes: offset, hexadecimal, text, and the decoded columns.

use std::ops::Range;

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::columns::{self, Columns};
use super::style::{FONT_POINTS, ROW_BYTES, element_color};
use super::{bar, detail};
use crate::ui::theme;
use rigscope_core::model::Hit;
use rigscope_state::{Action, AppState, ByteMatches, BytesAction, FileBytes};

const ROW_POINTS: f32 = 17.0;
const BAR_POINTS: f32 = 26.0;
/// Rows shown above the target of a jump.
const ROWS_ABOVE: f64 = 3.0;

/// Shows the rows starting at `first_row`, and the bar. Scrolls to `target` if it isn't visible.
pub(super) fn rows_ui(
    ui: &mut Ui,
    state: &AppState,
    file: &FileBytes<'_>,
    selected: &[Range<u64>],
    first_row: &mut f64,
    target: Option<u64>,
    out: &mut Vec<Action>,
) {
    let size = ui.available_size().max(vec2(60.0, ROW_POINTS));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, "Bytes"));
    let num_rows = file.content.len().div_ceil(ROW_BYTES);
    let num_seen = f64::from(rect.height() / ROW_POINTS);
    if let Some(at) = target {
        let row = (at / ROW_BYTES) as f64;
        if row < *first_row || row + 1.0 > *first_row + num_seen {
            *first_row = row - ROWS_ABOVE;
        }
    }
    if response.contains_pointer() {
        let scrolled = ui.input(|input| input.smooth_scroll_delta.y);
        *first_row -= f64::from(scrolled / ROW_POINTS);
    }
    let (cells, bar_rect) = rect.split_left_right_at_x(rect.right() - BAR_POINTS);
    bar::bar_ui(ui, file, selected, bar_rect, num_seen, first_row);
    *first_row = first_row.clamp(0.0, (num_rows as f64 - num_seen + 1.0).max(0.0));

    let grid = Grid::of(ui, cells, *first_row);
    let widths = state.settings.bytes_columns;
    // Text formats have no fields.
    let says_more = file.provenance.spans.iter().any(|span| !span.fields.is_empty());
    let columns = Columns::of(cells, grid.digit, says_more, widths);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
    let (first, num) = (*first_row as u64, num_seen as u64 + 2);
    let rows = first..(first + num).min(num_rows);
    let mut pointed_field = None;
    for row in rows.clone() {
        let y = grid.row_y(row);
        let pointed = columns::row_ui(ui, file, &columns, row, y, ROW_POINTS, out);
        pointed_field = pointed.or(pointed_field);
    }
    let painter = ui.painter_at(columns.bytes);
    let highlights = RowHighlights {
        cursor: state.tab.view.bytes.cursor,
        failing: file.failure.and_then(|failure| failure.bytes.clone()),
        selected,
        pointed: pointed_field,
        found: state.tab.view.byte_search.found.get().map(|found| &**found),
        accent: theme::accent(ui.visuals()),
        error: ui.visuals().error_fg_color,
        weak: ui.visuals().weak_text_color(),
        text: ui.visuals().text_color(),
        is_dark: ui.visuals().dark_mode,
    };
    for row in rows {
        row_ui(&painter, file, &grid, &highlights, row);
    }
    columns::grips_ui(ui, &columns, widths, out);
    let pointer = response.hover_pos().filter(|at| columns.bytes.contains(*at));
    let pointed = pointer.and_then(|at| grid.byte_at(at));
    let pointed = pointed.filter(|at| *at < file.content.len());
    if let Some(at) = pointed {
        if response.clicked() {
            out.push(Action::Bytes(BytesAction::MoveCursor(at)));
        }
        response.on_hover_ui_at_pointer(|ui| detail::hover_ui(ui, file, at));
    }
}

/// Layout of the cells.
struct Grid {
    rect: Rect,
    first_row: f64,
    digit: f32,
    font: FontId,
}

impl Grid {
    fn of(ui: &Ui, rect: Rect, first_row: f64) -> Self {
        let font = FontId::monospace(FONT_POINTS);
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        Self { rect, first_row, digit, font }
    }

    fn row_y(&self, row: u64) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "rows that are seen are near")]
        let below = (row as f64 - self.first_row) as f32;
        self.rect.top() + below * ROW_POINTS
    }

    /// The hexadecimal cell of a byte.
    fn cell(&self, row: u64, column: u64) -> Rect {
        // A gap in the middle makes counting easier.
        let gap = if column >= 8 { self.digit } else { 0.0 };
        let x = self.rect.left() + self.digit * (10.0 + 3.0 * column as f32) + gap;
        let width = self.digit * 3.0;
        Rect::from_min_size(pos2(x, self.row_y(row)), vec2(width, ROW_POINTS))
    }

    /// The character cell of a byte.
    fn letter(&self, row: u64, column: u64) -> Rect {
        let x = self.rect.left() + self.digit * (60.5 + column as f32);
        Rect::from_min_size(pos2(x, self.row_y(row)), vec2(self.digit, ROW_POINTS))
    }

    /// The byte at a screen position.
    fn byte_at(&self, at: Pos2) -> Option<u64> {
        let row = f64::from((at.y - self.rect.top()) / ROW_POINTS) + self.first_row;
        if row < 0.0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        let row = row as u64;
        let mut columns = 0..ROW_BYTES;
        let column = columns.find(|&column| {
            self.cell(row, column).contains(at) || self.letter(row, column).contains(at)
        })?;
        Some(row * ROW_BYTES + column)
    }
}

/// Highlights and colours of rows.
struct RowHighlights<'a> {
    cursor: Option<u64>,
    failing: Option<Range<u64>>,
    selected: &'a [Range<u64>],
    /// The bytes of the hovered field.
    pointed: Option<Range<u64>>,
    found: Option<&'a ByteMatches>,
    accent: Color32,
    error: Color32,
    weak: Color32,
    text: Color32,
    is_dark: bool,
}

fn row_ui(
    painter: &Painter,
    file: &FileBytes<'_>,
    grid: &Grid,
    highlights: &RowHighlights<'_>,
    row: u64,
) {
    let start = row * ROW_BYTES;
    let text = |at: Pos2, text: String, color| {
        painter.text(at, Align2::LEFT_TOP, text, grid.font.clone(), color);
    };
    text(pos2(grid.rect.left(), grid.row_y(row)), format!("{start:08x}"), highlights.weak);
    let end = file.content.len().min(start + ROW_BYTES);
    let Ok(bytes) = file.content.part(start..end) else { return };
    for (column, &byte) in (0..ROW_BYTES).zip(bytes.iter()) {
        let at = start + column;
        let (cell, letter) = (grid.cell(row, column), grid.letter(row, column));
        let is_failing = highlights.failing.as_ref().is_some_and(|range| range.contains(&at));
        let fill = match file.provenance.at(at) {
            _ if is_failing => Some(highlights.error.gamma_multiply(0.45)),
            Some(hit) => Some(fill(&hit, highlights.is_dark)),
            None => None,
        };
        if let Some(fill) = fill {
            painter.rect_filled(cell, 0.0, fill);
            painter.rect_filled(letter, 0.0, fill);
        }
        let is_pointed = highlights.pointed.as_ref().is_some_and(|range| range.contains(&at));
        if is_pointed || highlights.found.is_some_and(|found| found.contains(at)) {
            let strong = highlights.accent.gamma_multiply(if is_pointed { 0.35 } else { 0.55 });
            painter.rect_filled(cell, 0.0, strong);
            painter.rect_filled(letter, 0.0, strong);
        }
        let inset = vec2(grid.digit * 0.5, 1.0);
        text(cell.min + inset, format!("{byte:02x}"), highlights.text);
        let shown = match byte {
            0x20..=0x7e => char::from(byte),
            _ => '·',
        };
        text(letter.min + vec2(0.0, 1.0), shown.to_string(), highlights.text);
        if highlights.selected.iter().any(|range| range.contains(&at)) {
            let stroke = Stroke::new(2.0, highlights.accent);
            painter.hline(cell.x_range(), cell.bottom() - 1.0, stroke);
            painter.hline(letter.x_range(), letter.bottom() - 1.0, stroke);
        }
        if highlights.cursor == Some(at) {
            let stroke = Stroke::new(1.5, highlights.accent);
            painter.rect_stroke(cell, 2.0, stroke, StrokeKind::Inside);
            painter.rect_stroke(letter, 2.0, stroke, StrokeKind::Outside);
        }
    }
}

/// Each element has a colour; adjacent records alternate in brightness.
fn fill(hit: &Hit<'_>, is_dark: bool) -> Color32 {
    let color = element_color(hit.span.element);
    let shades = if is_dark { [0.34, 0.22] } else { [0.42, 0.26] };
    let is_odd = hit.record % 2 == 1;
    color.gamma_multiply(shades[usize::from(is_odd)])
}
