//! One array of records in a file, and the fields of one record.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Element, Layout};

/// One array of records in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// What the records are.
    pub element: Element,
    /// Number of the first record among the element's: an array of several that hold one mesh's
    /// vertices begins with a later one.
    pub first: u64,
    /// File offset of the first record, in bytes.
    pub offset: u64,
    /// Bytes from one record to the next; 0 where records are of different lengths.
    pub stride: u64,
    /// Bytes of a record; fewer than [`Self::stride`] where other arrays lie in between.
    pub len: u64,
    /// Number of records.
    pub count: u64,
    /// The fields of one record; empty where it is one value or text.
    pub fields: Cow<'static, [Field]>,
    /// Where records are of different lengths: the end of each, in bytes from [`Self::offset`].
    pub ends: Option<Arc<[u32]>>,
}

impl Span {
    /// `count` records of `stride` bytes, one behind the other.
    pub fn new(element: Element, offset: usize, stride: usize, count: usize) -> Self {
        Self {
            element,
            first: 0,
            offset: offset as u64,
            stride: stride as u64,
            len: stride as u64,
            count: count as u64,
            fields: Cow::Borrowed(&[]),
            ends: None,
        }
    }

    /// Records of different lengths; `ends` are counted from `offset` and ascend.
    #[must_use]
    pub fn varied(element: Element, offset: usize, ends: impl Into<Arc<[u32]>>) -> Self {
        let ends = ends.into();
        Self { count: ends.len() as u64, ends: Some(ends), ..Self::new(element, offset, 0, 0) }
    }

    /// With these fields in each record.
    #[must_use]
    pub fn with_fields(self, fields: impl Into<Cow<'static, [Field]>>) -> Self {
        Self { fields: fields.into(), ..self }
    }

    /// Whose first record has the number `first`.
    pub fn from_record(self, first: usize) -> Self {
        Self { first: first as u64, ..self }
    }

    /// Of whose records only the first `len` bytes count.
    #[must_use]
    pub fn with_len(self, len: usize) -> Self {
        Self { len: (len as u64).min(self.stride), ..self }
    }

    /// The bytes of the record that has the number `record` among the element's, as a file range.
    pub fn record(&self, record: u64) -> Option<Range<u64>> {
        let index = record.checked_sub(self.first)?;
        if index >= self.count {
            return None;
        }
        let Some(ends) = &self.ends else {
            let start = self.offset + index * self.stride;
            return Some(start..start + self.len);
        };
        let index = usize::try_from(index).ok()?;
        let before = index.checked_sub(1).and_then(|at| ends.get(at));
        let start = before.copied().unwrap_or(0);
        let end = *ends.get(index)?;
        (start <= end).then(|| self.offset + u64::from(start)..self.offset + u64::from(end))
    }

    /// The number of the record that file offset `at` lies in.
    pub fn record_at(&self, at: u64) -> Option<u64> {
        let inside = at.checked_sub(self.offset)?;
        let index = match &self.ends {
            Some(ends) => ends.partition_point(|&end| u64::from(end) <= inside) as u64,
            None => inside.checked_div(self.stride)?,
        };
        let record = self.first + index;
        self.record(record)?.contains(&at).then_some(record)
    }

    /// The file range from the first to the last record.
    pub fn range(&self) -> Range<u64> {
        let last = match (&self.ends, self.count.checked_sub(1)) {
            (_, None) => 0,
            (Some(ends), Some(_)) => ends.last().copied().map_or(0, u64::from),
            (None, Some(before)) => before.saturating_mul(self.stride).saturating_add(self.len),
        };
        self.offset..self.offset.saturating_add(last)
    }

    /// Bytes of all records.
    pub fn num_bytes(&self) -> u64 {
        match &self.ends {
            Some(ends) => ends.last().copied().map_or(0, u64::from),
            None => self.len.saturating_mul(self.count),
        }
    }
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in the format's own words.
    pub name: &'static str,
    /// Bytes from the start of the record.
    pub offset: u16,
    /// Length in bytes; 0 for all that is left of the record.
    pub len: u16,
    /// Its type.
    pub layout: Layout,
}

impl Field {
    /// A field at `offset`, as long as its layout says.
    pub const fn new(name: &'static str, offset: u16, layout: Layout) -> Self {
        Self { name, offset, len: layout.num_bytes(), layout }
    }

    /// The field's bytes in a record of `record_bytes`; cut off at the record's end.
    pub fn range(&self, record_bytes: u64) -> Range<u64> {
        let start = u64::from(self.offset).min(record_bytes);
        let end = match self.len {
            0 => record_bytes,
            len => start.saturating_add(u64::from(len)).min(record_bytes),
        };
        start..end
    }
}
