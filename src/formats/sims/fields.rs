//! The fields of a Sims file in order, whether they stand in lines or in bytes.
//!
//! For: one description of each structure, read by [`TextFields`] and [`BinaryFields`] alike, and
//! walked in strict steps by a probe that sees only a file's front.
//!
//! | | binary | text |
//! |---|---|---|
//! | integer, bool | i32, little-endian | decimal, a line of its own or several on one |
//! | float | f32, little-endian | decimal; exponents may have three digits |
//! | string | u8 length and bytes; length 255: an i32 length follows | a whole line, trimmed |
//! | vector of a CMX | 3 or 4 floats | one line `\| x y z \|` |
//!
//! Characters are Windows-1252. Text: blank lines are skipped only where a number is expected, so
//! that an empty string can stand on its line.
//!
//! Ambiguous: the long string of length 255 stands in documents only, in no known file.
//! Ambiguous: `1.#QNAN` and its like, as old C libraries print what is not finite, are read as
//! such.

use crate::formats::text::{TextCursor, windows_1252};
use crate::formats::{Cursor, Limits, ReadError};
use crate::model::Place;

/// The fewest strings and numbers that a record holds, which bounds how many fit in what is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    pub(super) strings: usize,
    pub(super) numbers: usize,
}

/// `strings` and `numbers` of a record at least.
pub(super) const fn least(strings: usize, numbers: usize) -> Least {
    Least { strings, numbers }
}

/// What is known of a file of which only the front is there.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Bytes of the file past the window.
    beyond: u64,
    /// A value reached past the window.
    ran_out: bool,
}

/// The fields of a file, front to back.
pub(super) trait Fields {
    /// Whether a blend is stored as weight and vertex, and not as vertex and weight.
    const IS_WEIGHT_FIRST: bool;

