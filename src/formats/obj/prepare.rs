//! A file prepared for the library, which refuses or misreads what other readers bear: one pass
//! over its statements that finds every fault with its line and column.
//!
//! | found | done |
//! |---|---|
//! | a corner without position, beyond the lists or that is no number | its face, line or point is left out, as Blender does |
//! | a coordinate missing or that is no number | an error: what follows would be numbered otherwise |
//! | infinity and what is no number, in any spelling | read as such; the check makes it 0 |
//! | `vt u` | v is 0, as the format says |
//! | `mtllib`, `f`, `l` and `p` with nothing behind them | left out |
//! | a comment that ends in a backslash | a comment alone; the next line counts |
//!
//! Not for: what shapes, materials and smoothing become; that is the library's.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use super::ID;
use super::lines::Lines;
use super::statements::{Statement, Statements};
use crate::formats::text::{self, is_not_finite, is_plain_number, line_and_column, shortened};
use crate::formats::{Failure, ReadError};
use crate::model::{Element, NoteKind, Place, Report, Span};

/// Statements between two looks at whether to go on.
const STATEMENTS_PER_LOOK: usize = 1 << 16;
/// What takes the place of a number that is not finite.
const NOT_FINITE: &str = "nan";
/// The library reads exponents of so many digits.
const MAX_EXPONENT_DIGITS: usize = 4;

/// A file as the library can read it.
pub(super) struct Prepared<'a> {
    /// Its text.
    pub(super) text: Cow<'a, [u8]>,
    /// Number of `v` lines.
    pub(super) num_points: usize,
    /// Number of corners of faces, lines and points.
    pub(super) num_corners: usize,
    /// What follows each `mtllib`, once and in order.
    pub(super) libraries: Vec<String>,
}

/// Prepares a file, reports its spans and notes what is left out.
///
/// # Errors
/// When a coordinate cannot be read.
pub(super) fn prepare<'a>(file: &'a [u8], report: &Report) -> Result<Prepared<'a>, ReadError> {
    let plain = text::plain(file);
    let is_wide = text::is_utf16(file);
    let mark_len = if is_wide { 0 } else { file.len() - plain.len() };
    // The library reads UTF-8.
    let is_narrow = std::str::from_utf8(&plain).is_err();
    let plain = match is_narrow {
        true => Cow::Owned(text::decode(file).into_owned().into_bytes()),
        false => plain,
    };
    let mut pass = Pass {
        text: &plain,
        totals: OnceCell::new(),
        counts: [0; 3],
        num_corners: 0,
        mended: Mended::default(),
        faults: Faults::default(),
    };
    let (mut libraries, mut known) = (Vec::new(), HashSet::new());
    let mut lines = match is_wide {
        true => {
            report.span(Span::new(Element::Text, 0, file.len(), 1));
            None
        }
        false => Some(Lines::new(mark_len, report)),
    };
    let (mut statements, mut statement) = (Statements::of(&plain), Statement::default());
    let mut number = 0;
    while statements.next(&mut statement, |_| true) {
        if number % STATEMENTS_PER_LOOK == 0 {
            let share = statement.bytes.start as f32 / plain.len().max(1) as f32;
            report.progress("reading lines", 0.1 * share)?;
        }
        number += 1;
        let word = statement.word(&plain, 0).unwrap_or_default();
        if let Some(lines) = &mut lines {
            let bytes = plain.get(statement.bytes.clone()).unwrap_or_default();
            // Of Windows-1252 every character is a byte of the file.
            let num_continued = bytes.iter().filter(|&&byte| is_narrow && byte & 0xc0 == 0x80);
            lines.add(word, bytes.len() - num_continued.count());
        }
        if word == b"mtllib" && statement.words.len() > 1 {
            let named = text::decode(statement.rest(&plain)).into_owned();
            if known.insert(named.clone()) {
                libraries.push(named);
            }
        }
        pass.statement(word, &statement)?;
    }
    drop(lines);
    report.close_spans();
    pass.faults.tell(report);
    let (num_points, num_corners) = (pass.counts[0], pass.num_corners);
    let mended = pass.mended;
    let text = match mended.text.is_empty() && mended.copied == 0 {
        true => plain,
        false => {
            let mut text = mended.text;
            text.extend_from_slice(plain.get(mended.copied..).unwrap_or_default());
            Cow::Owned(text)
        }
    };
    Ok(Prepared { text, num_points, num_corners, libraries })
}

/// What corners number, in their order.
const LISTS: [&str; 3] = ["v", "vt", "vn"];

/// Number of `v`, `vt` and `vn` in the whole text.
fn totals(text: &[u8]) -> [usize; 3] {
    let (mut statements, mut statement) = (Statements::of(text), Statement::default());
    let mut totals = [0; 3];
    while statements.next(&mut statement, |_| false) {
        let word = statement.word(text, 0).unwrap_or_default();
        for (total, list) in totals.iter_mut().zip(LISTS) {
            *total += usize::from(word == list.as_bytes());
        }
    }
    totals
}

/// The text with what has been changed of it.
#[derive(Default)]
struct Mended {
    text: Vec<u8>,
    /// Bytes of the file that are in it.
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
}

