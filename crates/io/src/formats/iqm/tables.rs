//! Locates tables and names in a file.

use std::sync::Arc;

use super::ID;
use super::header::{IqmHeader, TableLocation};
use crate::formats::record::{Record, list};
use crate::formats::unknown_bytes::{kept, lossy, report_trailing};
use crate::formats::{Cursor, Limits, ReadError};
use rigscope_core::model::{ByteView, Element, Field, Place, Preserved, Report, Span};

/// Limit on the length of all names, as a multiple of the file size, plus [`NAME_ROOM_BYTES`]: many
/// records can refer to one long name.
const NAME_FACTOR: usize = 2;
const NAME_ROOM_BYTES: usize = 1 << 20;

pub(super) struct FileTables<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) report: &'a Report,
    whole: &'a Arc<Vec<u8>>,
    text: &'a [u8],
    text_offset: u64,
    name_bytes_left: usize,
    preserved: Vec<Preserved>,
}

impl<'a> FileTables<'a> {
    /// `file` is the part of `whole` up to its stated size.
    pub(super) fn new(
        whole: &'a Arc<Vec<u8>>,
        file: &'a [u8],
        text: TableLocation,
        limits: &Limits,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let header = Span::new(Element::Header, 0, IqmHeader::BYTES, 1);
        report.span(header.with_fields(IqmHeader::FIELDS));
        let mut tables = Self {
            cursor: Cursor::new(ID, file, limits),
            report,
            whole,
            text: &[],
            text_offset: u64::from(text.offset),
            name_bytes_left: NAME_FACTOR * file.len() + NAME_ROOM_BYTES,
            preserved: Vec::new(),
        };
        let (num, bytes) = tables.records(text, 1, "text")?;
        tables.span(Element::Text, text.offset as usize, num, 1, &[]);
        tables.text = bytes;
        Ok(tables)
    }

    /// Checks a table; returns the number and the bytes of its records. The cursor is left before
    /// them. The offset of an empty table has no meaning.
    pub(super) fn records(
        &mut self,
        table: TableLocation,
        record_bytes: usize,
        field: &'static str,
    ) -> Result<(usize, &'a [u8]), ReadError> {
        if table.num == 0 {
            return Ok((0, &[]));
        }
        self.cursor.seek(u64::from(table.offset), field)?;
        if self.cursor.offset() < IqmHeader::BYTES {
            let what = format!("{field} offset {} is in the header", table.offset);
            return Err(self.cursor.malformed(field, what));
        }
        let num = self.cursor.fit(table.num, record_bytes, field)?;
        let bytes = self.cursor.clone().take(num * record_bytes, field)?;
        Ok((num, bytes))
    }

    /// The records of a table; `element` is their kind.
    pub(super) fn list<T: Record>(
        &mut self,
        table: TableLocation,
        element: Element,
        field: &'static str,
    ) -> Result<impl ExactSizeIterator<Item = T> + use<'a, T>, ReadError> {
        let (num, bytes) = self.records(table, T::BYTES, field)?;
        self.span(element, table.offset as usize, T::BYTES, num, T::FIELDS);
        Ok(list(bytes))
    }

    /// The name at `offset` in the text table, up to its NUL.
    pub(super) fn name(&mut self, offset: u32, field: &'static str) -> Result<String, ReadError> {
        if offset == 0 && self.text.is_empty() {
            return Ok(String::new());
        }
        let Some(rest) = self.text.get(offset as usize..).filter(|r| !r.is_empty()) else {
            let what = format!("{field} at {offset} is past the text of {}", self.text.len());
            return Err(self.cursor.malformed(field, what));
        };
        let bytes = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        match self.name_bytes_left.checked_sub(bytes.len()) {
            Some(left) => self.name_bytes_left = left,
            None => {
                let what = "the names are far longer than the file in total".to_owned();
                return Err(self.cursor.over_limit(field, what));
            }
        }
        let place = Place::Offset(self.text_offset + u64::from(offset));
        Ok(lossy(bytes, place, field, self.report))
    }

    /// Records the byte range of an array.
    pub(super) fn span(
        &self,
        element: Element,
        offset: usize,
        stride: usize,
        count: usize,
        fields: &'static [Field],
    ) {
        let span = Span::new(element, offset, stride, count);
        self.report.span(span.with_fields(fields));
    }

    /// Preserves `len` bytes of the file from `start` on.
    pub(super) fn keep(&mut self, what: &'static str, start: usize, len: usize) {
        let range = start..start.saturating_add(len);
        self.preserved.extend(kept(ID, what, self.whole, range));
    }

    /// Preserves bytes derived from the file's.
    pub(super) fn keep_made(&mut self, what: &'static str, bytes: Vec<u8>) {
        self.preserved.push(Preserved { format: ID, what, bytes: ByteView::whole(bytes) });
    }

    /// Preserves and reports the bytes after the file's stated size; returns everything preserved.
    pub(super) fn finish(mut self, file_bytes: usize) -> Vec<Preserved> {
        let left = self.whole.len() - file_bytes;
        report_trailing(file_bytes, left, "the stated file size", self.report);
        self.keep("trailing", file_bytes, left);
        self.preserved
    }
}
