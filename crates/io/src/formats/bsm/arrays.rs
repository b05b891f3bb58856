//! Locates the arrays described by the header: checks that they are inside the file and behind the header,
//! and finds overlaps.

use std::ops::Range;

use std::sync::Arc;

use super::ID;
use super::layout::{
    ArrayInfo, Header, INDEX_BYTES, KEPT_ARRAYS, KEPT_HEADER, MATERIAL_AT, MATERIAL_BYTES,
    MATERIAL_FIELDS, array, at,
};
use crate::formats::record::Record;
use crate::formats::unknown_bytes::{kept, report_trailing};
use crate::formats::{Cursor, ReadError};
use rigscope_core::model::{Element, FindingKind, Place, Preserved, Report, Span};

/// Arrays that a model doesn't represent exactly: v is flipped, names may not be valid text, hulls may share
/// vertices.
const INEXACT: [&str; 4] =
    [array::UVS.name, array::MESHES.name, array::POINTS.name, array::HULLS.name];

/// The arrays of a file located so far.
pub(super) struct Arrays<'a> {
    cursor: Cursor<'a>,
    report: &'a Report,
    found: Vec<(Range<usize>, &'static str)>,
}

impl<'a> Arrays<'a> {
    /// No arrays yet; `cursor` spans the whole file, which is at least as long as the header.
    pub(super) fn new(cursor: Cursor<'a>, report: &'a Report) -> Self {
        report.span(Span::new(Element::Header, 0, Header::BYTES, 1).with_fields(Header::FIELDS));
        Self { cursor, report, found: Vec::new() }
    }

    /// The cursor, for errors and allocations.
    pub(super) fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }

    /// The record count of an array and its bytes. The offset of an array without records is ignored:
    /// exporters write 0.
    pub(super) fn find(&mut self, info: &ArrayInfo) -> Result<(usize, &'a [u8]), ReadError> {
        let num = self.not_negative(info.count)?;
        if num == 0 {
            return Ok((0, &[]));
        }
        let offset = self.not_negative(info.name)?;
        if (offset as usize) < Header::BYTES {
            let what = format!("{} at {offset} is in the header", info.name);
            return Err(self.cursor.malformed_value(what));
        }
        self.cursor.seek(u64::from(offset), info.name)?;
        let num = self.cursor.fit(num, info.record_bytes, info.count)?;
        let start = self.cursor.offset();
        let bytes = self.cursor.take(num * info.record_bytes, info.name)?;
        self.found.push((start..start + bytes.len(), info.name));
        let of = |element, stride, num| {
            self.report.span(Span::new(element, start, stride, num).with_fields(info.fields));
        };
        match info.element {
            // A triangle is three indices.
            Element::Index { .. } | Element::OccluderIndex => {
                of(info.element, INDEX_BYTES, bytes.len() / INDEX_BYTES);
            }
            // Ranges and material names are separate spans, because they have different numbering.
            Element::Subset { .. } => {
                let span =
                    |element, at: usize| Span::new(element, start + at, info.record_bytes, num);
                let ranges = span(info.element, 0).with_len(MATERIAL_AT);
                self.report.span(ranges.with_fields(info.fields));
                let names = span(Element::MaterialName, MATERIAL_AT).with_len(MATERIAL_BYTES);
                self.report.span(names.with_fields(MATERIAL_FIELDS));
            }
            element => of(element, info.record_bytes, num),
        }
        Ok((num, bytes))
    }

    fn not_negative(&mut self, field: &'static str) -> Result<u32, ReadError> {
        self.cursor.seek(at(field), field)?;
        let stored = self.cursor.i32_le(field)?;
        u32::try_from(stored)
            .map_err(|_| self.cursor.malformed_value(format!("{field} {stored} is negative")))
    }

    /// Reports arrays that share bytes, and returns the bytes outside arrays before the first and after the
    /// last one.
    pub(super) fn finish(mut self, file: &Arc<Vec<u8>>) -> Vec<Preserved> {
        self.found.sort_by_key(|(range, _)| (range.start, range.end));
        let mut end = 0;
        let mut last = "";
        for (range, name) in &self.found {
            let place = Place::Offset(range.start as u64);
            let is_shared = u64::from(range.start < end);
            self.report.add_many(FindingKind::OverlappingArrays, place, is_shared, || {
                format!("the {name} begins before the end of the {last}")
            });
            if range.end > end {
                (end, last) = (range.end, name);
            }
        }
        let num_bytes = file.len();
        // A file without any array may still have an extension header.
        let first = self.found.first().map_or(num_bytes, |(range, _)| range.start);
        let end = end.max(first);
        let mut preserved = Vec::new();
        let mut keep = |what, range: Range<usize>| {
            preserved.extend(kept(ID, what, file, range));
        };
        keep(KEPT_HEADER, 0..Header::BYTES);
        keep("extension header", Header::BYTES..first);
        keep(KEPT_ARRAYS, first..end);
        keep("trailing", end..num_bytes);
        for (range, name) in &self.found {
            if INEXACT.contains(name) {
                keep(name, range.clone());
            }
        }
        self.report.span(Span::new(Element::Extension, Header::BYTES, first - Header::BYTES, 1));
        report_trailing(end, num_bytes - end, "the last array", self.report);
        preserved
    }
}
