//! Where accessors lie in the file, usage before they are read.
//!
//! Only buffer 0 of a `.glb` is in the file itself: what lies in a `data:` URI or a file beside has
//! no span. Compressed views are usage of whole, as no byte of theirs is one record's.

use super::accessor::Integers;
use super::asset::Asset;
use rigscope_core::model::{Element, Field, Span};

/// What an accessor holds.
#[derive(Clone, Copy)]
pub(super) struct AccessorUse {
    pub(super) element: Element,
    /// Number of its first value among the element's.
    pub(super) first: usize,
    /// Accessor's elements that are one record: a key of three values.
    pub(super) per_record: usize,
    pub(super) name: &'static str,
    pub(super) integers: Integers,
}

impl Asset<'_> {
    /// Tells where accessor `index` lies; nothing where that is not in the file.
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
        let (start, len) = self.place_of_view(view)?;
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
            // Values that lie apart are a record each.
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
        Some(span.with_fields(vec![field]))
    }

    /// Tells that view `index` is one record of `element`.
    pub(super) fn add_view_span(&mut self, index: usize, element: Element) {
        if let Some((start, len)) = self.place_of_view(index) {
            self.report.span(Span::new(element, start, len, 1));
        }
    }
}
