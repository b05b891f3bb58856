//! All spans of a file: from a byte to its record and field, from a record to its bytes.

use std::ops::Range;

use super::{Element, Field, Span};
use crate::model::Place;

/// All spans of a file, in file order.
///
/// Invariant: no byte belongs to two of [`Self::spans`]. Arrays of interleaved vertices are spans
/// with the same stride that begin one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// Spans that do not overlap, by offset.
    pub spans: Vec<Span>,
    /// Spans of bytes that one of [`Self::spans`] has already: two meshes of the same vertices.
    /// A byte never leads to them; their records lead to bytes.
    pub shared: Vec<Span>,
    /// The largest end of all spans up to each, for searching.
    ends: Vec<u64>,
}

/// What lies at a byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The array.
    pub span: &'a Span,
    /// Number of the record among the element's.
    pub record: u64,
    /// The record's bytes, as a file range.
    pub record_bytes: Range<u64>,
    /// The field, where the record has any there.
    pub field: Option<&'a Field>,
    /// The field's bytes, as a file range; the record's where it has no field there.
    pub field_bytes: Range<u64>,
}

/// Spans that begin before a byte and may interleave around it: far more than a vertex has
/// attributes.
const MAX_INTERLEAVED: usize = 64;

impl Provenance {
    /// Brings spans into file order. Those that are empty are left out; those whose bytes another
    /// has already, one reported earlier where both begin at the same byte, are put aside as shared.
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

    /// Spans that begin at `at` or before and reach behind it, later ones first.
    fn around(&self, at: u64) -> impl Iterator<Item = &Span> {
        let next = self.spans.partition_point(|span| span.offset <= at);
        let known = self.spans.iter().zip(&self.ends).take(next).rev();
        known
            .take_while(move |(_, end)| **end > at)
            .map(|(span, _)| span)
            .filter(move |span| span.range().end > at)
            .take(MAX_INTERLEAVED)
    }

    /// Adds what begins behind all that is known, as bytes nobody has read do.
    pub fn push(&mut self, span: Span) {
        if span.num_bytes() > 0 && self.end() <= span.offset {
            self.place(span);
        }
    }

    /// The first byte behind all spans.
    pub fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The span of `element`, if the file has one.
    pub fn find(&self, element: Element) -> Option<&Span> {
        self.all(element).next()
    }

    /// All spans of `element`, in the order of the file, shared ones last: one an attribute where
    /// attributes lie in arrays of their own.
    pub fn all(&self, element: Element) -> impl Iterator<Item = &Span> {
        let all = self.spans.iter().chain(&self.shared);
        all.filter(move |span| span.element == element)
    }

    /// What lies at file offset `at`.
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

    /// The bytes of record `record` of `element`, one range an array that it is in, in the order of
    /// the file. Asked for the subject of several elements, as a bone is, it gives those of all.
    pub fn of(&self, element: Element, record: u64) -> Vec<Range<u64>> {
        let all = self.spans.iter().chain(&self.shared);
        let spans = all.filter(|span| span.element == element || span.element.subject() == element);
        let mut ranges: Vec<_> = spans.filter_map(|span| span.record(record)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        ranges
    }

    /// The bytes of what a finding is about; empty where it is about nothing that lies in the file.
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

    /// How many bytes belong to spans.
    pub fn num_bytes(&self) -> u64 {
        self.spans.iter().map(Span::num_bytes).sum()
    }

    /// Bytes before `end` that belong to no span, as file ranges; bytes inside interleaved arrays
    /// aside.
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

/// Whether no byte belongs to both, where `later` does not begin first.
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
    // The later one lies in what the earlier one leaves of each stride.
    behind >= earlier.len && behind + later.len <= stride
}
