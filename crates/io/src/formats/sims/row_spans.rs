//! Where the lists of a file lie in it, reported while they are read.
//!
//! What comes before the first list is the header. Lists inside the records of another list are reported
//! of where they are elements of their own, as the bones of a skeleton are.

use super::fields::Fields;
use super::rows::Rows;
use crate::formats::record::fields;
use rigscope_core::model::{Element, Field, Report, Scalar, Span};

const COUNT_FIELDS: &[Field] = &fields([("count", Scalar::I32.one())]);

/// What has been reported.
#[derive(Default)]
pub(super) struct RowSpans {
    /// Where the bytes end that have been reported.
    reported: usize,
    /// Lists that have been reported; another one of the same is of things that are not shown.
    known: Vec<&'static str>,
}

/// A list being read.
pub(super) struct Ends {
    start: usize,
    /// The end of each record, from `start`.
    ends: Vec<u32>,
    is_binary: bool,
    is_first: bool,
}

impl Ends {
    /// A record ends at `offset`.
    pub(super) fn end(&mut self, offset: Option<usize>) {
        let len = offset.and_then(|offset| offset.checked_sub(self.start));
        let len = len.and_then(|len| u32::try_from(len).ok());
        self.ends.extend(len);
    }
}

impl RowSpans {
    /// A count of records comes at `count_at`: what is before it is read.
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

    /// A list begins whose count stood at `count_at`; nothing where nobody wants to know.
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

    /// The list, or what there was of it, ends.
    pub(super) fn end(&mut self, rows: &Rows, mut list: Ends, report: &Report) {
        let Some(element) = rows.element else { return };
        // Lists inside the records have been reported by themselves.
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
            let span = match list.is_binary && !rows.fields.is_empty() && !has_text(rows.fields) {
                true => Span::new(element, start, stride, ends.len()),
                false => Span::varied(element, start, ends),
            };
            let fields = if list.is_binary { rows.fields } else { &[] };
            report.span(span.with_fields(fields));
        }
    }

    /// The file is read up to `offset` of `len` bytes.
    pub(super) fn trailing(&self, len: usize, offset: Option<usize>, report: &Report) {
        let Some(offset) = offset else { return };
        let before = offset.saturating_sub(self.reported);
        report.span(Span::new(Element::Unread, self.reported, before, 1));
        report.span(Span::new(Element::Trailing, offset, len.saturating_sub(offset), 1));
    }
}

/// Whether records of these fields are of different lengths.
fn has_text(fields: &[Field]) -> bool {
    fields.iter().any(|field| field.len == 0)
}