/// What has been left out.
#[derive(Default)]
struct Faults {
    num_faces: u64,
    first_face: Option<(Place, String)>,
    num_empty: u64,
    first_empty: Option<(Place, String)>,
}

impl Faults {
    fn tell(self, report: &Report) {
        for (kind, num, first) in [
            (NoteKind::FaceLeftOut, self.num_faces, self.first_face),
            (NoteKind::ReaderWarning, self.num_empty, self.first_empty),
        ] {
            if let Some((place, what)) = first {
                report.note_many(kind, place, num, || what);
            }
        }
    }
}

/// The pass over all statements.
struct Pass<'a> {
    text: &'a [u8],
    /// Of the whole file, counted for the first face that comes before what it numbers.
    totals: OnceCell<[usize; 3]>,
    /// So far.
    counts: [usize; 3],
    num_corners: usize,
    mended: Mended,
    faults: Faults,
}

impl Pass<'_> {
    fn statement(&mut self, word: &[u8], statement: &Statement) -> Result<(), ReadError> {
        match word {
            b"v" => self.numbers(statement, "v", 0, 3)?,
            b"vt" => self.numbers(statement, "vt", 1, 1)?,
            b"vn" => self.numbers(statement, "vn", 2, 3)?,
            b"f" | b"l" | b"p" => self.corners(word, statement),
            b"mtllib" if statement.words.len() < 2 => self.leave_out_empty(word, statement),
            _ if statement.is_odd => self.respell(statement),
            _ => {}
        }
        Ok(())
    }

    fn place(&self, at: usize) -> Place {
        line_and_column(self.text, at)
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
            self.faults.first_empty =
                Some((self.place(at), format!("{word} has nothing behind it")));
        }
        self.faults.num_empty += 1;
        self.mended.instead(statement, self.text);
    }

    /// Looks at the numbers of a list's statement, of which there must be `least`.
    fn numbers(
        &mut self,
        statement: &Statement,
        field: &'static str,
        list: usize,
        least: usize,
    ) -> Result<(), ReadError> {
        if let Some(count) = self.counts.get_mut(list) {
            *count += 1;
        }
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
                    return Err(self.malformed(range.start, field, what));
                }
                _ => changed.push((number, NOT_FINITE.to_owned())),
            }
        }
        if numbers.len() < least {
            let last = statement.words.last().map_or(0, |word| word.start);
            let what = format!("{field} has {} numbers and not {least}", numbers.len());
            return Err(self.malformed(last, field, what));
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

    fn malformed(&self, at: usize, field: &'static str, what: String) -> ReadError {
        ReadError::Malformed(Box::new(Failure {
            format: ID,
            field,
            place: self.place(at),
            bytes: None,
            what,
        }))
    }

    /// Looks at the corners of a face, line or points.
    fn corners(&mut self, word: &[u8], statement: &Statement) {
        let corners = statement.words.get(1..).unwrap_or_default();
        if corners.is_empty() {
            return self.leave_out_empty(word, statement);
        }
        let faults = corners.iter().filter_map(|range| {
            let corner = self.text.get(range.clone()).unwrap_or_default();
            let what = self.fault_of(corner)?;
            Some((range.start, what))
        });
        let mut faults = faults.peekable();
        let Some((at, what)) = faults.peek().cloned() else {
            drop(faults);
            self.num_corners += corners.len();
            if statement.is_odd {
                self.respell(statement);
            }
            return;
        };
        drop(faults);
        if self.faults.num_faces == 0 {
            self.faults.first_face = Some((self.place(at), what));
        }
        self.faults.num_faces += 1;
        self.mended.instead(statement, self.text);
    }

    /// What is wrong with a corner.
    fn fault_of(&self, corner: &[u8]) -> Option<String> {
        let shown = || shortened(&String::from_utf8_lossy(corner));
        let mut parts = corner.split(|&byte| byte == b'/');
        for (number, list) in LISTS.iter().enumerate() {
            let count = *self.counts.get(number)?;
            let total = || self.totals.get_or_init(|| totals(self.text)).get(number).copied();
            let part = match parts.next() {
                None | Some([]) if number > 0 => continue,
                part => part.unwrap_or_default(),
            };
            let Some(index) = whole_number(part) else {
                return Some(format!("{} is no corner", shown()));
            };
            let is_inside = match index {
                1.. => usize::try_from(index)
                    .is_ok_and(|index| index <= count || Some(index) <= total()),
                _ => index < 0 && usize::try_from(-index).is_ok_and(|back| back <= count),
            };
            if !is_inside {
                let there = match index {
                    1.. => format!("{}", total()?),
                    _ => format!("{count} so far"),
                };
                return Some(format!("{} names {list} {index} of {there}", shown()));
            }
        }
        parts.next().map(|_| format!("{} is no corner", shown()))
    }
}

/// A whole number of digits, maybe behind a sign; those beyond any list are the largest.
fn whole_number(word: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, digit| {
        let digit = i64::from(digit - b'0');
        value.saturating_mul(10).saturating_add(digit)
    });
    Some(if is_negative { -value } else { value })
}
