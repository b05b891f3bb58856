//! Which lines are what: statements of one kind that follow one another are one span with a record
//! a statement.
//!
//! Numbers are those that faces name, from 0. A vertex of a model comes of several lines, so that
//! none is its own.

use crate::model::{Element, Report, Span};

/// The kinds of statements that have numbers.
const KINDS: [(&[u8], Element); 4] = [
    (b"v", Element::ControlPoint),
    (b"vt", Element::Attribute),
    (b"vn", Element::Attribute),
    (b"f", Element::Face),
];

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Position in [`KINDS`].
    Numbered(usize),
    Comment,
    Other,
}

/// Spans of statements, reported as they come.
pub(super) struct Lines<'a> {
    report: &'a Report,
    numbers: [usize; KINDS.len()],
    run: Option<Run>,
    at: usize,
}

impl<'a> Lines<'a> {
    /// Of a file whose first `mark_len` bytes say what its encoding is.
    pub(super) fn new(mark_len: usize, report: &'a Report) -> Self {
        Self {
            report,
            numbers: [0; KINDS.len()],
            run: None,
            // The mark goes with the first statement.
            at: mark_len,
        }
    }

    /// The next statement takes `len` bytes and begins with `word`.
    pub(super) fn add(&mut self, word: &[u8], len: usize) {
        let kind = match KINDS.iter().position(|(known, _)| *known == word) {
            Some(at) => Kind::Numbered(at),
            None if word.starts_with(b"#") => Kind::Comment,
            None => Kind::Other,
        };
        let number = match kind {
            Kind::Numbered(at) => self.numbers.get_mut(at),
            _ => None,
        };
        if self.run.as_ref().is_none_or(|run| run.kind != kind) {
            let start = if self.run.is_none() { 0 } else { self.at };
            let run = Run {
                kind,
                first: number.as_ref().map_or(0, |number| **number),
                start,
                ends: Vec::new(),
            };
            if let Some(run) = self.run.replace(run) {
                run.tell(self.report);
            }
        }
        if let Some(number) = number {
            *number += 1;
        }
        self.at += len;
        if let Some(run) = &mut self.run {
            let end = u32::try_from(self.at - run.start).unwrap_or(u32::MAX);
            run.ends.push(end);
        }
    }
}

impl Drop for Lines<'_> {
    fn drop(&mut self) {
        if let Some(run) = self.run.take() {
            run.tell(self.report);
        }
    }
}

/// Statements of one kind.
struct Run {
    kind: Kind,
    first: usize,
    start: usize,
    ends: Vec<u32>,
}

impl Run {
    fn tell(self, report: &Report) {
        let element = match self.kind {
            Kind::Numbered(at) => KINDS.get(at).map_or(Element::Text, |(_, element)| *element),
            Kind::Comment => Element::Comment,
            Kind::Other => Element::Text,
        };
        let span = Span::varied(element, self.start, self.ends);
        report.span(span.from_record(self.first));
    }
}
