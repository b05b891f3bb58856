//! Which lines are what, told before the library reads them: it tells no places.
//!
//! Lines of one kind that follow one another are one span with a record a line. Numbers are those
//! that faces name, from 0. A vertex of a model comes of several lines, so that none is its own.

use crate::model::{Element, Report, Span};

/// The kinds of lines that have numbers.
const KINDS: [(&[u8], Element); 4] = [
    (b"v", Element::ControlPoint),
    (b"vt", Element::Attribute),
    (b"vn", Element::Attribute),
    (b"f", Element::Face),
];

/// Tells of all lines.
pub(super) fn tell(bytes: &[u8], report: &Report) {
    let mut numbers = [0; KINDS.len()];
    let mut run: Option<Run> = None;
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let kind = kind(line);
        if run.as_ref().is_none_or(|run| run.kind != kind) {
            if let Some(run) = run.take() {
                run.tell(report);
            }
            let first = number(&mut numbers, kind).map_or(0, |number| *number);
            run = Some(Run {
                kind,
                first,
                start,
                ends: Vec::new(),
            });
        }
        start += line.len();
        if let Some(run) = &mut run {
            run.ends
                .push(u32::try_from(start - run.start).unwrap_or(u32::MAX));
        }
        if let Some(number) = number(&mut numbers, kind) {
            *number += 1;
        }
    }
    if let Some(run) = run {
        run.tell(report);
    }
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Position in [`KINDS`].
    Numbered(usize),
    Comment,
    Other,
}

/// How many lines of a kind there have been.
fn number(numbers: &mut [usize; KINDS.len()], kind: Kind) -> Option<&mut usize> {
    match kind {
        Kind::Numbered(at) => numbers.get_mut(at),
        _ => None,
    }
}

fn kind(line: &[u8]) -> Kind {
    let line = line.trim_ascii();
    let word = line
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    match KINDS.iter().position(|(known, _)| *known == word) {
        Some(at) => Kind::Numbered(at),
        None if line.starts_with(b"#") => Kind::Comment,
        None => Kind::Other,
    }
}

/// Lines of one kind.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_their_kind() {
        let text = b"# a\no b\nv 0 0 0\n v 1 0 0\nvt 0 0\nv 2 0 0\nf 1 2 3";
        let report = Report::new();
        tell(text, &report);
        let map = report.take_provenance();
        assert_eq!(map.num_bytes(), text.len() as u64);
        let of = |element, record| map.of(element, record).into_iter().next();
        assert_eq!(of(Element::ControlPoint, 1), Some(16..25));
        assert_eq!(of(Element::ControlPoint, 2), Some(32..40));
        assert_eq!(of(Element::Face, 0), Some(40..47));
        assert_eq!(map.at(0).unwrap().span.element, Element::Comment);
        assert_eq!(map.at(5).unwrap().span.element, Element::Text);
    }
}
