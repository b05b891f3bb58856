//! Reports the spans of lists while they are read.
//!
//! Bytes before the first list are the header. A list nested in the records of another one is only reported
//! if its records are elements, like the bones of a skeleton.

use super::fields::Fields;
use super::rows::Rows;
use crate::formats::record::fields;
use rigscope_core::model::{Element, Field, Report, Scalar, Span};

const COUNT_FIELDS: &[Field] = &fields([("count", Scalar::I32.one())]);

#[derive(Default)]
pub(super) struct RowSpans {
    /// End of the bytes reported so far.
    reported: usize,
    /// Lists reported so far; a second list of the same kind belongs to an object that isn't shown.
    known: Vec<&'static str>,
}

/// A list being read.
pub(super) struct Ends {
    start: usize,
    /// The end of each record, relative to `start`.
    ends: Vec<u32>,
    is_binary: bool,
    is_first: bool,
}

impl Ends {
    /// Adds a record that ends at `offset`.
    pub(super) fn end(&mut self, offset: Option<usize>) {
        let len = offset.and_then(|offset| offset.checked_sub(self.start));
        let len = len.and_then(|len| u32::try_from(len).ok());
        self.ends.extend(len);
    }
}

impl RowSpans {
    /// Reports the bytes before a count of records at `count_at`.
    pub(super) fn head(&mut self, rows: &Rows, count_at: Option<usize>, report: &Report) {
        let (Some(_), Some(count_at)) = (rows.element, count_at) else { return };
        let head = match self.reported {
            0 => Element::Header,
            _ => Element::ChunkHeader,
        };
        let len = count_at.saturating_sub(self.reported);
        report.span(Span::new(head, self.reported, len, 1));
        self.reported = self.reported.max(count_at);
    }

    /// Starts a list whose count is at `count_at`; `None` if spans aren't collected.
    pub(super) fn begin<F: Fields>(
        &mut self,
        rows: &Rows,
        count_at: Option<usize>,
        fields: &F,
        report: &Report,
    ) -> Option<Ends> {
        rows.element.filter(|_| report.takes_spans())?;
        let (count_at, start) = (count_at?, fields.offset()?);
        let count = Span::new(Element::Count, count_at, start.saturating_sub(count_at), 1);
        report.span(count.with_fields(if F::IS_BINARY { COUNT_FIELDS } else { &[] }));
        self.reported = start;
        let is_first = !self.known.contains(&rows.field);
        if is_first {
            self.known.push(rows.field);
        }
        Some(Ends { start, ends: Vec::new(), is_binary: F::IS_BINARY, is_first })
    }

    /// Reports the list, also if it's incomplete.
    pub(super) fn end(&mut self, rows: &Rows, mut list: Ends, report: &Report) {
        let Some(element) = rows.element else { return };
        // Nested lists have been reported separately.
        let len = list.ends.last().map_or(0, |&end| end as usize);
        let is_nested = self.reported > list.start;
        self.reported = self.reported.max(list.start + len);
        if is_nested {
            return;
        }
        let element = if list.is_first { element } else { Element::Unread };
        let (at, then) = match rows.then {
            Some((at, then)) if at < list.ends.len() => (at, then),
            _ => (list.ends.len(), element),
        };
        let base = at.checked_sub(1).and_then(|last| list.ends.get(last)).copied();
        let base = base.unwrap_or(0);
        let mut rest = list.ends.split_off(at);
        rest.iter_mut().for_each(|end| *end = end.saturating_sub(base));
        for (element, start, ends) in
            [(element, list.start, list.ends), (then, list.start + base as usize, rest)]
        {
            let len = ends.last().map_or(0, |&end| end as usize);
            let stride = len.checked_div(ends.len()).unwrap_or(0);
            let span = if list.is_binary && !rows.fields.is_empty() && !has_text(rows.fields) {
                Span::new(element, start, stride, ends.len())
            } else {
                Span::varied(element, start, ends)
            };
            let fields = if list.is_binary { rows.fields } else { &[] };
            report.span(span.with_fields(fields));
        }
    }

    /// Reports the rest of a file of `len` bytes that was read up to `offset`.
    pub(super) fn trailing(&self, len: usize, offset: Option<usize>, report: &Report) {
        let Some(offset) = offset else { return };
        let before = offset.saturating_sub(self.reported);
        report.span(Span::new(Element::Unread, self.reported, before, 1));
        report.span(Span::new(Element::Trailing, offset, len.saturating_sub(offset), 1));
    }
}

/// Whether records with these fields have different lengths.
fn has_text(fields: &[Field]) -> bool {
    fields.iter().any(|field| field.len == 0)
}
