//! Processes the statements of one chunk of a file: statements that ufbx would reject or misread are
//! rewritten or left out.
//!
//! Not for: splitting a file and joining its chunks (`prepare`).

use std::collections::HashSet;
use std::ops::Range;

use super::ID;
use super::line_spans::{KINDS, LineSpans};
use super::plain_lines::{self, Line};
use super::statements::{Statement, Statements};
use crate::formats::text::{self, is_not_finite, is_plain_number, line_and_column, shortened};
use crate::formats::{Failure, ReadError};
use rigscope_core::model::{Cancelled, NoteKind, Report};

/// Replacement for numbers that aren't finite.
const NOT_FINITE: &str = "nan";
/// Maximum number of exponent digits that ufbx reads.
const MAX_EXPONENT_DIGITS: usize = 4;
/// Numbers with at most this many digits fit into 64 bits.
const MAX_INDEX_DIGITS: usize = 18;
/// The lists that the indices of a corner refer to, in order; the first of [`KINDS`].
const LISTS: [&str; 3] = ["v", "vt", "vn"];
/// Minimum number of values in a statement of each list.
const LEAST: [usize; LISTS.len()] = [3, 1, 3];

/// Statement counts by index in [`KINDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StatementCounts(pub(super) [usize; KINDS.len()]);

impl StatementCounts {
    /// Counts of a chunk of whole statements.
    pub(super) fn in_chunk(text: &[u8], chunk: Range<usize>) -> Self {
        let (mut statements, mut statement) =
            (Statements::within(text, chunk), Statement::default());
        let mut counts = Self::default();
        loop {
            let line = statements.line();
            if let Some(known) = line.and_then(|line| Line::of(line.strip_suffix(b"\n")?)) {
                statements.skip(line.unwrap_or_default());
                if let Line::Numbered(kind, _) = known {
                    counts.add_one(kind);
                }
                continue;
            }
            if !statements.next(&mut statement, |_| false) {
                return counts;
            }
            let word = statement.word(text, 0).unwrap_or_default();
            for (count, (known, _)) in counts.0.iter_mut().zip(KINDS) {
                *count += usize::from(word == known);
            }
        }
    }

    fn add_one(&mut self, kind: usize) {
        if let Some(count) = self.0.get_mut(kind) {
            *count += 1;
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            *count += other;
        }
    }

    pub(super) fn points(&self) -> usize {
        self.0[0]
    }
}

/// The text with its changes.
pub(super) struct RewrittenText {
    text: Vec<u8>,
    /// End of the part of the original text already copied or replaced.
    copied: usize,
}

impl RewrittenText {
    /// Output for the replacement of `statement`.
    fn instead(&mut self, statement: &Statement, text: &[u8]) -> &mut Vec<u8> {
        let before = text.get(self.copied..statement.bytes.start);
        self.text.extend_from_slice(before.unwrap_or_default());
        self.copied = statement.bytes.end;
        &mut self.text
    }

    /// Appends the chunk to `out`, which is `None` as long as nothing has been changed.
    pub(super) fn append_to(self, out: &mut Option<Vec<u8>>, text: &[u8], chunk: Range<usize>) {
        let is_as_it_was = self.copied == chunk.start;
        if is_as_it_was && out.is_none() {
            return;
        }
        let before = || text.get(..chunk.start).unwrap_or_default().to_vec();
        let out = out.get_or_insert_with(before);
        out.extend(self.text);
        out.extend_from_slice(text.get(self.copied..chunk.end).unwrap_or_default());
    }
}

/// The parts that were left out, with the offset of the first one.
#[derive(Default)]
pub(super) struct Faults {
    num_faces: u64,
    first_face: Option<(usize, String)>,
    num_empty: u64,
    first_empty: Option<(usize, String)>,
}

impl Faults {
    /// Adds those of the following chunk.
    pub(super) fn append(&mut self, next: Self) {
        self.num_faces += next.num_faces;
        self.first_face = self.first_face.take().or(next.first_face);
        self.num_empty += next.num_empty;
        self.first_empty = self.first_empty.take().or(next.first_empty);
    }

    pub(super) fn report(self, text: &[u8], report: &Report) {
        for (kind, num, first) in [
            (NoteKind::FaceLeftOut, self.num_faces, self.first_face),
            (NoteKind::EmptyStatement, self.num_empty, self.first_empty),
        ] {
            if let Some((at, what)) = first {
                report.note_many(kind, line_and_column(text, at), num, || what);
            }
        }
    }
}