    /// Text, maybe empty.
    fn string(&mut self, field: &'static str) -> Result<String, ReadError>;
    /// A whole number.
    fn int(&mut self, field: &'static str) -> Result<i32, ReadError>;
    /// A number.
    fn float(&mut self, field: &'static str) -> Result<f32, ReadError>;
    /// The numbers of a vector, which has a line of its own in a CMX.
    fn vector<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError>;
    /// A number of records, which must fit into what is left.
    fn count(&mut self, least: Least, field: &'static str) -> Result<usize, ReadError>;
    /// An empty list for `num` records, paid from the budget.
    fn list<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError>;
    /// A failure of the file at the last value.
    fn malformed(&self, field: &'static str, what: String) -> ReadError;
    /// Where reading is.
    fn place(&self) -> Place;
    /// Bytes past the last value, blank lines aside.
    fn num_trailing(&self) -> u64;
    /// Bytes of the whole file beyond the present place, where only its front is there.
    fn probed_bytes_left(&self) -> Option<u64>;
    /// Whether reading ended because a probe's window did.
    fn ran_out(&self) -> bool;

    /// `N` numbers.
    fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.float(field)?;
        }
        Ok(values)
    }

    /// A string that a sound file does not leave empty.
    fn name(&mut self, field: &'static str) -> Result<String, ReadError> {
        let name = self.string(field)?;
        match name.is_empty() && self.probed_bytes_left().is_some() {
            true => Err(self.malformed(field, format!("{field} is empty"))),
            false => Ok(name),
        }
    }

    /// A whole number that a sound file has as 0 or 1.
    fn flag(&mut self, field: &'static str) -> Result<i32, ReadError> {
        let value = self.int(field)?;
        match self.probed_bytes_left().is_some() && !(0..=1).contains(&value) {
            true => Err(self.malformed(field, format!("{field} is {value}"))),
            false => Ok(value),
        }
    }

    /// A position in a list or a length, or -1 for none.
    fn index(&mut self, field: &'static str) -> Result<i32, ReadError> {
        const MOST: i32 = 1 << 24;
        let value = self.int(field)?;
        match self.probed_bytes_left().is_some() && !(-1..=MOST).contains(&value) {
            true => Err(self.malformed(field, format!("{field} is {value}"))),
            false => Ok(value),
        }
    }
}

/// Whether a character belongs in no name.
fn is_unprintable(text: &str) -> bool {
    text.chars().any(|c| c < ' ' || c == '\u{7f}')
}

/// Fields in bytes.
pub(super) struct BinaryFields<'a> {
    cursor: Cursor<'a>,
    window: Option<Window>,
}

impl<'a> BinaryFields<'a> {
    /// The fields of a whole file.
    pub(super) fn new(format: &'static str, bytes: &'a [u8], limits: &Limits) -> Self {
        Self {
            cursor: Cursor::new(format, bytes, limits),
            window: None,
        }
    }

    /// The fields at the front of a file that goes on for `beyond` bytes, read strictly.
    pub(super) fn probing(format: &'static str, head: &'a [u8], beyond: u64) -> Self {
        Self {
            window: Some(Window {
                beyond,
                ran_out: false,
            }),
            ..Self::new(format, head, &Limits::default())
        }
    }

    fn need(&mut self, len: usize) {
        if let Some(window) = &mut self.window
            && self.cursor.remaining() < len
            && window.beyond > 0
        {
            window.ran_out = true;
        }
    }

    fn bytes_left(&self) -> u64 {
        self.cursor.remaining() as u64 + self.window.map_or(0, |window| window.beyond)
    }
}

impl Fields for BinaryFields<'_> {
    const IS_WEIGHT_FIRST: bool = true;

    fn string(&mut self, field: &'static str) -> Result<String, ReadError> {
        self.need(1);
        let len = match self.cursor.u8_le(field)? {
            u8::MAX if self.window.is_none() => self.count(least(1, 0), field)?,
            short => usize::from(short),
        };
        self.need(len);
        let text = windows_1252(self.cursor.take(len, field)?).into_owned();
        match self.window.is_some() && is_unprintable(&text) {
            true => Err(self.malformed(field, format!("{field} is no text"))),
            false => Ok(text),
        }
    }

    fn int(&mut self, field: &'static str) -> Result<i32, ReadError> {
        self.need(4);
        self.cursor.i32_le(field)
    }

    fn float(&mut self, field: &'static str) -> Result<f32, ReadError> {
        self.need(4);
        let value = self.cursor.f32_le(field)?;
        // Not a sound file's number, and likely one of another type.
        let is_odd = !value.is_finite() || value.abs() > 1e9;
        match self.window.is_some() && is_odd {
            true => Err(self.malformed(field, format!("{field} is {value}"))),
            false => Ok(value),
        }
    }

    fn vector<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError> {
        self.floats(field)
    }

    fn count(&mut self, least: Least, field: &'static str) -> Result<usize, ReadError> {
        let num = self.int(field)?;
        let bytes_each = (least.strings + 4 * least.numbers) as u64;
        let left = self.bytes_left();
        match usize::try_from(num) {
            Ok(usable) if (usable as u64).saturating_mul(bytes_each) <= left => Ok(usable),
            _ => Err(self.malformed(
                field,
                format!("{field} {num} does not fit into {left} bytes"),
            )),
        }
    }

    fn list<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        // A probe must not make room for what lies beyond its window.
        let present = self.cursor.remaining();
        self.cursor.vec(num.min(present), field)
    }

    fn malformed(&self, field: &'static str, what: String) -> ReadError {
        self.cursor.malformed(field, what)
    }

    fn place(&self) -> Place {
        Place::Offset(self.cursor.offset() as u64)
    }

    fn num_trailing(&self) -> u64 {
        self.bytes_left()
    }

    fn probed_bytes_left(&self) -> Option<u64> {
        self.window.map(|_| self.bytes_left())
    }

    fn ran_out(&self) -> bool {
        self.window.is_some_and(|window| window.ran_out)
    }
}

/// Fields in lines.
pub(super) struct TextFields<'a> {
    cursor: TextCursor<'a>,
    /// A number was read, and what is left of its line is not a line.
    is_inside_line: bool,
    window: Option<Window>,
}

impl<'a> TextFields<'a> {
    /// The fields of a whole text.
    pub(super) fn new(format: &'static str, text: &'a str, limits: &Limits) -> Self {
        Self {
            cursor: TextCursor::new(format, text, limits),
            is_inside_line: false,
            window: None,
        }
    }

    /// The fields at the front of a text that goes on for `beyond` bytes, read strictly.
    pub(super) fn probing(format: &'static str, text: &'a str, beyond: u64) -> Self {
        Self {
            window: Some(Window {
                beyond,
                ran_out: false,
            }),
            ..Self::new(format, text, &Limits::default())
        }
    }

    /// The next line that is not blank.
    pub(super) fn line_with_text(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        self.is_inside_line = false;
        self.need_text();
        loop {
            let line = self.cursor.line(field)?;
            if !line.is_empty() {
                return Ok(line);
            }
        }
    }

