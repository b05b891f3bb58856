//! An array of records in a file, and the fields of a record.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Element, Layout};

/// An array of records in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The kind of the records.
    pub element: Element,
    /// The bytes that contain it: 0 is the main file, n is number n - 1 of
    /// [`crate::model::Model::related_bytes`].
    pub file: u16,
    /// Index of the first record among those of its element: nonzero for the later ones of several
    /// arrays that together store a mesh's vertices.
    pub first: u64,
    /// File offset of the first record, in bytes.
    pub offset: u64,
    /// Bytes from one record to the next; 0 if record lengths vary.
    pub stride: u64,
    /// Bytes per record; less than [`Self::stride`] if arrays are interleaved.
    pub len: u64,
    /// Number of records.
    pub count: u64,
    /// The fields of one record; empty if it is a single value or text.
    pub fields: Cow<'static, [Field]>,
    /// If record lengths vary: the end of each record, in bytes from [`Self::offset`].
    pub ends: Option<Arc<[u32]>>,
}

impl Span {
    /// `count` consecutive records of `stride` bytes.
    pub fn new(element: Element, offset: usize, stride: usize, count: usize) -> Self {
        Self {
            element,
            file: 0,
            first: 0,
            offset: offset as u64,
            stride: stride as u64,
            len: stride as u64,
            count: count as u64,
            fields: Cow::Borrowed(&[]),
            ends: None,
        }
    }

    /// Records of varying length; `ends` are relative to `offset` and ascend.
    #[must_use]
    pub fn varied(element: Element, offset: usize, ends: impl Into<Arc<[u32]>>) -> Self {
        let ends = ends.into();
        Self { count: ends.len() as u64, ends: Some(ends), ..Self::new(element, offset, 0, 0) }
    }

    /// Sets the fields of each record.
    #[must_use]
    pub fn with_fields(self, fields: impl Into<Cow<'static, [Field]>>) -> Self {
        Self { fields: fields.into(), ..self }
    }

    /// Sets the index of the first record.
    pub fn from_record(self, first: usize) -> Self {
        Self { first: first as u64, ..self }
    }

    /// Sets the bytes that contain it.
    #[must_use]
    pub fn in_file(self, file: u16) -> Self {
        Self { file, ..self }
    }

    /// Limits records to their first `len` bytes.
    #[must_use]
    pub fn with_len(self, len: usize) -> Self {
        Self { len: (len as u64).min(self.stride), ..self }
    }

    /// File range of the record with index `record` among those of its element.
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

    /// Index of the record at file offset `at`.
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

    /// Total size of all records in bytes.
    pub fn num_bytes(&self) -> u64 {
        match &self.ends {
            Some(ends) => ends.last().copied().map_or(0, u64::from),
            None => self.len.saturating_mul(self.count),
        }
    }
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the format's own terms.
    pub name: &'static str,
    /// Bytes from the start of the record.
    pub offset: u16,
    /// Length in bytes; 0 if it extends to the end of the record.
    pub len: u16,
    /// Type of the field.
    pub layout: Layout,
}

impl Field {
    /// A field at `offset` with the size of its layout.
    pub const fn new(name: &'static str, offset: u16, layout: Layout) -> Self {
        Self { name, offset, len: layout.num_bytes(), layout }
    }

    /// The field's range within a record of `record_bytes` bytes, truncated to the record.
    pub fn range(&self, record_bytes: u64) -> Range<u64> {
        let start = u64::from(self.offset).min(record_bytes);
        let end = match self.len {
            0 => record_bytes,
            len => start.saturating_add(u64::from(len)).min(record_bytes),
        };
        start..end
    }
}