/// Why processing of a chunk stopped. The line number is only determined for the first error of the file.
pub(super) enum Stop {
    Cancelled,
    Malformed { at: usize, field: &'static str, what: String },
}

impl Stop {
    /// The error, for a chunk of `text`.
    pub(super) fn error(self, text: &[u8]) -> ReadError {
        match self {
            Self::Cancelled => ReadError::Cancelled,
            Self::Malformed { at, field, what } => {
                let place = line_and_column(text, at);
                ReadError::Malformed(Box::new(Failure {
                    format: ID,
                    field,
                    place,
                    bytes: None,
                    what,
                }))
            }
        }
    }
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A chunk of a text, consisting of whole statements.
pub(super) struct Chunk<'a> {
    text: &'a [u8],
    pub(super) range: Range<usize>,
    /// Counts of the whole file.
    totals: StatementCounts,
    /// Counts up to the current statement.
    counts: StatementCounts,
    /// Whether the file isn't UTF-8: as Windows-1252, every character is one byte of it.
    is_narrow: bool,
    /// Corner count of faces, lines and points.
    pub(super) num_corners: usize,
    pub(super) rewritten: RewrittenText,
    pub(super) faults: Faults,
    pub(super) lines: LineSpans,
    /// Arguments of all `mtllib` statements, without duplicates and in order.
    pub(super) libraries: Vec<String>,
    known: HashSet<String>,
}

impl<'a> Chunk<'a> {
    /// A chunk of `text` after the statements counted in `before`, of `totals` in the file.
    pub(super) fn new(
        text: &'a [u8],
        range: Range<usize>,
        before: StatementCounts,
        totals: StatementCounts,
        is_narrow: bool,
    ) -> Self {
        Self {
            text,
            rewritten: RewrittenText { text: Vec::new(), copied: range.start },
            range,
            totals,
            counts: before,
            is_narrow,
            num_corners: 0,
            faults: Faults::default(),
            lines: LineSpans::from(before.0),
            libraries: Vec::new(),
            known: HashSet::new(),
        }
    }

    /// Processes all of its statements.
    ///
    /// # Errors If a coordinate can't be read.
    pub(super) fn process(&mut self) -> Result<(), Stop> {
        let text = self.text;
        let mut statements = Statements::within(text, self.range.clone());
        let mut statement = Statement::default();
        loop {
            if let Some(line) = statements.line().filter(|line| self.take_plain(line)) {
                statements.skip(line);
                continue;
            }
            if !statements.next(&mut statement, |_| true) {
                return Ok(());
            }
            let word = statement.word(text, 0).unwrap_or_default();
            let bytes = text.get(statement.bytes.clone()).unwrap_or_default();
            let num_continued = if self.is_narrow {
                bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count()
            } else {
                0
            };
            self.lines.add(word, bytes.len() - num_continued);
            self.statement(word, &statement)?;
        }
    }

    /// Tries to process a line, including its line end, that needs no change: numbers that ufbx can read, in
    /// sufficient number, or corners with valid indices. Returns whether it succeeded.
    fn take_plain(&mut self, line: &[u8]) -> bool {
        let Some(Line::Numbered(kind, rest)) = line.strip_suffix(b"\n").and_then(Line::of) else {
            return false;
        };
        let mut num_words = 0;
        let mut count = |is_plain: bool| {
            num_words += 1;
            is_plain
        };
        let are_plain = if plain_lines::is_face(kind) {
            plain_lines::words(rest).all(|word| count(self.is_inside(word)))
        } else {
            plain_lines::words(rest).all(|word| count(is_plain_number(word)))
        };
        // `vt` with one number has to be rewritten.
        let least = LEAST.get(kind).map_or(1, |least| (*least).max(2));
        if !are_plain || num_words < least {
            return false;
        }
        if plain_lines::is_face(kind) {
            self.num_corners += num_words
        } else {
            self.counts.add_one(kind)
        }
        self.lines.add_numbered(kind, line.len());
        true
    }

    fn statement(&mut self, word: &[u8], statement: &Statement) -> Result<(), Stop> {
        if word == b"mtllib" && statement.words.len() > 1 {
            let named = text::decode(statement.rest(self.text)).into_owned();
            if self.known.insert(named.clone()) {
                self.libraries.push(named);
            }
        }
        match word {
            b"v" => self.numbers(statement, 0)?,
            b"vt" => self.numbers(statement, 1)?,
            b"vn" => self.numbers(statement, 2)?,
            b"f" | b"l" | b"p" => self.corners(word, statement),
            b"mtllib" if statement.words.len() < 2 => self.leave_out_empty(word, statement),
            _ if statement.is_odd => self.respell(statement),
            _ => {}
        }
        Ok(())
    }

    fn respell(&mut self, statement: &Statement) {
        let out = self.rewritten.instead(statement, self.text);
        statement.respelled(self.text, out);
        // A backslash at the end of a comment would join the next line.
        if out.trim_ascii_end().ends_with(b"\\") {
            let end = out.trim_ascii_end().len() - 1;
            out.truncate(end);
            out.push(b'\n');
        }
    }

    fn leave_out_empty(&mut self, word: &[u8], statement: &Statement) {
        if self.faults.num_empty == 0 {
            let word = String::from_utf8_lossy(word);
            let at = statement.words.first().map_or(0, |word| word.start);
            self.faults.first_empty = Some((at, format!("the statement {word} has no values")));
        }
        self.faults.num_empty += 1;
        self.rewritten.instead(statement, self.text);
    }