    fn need_text(&mut self) {
        if let Some(window) = &mut self.window
            && self.cursor.is_at_end()
            && window.beyond > 0
        {
            window.ran_out = true;
        }
    }

    fn token(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        self.need_text();
        self.is_inside_line = true;
        self.cursor.token(field)
    }

    fn parse_float(&self, token: &str, field: &'static str) -> Result<f32, ReadError> {
        let is_probing = self.window.is_some();
        match token.parse::<f32>() {
            Ok(value) if value.is_finite() || !is_probing => Ok(value),
            Err(_) if token.contains(".#") && !is_probing => Ok(f32::NAN),
            _ => Err(self.malformed(field, format!("{} is no number", shortened(token)))),
        }
    }
}

impl Fields for TextFields<'_> {
    const IS_WEIGHT_FIRST: bool = false;

    fn string(&mut self, field: &'static str) -> Result<String, ReadError> {
        if self.is_inside_line {
            self.is_inside_line = false;
            if let Some(rest) = self.cursor.next_line()
                && !rest.is_empty()
            {
                let what = format!("{} follows a number on its line", shortened(rest));
                return Err(self.malformed(field, what));
            }
        }
        if self.cursor.remaining() == 0 {
            self.need_text();
        }
        let line = self.cursor.line(field)?;
        match self.window.is_some() && is_unprintable(line) {
            true => Err(self.malformed(field, format!("{field} is no text"))),
            false => Ok(line.to_owned()),
        }
    }

    fn int(&mut self, field: &'static str) -> Result<i32, ReadError> {
        let token = self.token(field)?;
        let what = || format!("{} is no whole number", shortened(token));
        token.parse().map_err(|_| self.malformed(field, what()))
    }

    fn float(&mut self, field: &'static str) -> Result<f32, ReadError> {
        let token = self.token(field)?;
        self.parse_float(token, field)
    }

    fn vector<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError> {
        if self.is_inside_line {
            let rest = self.cursor.next_line().unwrap_or_default();
            if !rest.is_empty() {
                let what = format!("{} follows a number on its line", shortened(rest));
                return Err(self.malformed(field, what));
            }
        }
        let line = self.line_with_text(field)?;
        let is_gap = |c: char| c == '|' || c.is_whitespace();
        let mut tokens = line.split(is_gap).filter(|token| !token.is_empty());
        let mut values = [0.0; N];
        for value in &mut values {
            let Some(token) = tokens.next() else {
                return Err(self.malformed(field, format!("{field} has not {N} numbers")));
            };
            *value = self.parse_float(token, field)?;
        }
        match tokens.next() {
            None => Ok(values),
            Some(_) => Err(self.malformed(field, format!("{field} has more than {N} numbers"))),
        }
    }

    fn count(&mut self, least: Least, field: &'static str) -> Result<usize, ReadError> {
        let num = self.int(field)?;
        // A number takes a digit and what parts it from the next, a string its line's end; the
        // last line may lack that.
        let chars_each = (least.strings + 2 * least.numbers) as u64;
        let left = self.num_trailing() + 1;
        match usize::try_from(num) {
            Ok(usable) if (usable as u64).saturating_mul(chars_each) <= left => Ok(usable),
            _ => {
                let what = format!("{field} {num} does not fit into {left} characters");
                Err(self.malformed(field, what))
            }
        }
    }

    fn list<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        let present = self.cursor.remaining() + 1;
        self.cursor.vec(num.min(present), field)
    }

    fn malformed(&self, field: &'static str, what: String) -> ReadError {
        self.cursor.malformed(field, what)
    }

    fn place(&self) -> Place {
        Place::Line(self.cursor.line_number())
    }

    fn num_trailing(&self) -> u64 {
        let present = match self.cursor.is_at_end() {
            true => 0,
            false => self.cursor.remaining() as u64,
        };
        present + self.window.map_or(0, |window| window.beyond)
    }

    fn probed_bytes_left(&self) -> Option<u64> {
        self.window.map(|_| self.num_trailing())
    }

    fn ran_out(&self) -> bool {
        self.window.is_some_and(|window| window.ran_out)
    }
}

/// A token as it can be shown: quoted, and not longer than a message should be.
fn shortened(token: &str) -> String {
    const SHOWN: usize = 24;
    match token.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", token.get(..end).unwrap_or_default()),
        None => format!("{token:?}"),
    }
}
