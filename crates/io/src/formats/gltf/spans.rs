//! Byte ranges of accessors, recorded before they are read.
//!
//! Only buffer 0 of a `.glb` is in the file itself; the spans of a separate file or a decoded `data:` URI state its
//! number. A compressed view gets one span, since none of its bytes belongs to a single record.

use super::accessor::Integers;
use super::asset::Asset;
use super::buffers::FilePlace;
use rigscope_core::model::{Element, Field, Span};

/// How an accessor's values are used.
#[derive(Clone, Copy)]
pub(super) struct AccessorUse {
    pub(super) element: Element,
    /// Index of its first value among the element's records.
    pub(super) first: usize,
    /// Accessor elements per record: 3 for a key of three values.
    pub(super) per_record: usize,
    pub(super) name: &'static str,
    pub(super) integers: Integers,
}

impl FilePlace {
    /// The place as one record.
    pub(super) fn span(self, element: Element) -> Span {
        Span::new(element, self.start, self.len, 1).in_file(self.file)
    }
}

impl Asset<'_> {
    /// Records the range of accessor `index`, if a file contains it.
    pub(super) fn add_span(&mut self, index: usize, usage: AccessorUse) {
        if !self.report.takes_spans() {
            return;
        }
        if let Some(span) = self.span_of(index, usage) {
            self.report.span(span);
        }
    }

    fn span_of(&mut self, index: usize, usage: AccessorUse) -> Option<Span> {
        let accessor = self.root.accessors.get(index)?;
        let values = self.values_of(index, usage.integers)?;
        let view = accessor.buffer_view?.value();
        let FilePlace { file, start, len } = self.place_of_view(view)?;
        let stored = self.root.buffer_views.get(view)?;
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        let offset = usize::try_from(offset).ok()?;
        let stride = stored.byte_stride.map_or(0, |stride| stride.0);
        let stride = if stride == 0 { values.num_bytes } else { stride };
        let last = values.count.checked_sub(1)?.checked_mul(stride)?;
        let end = offset.checked_add(last)?.checked_add(values.num_bytes)?;
        if end > len || stride < values.num_bytes {
            return None;
        }
        let (stride, num) = match usage.per_record {
            // Values with gaps between them are a record each.
            1.. if stride == values.num_bytes => {
                (stride * usage.per_record, values.count / usage.per_record)
            }
            _ => (stride, values.count),
        };
        let per_record = (stride / values.num_bytes.max(1)).min(usage.per_record.max(1));
        let num_bytes = values.num_bytes * per_record;
        let count = u16::try_from(values.num_components * per_record).unwrap_or(u16::MAX);
        let field = Field::new(usage.name, 0, values.scalar.times(count));
        let span = Span::new(usage.element, start + offset, stride, num);
        let span = span.from_record(usage.first).with_len(num_bytes);
        Some(span.with_fields(vec![field]).in_file(file))
    }

    /// Records view `index` as one record of `element`.
    pub(super) fn add_view_span(&mut self, index: usize, element: Element) {
        if let Some(place) = self.place_of_view(index) {
            self.report.span(place.span(element));
        }
    }
}
