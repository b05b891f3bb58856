//! The look at the statements of one piece of a file: what the library would refuse or misread is put
//! otherwise or left out.
//!
//! Not for: cutting a file and joining its pieces, which is `prepare`'s.

use std::collections::HashSet;
use std::ops::Range;

use super::ID;
use super::lines::{KINDS, Lines};
use super::plain::{self, Line};
use super::statements::{Statement, Statements};
use crate::formats::text::{self, is_not_finite, is_plain_number, line_and_column, shortened};
use crate::formats::{Failure, ReadError};
use rigscope_core::model::{Cancelled, NoteKind, Report};

/// What takes the place of a number that is not finite.
const NOT_FINITE: &str = "nan";
/// The library reads exponents of so many digits.
const MAX_EXPONENT_DIGITS: usize = 4;
/// So many digits are never more than 64 bits hold.
const MAX_INDEX_DIGITS: usize = 18;
/// What corners number, in their order; the first of [`KINDS`].
const LISTS: [&str; 3] = ["v", "vt", "vn"];
/// Numbers that a statement of each list has at least.
const LEAST: [usize; LISTS.len()] = [3, 1, 3];

/// Number of statements of each of [`KINDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(pub(super) [usize; KINDS.len()]);

impl Counts {
    /// Of a piece that is made of whole statements.
    pub(super) fn in_piece(text: &[u8], piece: Range<usize>) -> Self {
        let (mut statements, mut statement) =
            (Statements::within(text, piece), Statement::default());
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

    /// Number of positions.
    pub(super) fn points(&self) -> usize {
        self.0[0]
    }
}

/// The text with what has been changed of it.
pub(super) struct Mended {
    text: Vec<u8>,
    /// The text as far as it is in it, from the piece's start.
    copied: usize,
}

impl Mended {
    /// What takes the place of `statement`, to be pushed to.
    fn instead(&mut self, statement: &Statement, text: &[u8]) -> &mut Vec<u8> {
        let before = text.get(self.copied..statement.bytes.start);
        self.text.extend_from_slice(before.unwrap_or_default());
        self.copied = statement.bytes.end;
        &mut self.text
    }

    /// Appends the piece to `out`, which is the text before it where anything of it has been changed.
    pub(super) fn append_to(self, out: &mut Option<Vec<u8>>, text: &[u8], piece: Range<usize>) {
        let is_as_it_was = self.copied == piece.start;
        if is_as_it_was && out.is_none() {
            return;
        }
        let before = || text.get(..piece.start).unwrap_or_default().to_vec();
        let out = out.get_or_insert_with(before);
        out.extend(self.text);
        out.extend_from_slice(text.get(self.copied..piece.end).unwrap_or_default());
    }
}

/// What has been left out, with where in the text the first of it stands.
#[derive(Default)]
pub(super) struct Faults {
    num_faces: u64,
    first_face: Option<(usize, String)>,
    num_empty: u64,
    first_empty: Option<(usize, String)>,
}

impl Faults {
    /// Adds those of what follows.
    pub(super) fn append(&mut self, next: Self) {
        self.num_faces += next.num_faces;
        self.first_face = self.first_face.take().or(next.first_face);
        self.num_empty += next.num_empty;
        self.first_empty = self.first_empty.take().or(next.first_empty);
    }