    /// Checks the numbers of a list's statement.
    fn numbers(&mut self, statement: &Statement, list: usize) -> Result<(), Stop> {
        let field = LISTS.get(list).copied().unwrap_or_default();
        let least = LEAST.get(list).copied().unwrap_or_default();
        self.counts.add_one(list);
        let numbers = statement.words.get(1..).unwrap_or_default();
        // Six or more numbers are a position and a colour; with fewer, a number after the position is a
        // weight and is ignored.
        let num_read = match (field, numbers.len()) {
            ("v", 6..) => numbers.len().min(7),
            ("vt", _) => 2,
            _ => 3,
        };
        let mut changed = Vec::new();
        for (number, range) in numbers.iter().take(num_read).enumerate() {
            let word = self.text.get(range.clone()).unwrap_or_default();
            if is_plain_number(word) {
                continue;
            }
            let word = String::from_utf8_lossy(word);
            match word.parse::<f32>() {
                Ok(value) if value.is_finite() => {
                    let exponent = word.rsplit(['e', 'E']).next().unwrap_or_default();
                    if exponent.len() > MAX_EXPONENT_DIGITS && exponent.len() < word.len() {
                        changed.push((number, format!("{value:e}")));
                    }
                }
                Err(_) if !is_not_finite(&word) => {
                    let what = format!("{} isn't a number", shortened(&word));
                    return Err(Stop::Malformed { at: range.start, field, what });
                }
                _ => changed.push((number, NOT_FINITE.to_owned())),
            }
        }
        if numbers.len() < least {
            let last = statement.words.last().map_or(0, |word| word.start);
            let what = format!("{field} has {} numbers and not {least}", numbers.len());
            return Err(Stop::Malformed { at: last, field, what });
        }
        let is_short = field == "vt" && numbers.len() < 2;
        if is_short || statement.is_odd || !changed.is_empty() {
            let out = self.rewritten.instead(statement, self.text);
            out.extend_from_slice(field.as_bytes());
            for (number, range) in numbers.iter().enumerate() {
                out.push(b' ');
                let changed = changed.iter().find(|(at, _)| *at == number);
                out.extend_from_slice(match changed {
                    Some((_, word)) => word.as_bytes(),
                    None => self.text.get(range.clone()).unwrap_or_default(),
                });
            }
            out.extend_from_slice(if is_short { b" 0\n" } else { b"\n" });
        }
        Ok(())
    }

    /// Checks the corners of a face, line or point.
    fn corners(&mut self, word: &[u8], statement: &Statement) {
        let corners = statement.words.get(1..).unwrap_or_default();
        if corners.is_empty() {
            return self.leave_out_empty(word, statement);
        }
        let is_bad = |range: &&Range<usize>| !self.is_inside(self.word(range));
        let Some(bad) = corners.iter().find(is_bad) else {
            self.num_corners += corners.len();
            if statement.is_odd {
                self.respell(statement);
            }
            return;
        };
        if self.faults.num_faces == 0 {
            self.faults.first_face = Some((bad.start, self.fault_of(self.word(bad))));
        }
        self.faults.num_faces += 1;
        self.rewritten.instead(statement, self.text);
    }

    fn word(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The non-empty parts of a corner, each with its list; the position is always included.
    fn parts(corner: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
        let parts = corner.split(|&byte| byte == b'/').enumerate();
        parts.filter(|(list, part)| *list == 0 || *list >= LISTS.len() || !part.is_empty())
    }

    /// Whether all indices of a corner are valid.
    fn is_inside(&self, corner: &[u8]) -> bool {
        Self::parts(corner).all(|(list, part)| {
            whole_number(part).is_some_and(|index| self.is_in_list(list, index))
        })
    }

    fn is_in_list(&self, list: usize, index: i64) -> bool {
        if list >= LISTS.len() {
            return false;
        }
        // Counted from the start of the whole list, or backwards from the current statement.
        let counts = if index > 0 { self.totals } else { self.counts };
        let count = counts.0.get(list).copied().unwrap_or_default();
        index != 0 && usize::try_from(index.unsigned_abs()).is_ok_and(|index| index <= count)
    }

    /// Describes the fault of an invalid corner.
    fn fault_of(&self, corner: &[u8]) -> String {
        let shown = shortened(&String::from_utf8_lossy(corner));
        for (list, part) in Self::parts(corner) {
            let (Some(name), Some(index)) = (LISTS.get(list), whole_number(part)) else { break };
            if !self.is_in_list(list, index) {
                let of = |counts: StatementCounts| counts.0.get(list).copied().unwrap_or_default();
                let there = match index {
                    1.. => format!("{}", of(self.totals)),
                    _ => format!("{} so far", of(self.counts)),
                };
                return format!("{shown} names {name} {index} of {there}");
            }
        }
        format!("{shown} is not a corner")
    }
}

/// A whole number with an optional sign; numbers beyond any list saturate.
fn whole_number(word: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
    }
    let num_digits = || digits.iter().skip_while(|digit| **digit == b'0').count();
    if digits.len() > MAX_INDEX_DIGITS && num_digits() > MAX_INDEX_DIGITS {
        value = i64::MAX;
    }
    Some(if is_negative { -value } else { value })
}
