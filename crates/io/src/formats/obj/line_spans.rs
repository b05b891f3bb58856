//! Byte map of the statements: consecutive statements of one kind form a span with one record per statement.
//!
//! Numbers are those used by faces, from 0. A vertex of a model combines several lines, so lines aren't
//! assigned to vertices.

use rigscope_core::model::{Element, Report, Span, as_u32};

/// The kinds of statements that are numbered.
pub(super) const KINDS: [(&[u8], Element); 4] = [
    (b"v", Element::ControlPoint),
    (b"vt", Element::Attribute),
    (b"vn", Element::Attribute),
    (b"f", Element::Face),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Index in [`KINDS`].
    Numbered(usize),
    Comment,
    Other,
}

/// Spans of the statements of a text or of a chunk.
#[derive(Default)]
pub(super) struct LineSpans {
    /// Statement counts so far, by index in [`KINDS`].
    numbers: [usize; KINDS.len()],
    runs: Vec<Run>,
    len: usize,
}

impl LineSpans {
    /// Starts after the given statement counts, by index in [`KINDS`].
    pub(super) fn from(numbers: [usize; KINDS.len()]) -> Self {
        Self { numbers, ..Self::default() }
    }

    /// Adds a statement of `len` bytes that begins with `word`.
    pub(super) fn add(&mut self, word: &[u8], len: usize) {
        let kind = match KINDS.iter().position(|(known, _)| *known == word) {
            Some(at) => Kind::Numbered(at),
            None if word.starts_with(b"#") => Kind::Comment,
            None => Kind::Other,
        };
        self.add_kind(kind, len);
    }

    /// Adds a statement of `len` bytes with that index in [`KINDS`].
    pub(super) fn add_numbered(&mut self, kind: usize, len: usize) {
        self.add_kind(Kind::Numbered(kind), len);
    }

    fn add_kind(&mut self, kind: Kind, len: usize) {
        let number = match kind {
            Kind::Numbered(at) => self.numbers.get_mut(at),
            _ => None,
        };
        if self.runs.last().is_none_or(|run| run.kind != kind) {
            let first = number.as_ref().map_or(0, |number| **number);
            self.runs.push(Run { kind, first, start: self.len, ends: Vec::new() });
        }
        if let Some(number) = number {
            *number += 1;
        }
        self.len += len;
        if let Some(run) = self.runs.last_mut() {
            run.ends.push(as_u32(self.len - run.start));
        }
    }

    /// Appends the spans of the following chunk.
    pub(super) fn append(&mut self, next: Self) {
        let mut runs = next.runs.into_iter().peekable();
        if let Some(last) = self.runs.last_mut()
            && let Some(first) = runs.next_if(|run| run.kind == last.kind)
        {
            let offset = self.len - last.start;
            last.ends.extend(first.ends.into_iter().map(|own| as_u32(offset + own as usize)));
        }
        let start = self.len;
        self.runs.extend(runs.map(|run| Run { start: start + run.start, ..run }));
        self.len += next.len;
    }

    /// Reports the spans, for a file with a byte order mark of `mark_len` bytes.
    pub(super) fn report(self, mark_len: usize, report: &Report) {
        for (number, run) in self.runs.into_iter().enumerate() {
            // The mark belongs to the first statement.
            let (start, moved) =
                if number == 0 { (0, mark_len) } else { (mark_len + run.start, 0) };
            let ends: Vec<u32> = match moved {
                0 => run.ends,
                _ => run.ends.into_iter().map(|own| as_u32(moved + own as usize)).collect(),
            };
            let element = match run.kind {
                Kind::Numbered(at) => KINDS.get(at).map_or(Element::Text, |(_, element)| *element),
                Kind::Comment => Element::Comment,
                Kind::Other => Element::Text,
            };
            report.span(Span::varied(element, start, ends).from_record(run.first));
        }
    }
}

/// Consecutive statements of one kind.
struct Run {
    kind: Kind,
    /// Number of the first one.
    first: usize,
    start: usize,
    /// Ends relative to the start.
    ends: Vec<u32>,
}