    pub(super) fn tell(self, text: &[u8], report: &Report) {
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

/// Why no more of a piece is looked at. What the line is, is found for the first of all pieces alone.
pub(super) enum Stop {
    Cancelled,
    Malformed { at: usize, field: &'static str, what: String },
}

impl Stop {
    /// The error, of a piece of `text`.
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

/// A piece of a text, made of whole statements.
pub(super) struct Piece<'a> {
    text: &'a [u8],
    pub(super) range: Range<usize>,
    /// Of the whole file.
    totals: Counts,
    /// Up to the statement that is looked at.
    counts: Counts,
    /// The file is not UTF-8: of Windows-1252 every character is a byte of it.
    is_narrow: bool,
    /// Number of corners of faces, lines and points.
    pub(super) num_corners: usize,
    pub(super) mended: Mended,
    pub(super) faults: Faults,
    pub(super) lines: Lines,
    /// What follows each `mtllib`, once and in order.
    pub(super) libraries: Vec<String>,
    known: HashSet<String>,
}

impl<'a> Piece<'a> {
    /// Of `text`, behind so many statements `before` of the `totals`.
    pub(super) fn new(
        text: &'a [u8],
        range: Range<usize>,
        before: Counts,
        totals: Counts,
        is_narrow: bool,
    ) -> Self {
        Self {
            text,
            mended: Mended { text: Vec::new(), copied: range.start },
            range,
            totals,
            counts: before,
            is_narrow,
            num_corners: 0,
            faults: Faults::default(),
            lines: Lines::from(before.0),
            libraries: Vec::new(),
            known: HashSet::new(),
        }
    }

    /// Looks at all of its statements.
    ///
    /// # Errors
    /// When a coordinate cannot be read.
    pub(super) fn look(&mut self) -> Result<(), Stop> {
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
            let num_continued = match self.is_narrow {
                true => bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count(),
                false => 0,
            };
            self.lines.add(word, bytes.len() - num_continued);
            self.statement(word, &statement)?;
        }
    }

    /// Takes a line, with its line end, of which nothing but a count is to be kept: numbers that the
    /// library reads, as many as there must be, or corners that name what is there. Whether it is one.
    fn take_plain(&mut self, line: &[u8]) -> bool {
        let Some(Line::Numbered(kind, rest)) = line.strip_suffix(b"\n").and_then(Line::of) else {
            return false;
        };
        let mut num_words = 0;
        let mut count = |is_plain: bool| {
            num_words += 1;
            is_plain
        };
        let are_plain = match plain::is_face(kind) {
            true => plain::words(rest).all(|word| count(self.is_inside(word))),
            false => plain::words(rest).all(|word| count(is_plain_number(word))),
        };
        // `vt` with one number is written otherwise.
        let least = LEAST.get(kind).map_or(1, |least| (*least).max(2));
        if !are_plain || num_words < least {
            return false;
        }
        match plain::is_face(kind) {
            true => self.num_corners += num_words,
            false => self.counts.add_one(kind),
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
        let out = self.mended.instead(statement, self.text);
        statement.respelled(self.text, out);
        // What a comment ends in would join the next line.
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
        self.mended.instead(statement, self.text);
    }

    /// Looks at the numbers of a list's statement.
    fn numbers(&mut self, statement: &Statement, list: usize) -> Result<(), Stop> {
        let field = LISTS.get(list).copied().unwrap_or_default();
        let least = LEAST.get(list).copied().unwrap_or_default();
        self.counts.add_one(list);
        let numbers = statement.words.get(1..).unwrap_or_default();
        // Six and more are a position and a colour; what follows fewer is a weight or nothing.
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
                    let what = format!("{} is no number", shortened(&word));
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
            let out = self.mended.instead(statement, self.text);
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

    /// Looks at the corners of a face, line or point.
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
        self.mended.instead(statement, self.text);
    }

    fn word(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The parts of a corner that are not left empty, each with its list; a position is never empty.
    fn parts(corner: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
        let parts = corner.split(|&byte| byte == b'/').enumerate();
        parts.filter(|(list, part)| *list == 0 || *list >= LISTS.len() || !part.is_empty())
    }

    /// Whether a corner names what is there.
    fn is_inside(&self, corner: &[u8]) -> bool {
        Self::parts(corner).all(|(list, part)| {
            whole_number(part).is_some_and(|index| self.is_in_list(list, index))
        })
    }

    fn is_in_list(&self, list: usize, index: i64) -> bool {
        if list >= LISTS.len() {
            return false;
        }
        // From the start of the whole list, or back from what has come so far.
        let counts = if index > 0 { self.totals } else { self.counts };
        let count = counts.0.get(list).copied().unwrap_or_default();
        index != 0 && usize::try_from(index.unsigned_abs()).is_ok_and(|index| index <= count)
    }

    /// What is wrong with a corner that is not inside.
    fn fault_of(&self, corner: &[u8]) -> String {
        let shown = shortened(&String::from_utf8_lossy(corner));
        for (list, part) in Self::parts(corner) {
            let (Some(name), Some(index)) = (LISTS.get(list), whole_number(part)) else { break };
            if !self.is_in_list(list, index) {
                let of = |counts: Counts| counts.0.get(list).copied().unwrap_or_default();
                let there = match index {
                    1.. => format!("{}", of(self.totals)),
                    _ => format!("{} so far", of(self.counts)),
                };
                return format!("{shown} names {name} {index} of {there}");
            }
        }
        format!("{shown} is no corner")
    }
}

/// A whole number of digits, maybe behind a sign; those beyond any list are the largest.
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
