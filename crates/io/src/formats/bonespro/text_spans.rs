//! Spans of text records, including those read before an error.

use crate::formats::ReadError;
use crate::formats::text::TextCursor;
use rigscope_core::model::{Element, Report, Span, as_u32};

/// Consecutive records of different lengths.
pub(super) struct TextSpans<'a> {
    report: &'a Report,
    element: Element,
    start: usize,
    ends: Vec<u32>,
}

impl<'a> TextSpans<'a> {
    /// Starts a span of records of `element` at the end of the current line.
    pub(super) fn begin(cursor: &TextCursor<'_>, element: Element, report: &'a Report) -> Self {
        Self { report, element, start: cursor.line_end_offset(), ends: Vec::new() }
    }

    pub(super) fn record<T>(
        &mut self,
        cursor: &mut TextCursor<'_>,
        read: impl FnOnce(&mut TextCursor<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let value = read(cursor)?;
        if self.report.takes_spans() {
            let len = cursor.line_end_offset().saturating_sub(self.start);
            self.ends.push(as_u32(len));
        }
        Ok(value)
    }
}

impl Drop for TextSpans<'_> {
    fn drop(&mut self) {
        let ends = std::mem::take(&mut self.ends);
        self.report.span(Span::varied(self.element, self.start, ends));
    }
}

/// Reports the text up to the current line as the head.
pub(super) fn report_head(cursor: &TextCursor<'_>, report: &Report) {
    let len = cursor.line_end_offset();
    report.span(Span::new(Element::Header, 0, len, 1));
}
