//! All spans of a file, with lookup in both directions: byte to record, and record to bytes.

use std::ops::Range;

use super::{Element, Field, Span};
use crate::model::Place;

/// All spans of a file, in file order.
///
/// Invariant: no byte belongs to two of [`Self::spans`]. Interleaved vertex arrays are spans with
/// the same stride and different offsets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// Spans that don't overlap, sorted by offset.
    pub spans: Vec<Span>,
    /// Spans whose bytes already belong to one of [`Self::spans`], such as two meshes with the same
    /// vertices. Byte lookups never return them; record lookups do.
    pub shared: Vec<Span>,
    /// Whether spans are missing because the file has too many. Then other arrays may be stored in any byte.
    pub is_partial: bool,
    /// The largest end of all spans up to each one, for searching.
    ends: Vec<u64>,
}

/// The spans of a file of which none are known.
pub static NO_SPANS: Provenance =
    Provenance { spans: Vec::new(), shared: Vec::new(), is_partial: false, ends: Vec::new() };

/// The record and field at a byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The array that contains the byte.
    pub span: &'a Span,
    /// Index of the record among those of its element.
    pub record: u64,
    /// File range of the record.
    pub record_bytes: Range<u64>,
    /// The field that contains the byte, if the record has one there.
    pub field: Option<&'a Field>,
    /// File range of the field, or of the record if it has no field there.
    pub field_bytes: Range<u64>,
}

/// Most spans that are examined as possibly interleaved around a byte: far more than a vertex has
/// attributes.
const MAX_INTERLEAVED: usize = 64;

impl Provenance {
    /// Sorts spans into file order. Empty spans are dropped; spans that overlap an earlier one (or,
    /// at the same offset, one that was reported before) are stored as shared.
    pub fn from_spans(mut spans: Vec<Span>) -> Self {
        spans.retain(|span| span.num_bytes() > 0);
        spans.sort_by_key(|span| span.offset);
        let mut map = Self::default();
        for span in spans {
            map.place(span);
        }
        map
    }

    fn place(&mut self, span: Span) {
        let mut num_around = 0;
        let is_apart = self.around(span.offset).all(|other| {
            num_around += 1;
            are_apart(other, &span)
        });
        if !is_apart || num_around >= MAX_INTERLEAVED {
            self.shared.push(span);
            return;
        }
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.push(end.max(span.range().end));
        self.spans.push(span);
    }

    /// Spans that start at or before `at` and end after it, later ones first.
    fn around(&self, at: u64) -> impl Iterator<Item = &Span> {
        let next = self.spans.partition_point(|span| span.offset <= at);
        let known = self.spans.iter().zip(&self.ends).take(next).rev();
        known
            .take_while(move |(_, end)| **end > at)
            .map(|(span, _)| span)
            .filter(move |span| span.range().end > at)
            .take(MAX_INTERLEAVED)
    }

    /// Adds a span that starts after all others, such as unread bytes at the end.
    pub fn push(&mut self, span: Span) {
        if span.num_bytes() > 0 && self.end() <= span.offset {
            self.place(span);
        }
    }

    /// End of the last span, as a file offset.
    pub fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The span of `element`, if the file has one.
    pub fn find(&self, element: Element) -> Option<&Span> {
        self.all(element).next()
    }

    /// All spans of `element` in file order, shared ones last; several if the attributes are in
    /// separate arrays.
    pub fn all(&self, element: Element) -> impl Iterator<Item = &Span> {
        let all = self.spans.iter().chain(&self.shared);
        all.filter(move |span| span.element == element)
    }

    /// The record and field at file offset `at`.
    pub fn at(&self, at: u64) -> Option<Hit<'_>> {
        let mut around = self.around(at);
        let (span, record) = around.find_map(|span| Some((span, span.record_at(at)?)))?;
        let record_bytes = span.record(record)?;
        let in_file = |field: &Field| {
            let range = field.range(record_bytes.end - record_bytes.start);
            record_bytes.start + range.start..record_bytes.start + range.end
        };
        let field = span.fields.iter().find(|field| in_file(field).contains(&at));
        Some(Hit {
            span,
            record,
            field,
            field_bytes: field.map_or_else(|| record_bytes.clone(), in_file),
            record_bytes,
        })
    }

    /// The bytes of record `record` of `element`, one range per array that contains it, in file
    /// order. If `element` is the subject of other elements, as a bone is, their records are
    /// included.
    pub fn of(&self, element: Element, record: u64) -> Vec<Range<u64>> {
        let all = self.spans.iter().chain(&self.shared);
        let spans = all.filter(|span| span.element == element || span.element.subject() == element);
        let mut ranges: Vec<_> = spans.filter_map(|span| span.record(record)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        ranges
    }

    /// The bytes that a finding refers to; empty if it isn't about a part of the file.
    pub fn of_place(&self, place: Place) -> Vec<Range<u64>> {
        match place {
            Place::Offset(at) => self.at(at).map(|hit| hit.record_bytes).into_iter().collect(),
            Place::Vertex { mesh, vertex } => self.of(Element::Vertex { mesh }, vertex.into()),
            Place::Subset { mesh, subset } => self.of(Element::Subset { mesh }, subset.into()),
            Place::Triangle { mesh, triangle } => {
                let first = u64::from(triangle) * 3;
                let corners = (first..first + 3).map(|at| self.of(Element::Index { mesh }, at));
                corners.flatten().collect()
            }
            Place::Bone(bone) => self.of(Element::Bone, bone.into()),
            Place::Material(material) => self.of(Element::MaterialName, material.into()),
            Place::Clip(clip) | Place::Key { clip, .. } | Place::Moment { clip, .. } => {
                self.of(Element::ClipHeader { clip }, 0)
            }
            Place::File | Place::Line { .. } | Place::Mesh(_) => Vec::new(),
        }
    }

    /// Number of bytes that belong to spans.
    pub fn num_bytes(&self) -> u64 {
        self.spans.iter().map(Span::num_bytes).sum()
    }

    /// Ranges before `end` that belong to no span, ignoring gaps within interleaved arrays.
    pub fn gaps(&self, end: u64) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = 0;
        for (span, reached) in self.spans.iter().zip(&self.ends) {
            if span.offset > at {
                gaps.push(at..span.offset);
            }
            at = at.max(*reached);
        }
        if at < end {
            gaps.push(at..end);
        }
        gaps
    }
}

/// Whether no byte belongs to both; `later` must not start before `earlier`.
fn are_apart(earlier: &Span, later: &Span) -> bool {
    if earlier.range().end <= later.offset {
        return true;
    }
    let stride = earlier.stride;
    let is_interleaved =
        stride > 0 && stride == later.stride && earlier.ends.is_none() && later.ends.is_none();
    let behind = match later.offset.checked_sub(earlier.offset) {
        Some(behind) if is_interleaved => behind % stride,
        _ => return false,
    };
    // The later span fits into the unused part of each stride.
    behind >= earlier.len && behind + later.len <= stride
}
