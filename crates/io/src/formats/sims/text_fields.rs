//! Reads the fields of SKN and CMX: lines and numbers.
//!
//! Ambiguous: `1.#QNAN` and similar spellings of old C libraries are read as non-finite numbers.

use super::fields::{Fields, Least, Window, is_unprintable};
use crate::formats::text::{TextCursor, is_not_finite, shortened};
use crate::formats::{Limits, ReadError};
use rigscope_core::model::Place;

pub(super) struct TextFields<'a> {
    cursor: TextCursor<'a>,
    /// Whether a number was read, so that the rest of its line doesn't count as a line.
    is_inside_line: bool,
    window: Option<Window>,
    /// Offset of the text in the file, if the text consists of the file's bytes.
    before: Option<usize>,
}

impl<'a> TextFields<'a> {
    /// The fields of a whole text.
    pub(super) fn new(format: &'static str, text: &'a str, limits: &Limits) -> Self {
        Self {
            cursor: TextCursor::new(format, text, limits),
            is_inside_line: false,
            window: None,
            before: None,
        }
    }

    /// Sets the position of the text in `file`, if it consists of the file's bytes.
    pub(super) fn within(self, file: &[u8]) -> Self {
        Self { before: self.cursor.bytes_before(file), ..self }
    }

    /// For a probe: the fields of a text that continues for `beyond` bytes, read strictly.
    pub(super) fn probing(format: &'static str, text: &'a str, beyond: u64) -> Self {
        Self {
            window: Some(Window { beyond, ran_out: false }),
            ..Self::new(format, text, &Limits::default())
        }
    }

    /// The next line that isn't blank.
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

    fn as_float(&self, token: &str) -> Option<f32> {
        let is_probing = self.window.is_some();
        match token.parse::<f32>() {
            Ok(value) if value.is_finite() || !is_probing => Some(value),
            Err(_) if is_not_finite(token) && !is_probing => Some(f32::NAN),
            _ => None,
        }
    }
}

impl Fields for TextFields<'_> {
    const IS_WEIGHT_FIRST: bool = false;
    const IS_BINARY: bool = false;

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
        if self.window.is_some() && is_unprintable(line) {
            Err(self.malformed(field, format!("{field} is not text")))
        } else {
            Ok(line.to_owned())
        }
    }

    fn int(&mut self, field: &'static str) -> Result<i32, ReadError> {
        let token = self.token(field)?;
        let what = || format!("{} is not a whole number", shortened(token));
        token.parse().map_err(|_| self.malformed(field, what()))
    }

    fn float(&mut self, field: &'static str) -> Result<f32, ReadError> {
        let token = self.token(field)?;
        let what = || format!("{} isn't a number", shortened(token));
        self.as_float(token).ok_or_else(|| self.malformed(field, what()))
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
                return Err(self.malformed(field, format!("{field} does not have {N} numbers")));
            };
            let Some(number) = self.as_float(token) else {
                let what = format!("{} isn't a number", shortened(token));
                return Err(self.cursor.malformed_at(token, field, what));
            };
            *value = number;
        }
        match tokens.next() {
            None => Ok(values),
            Some(token) => {
                let what = format!("{field} has more than {N} numbers");
                Err(self.cursor.malformed_at(token, field, what))
            }
        }
    }

    fn count(&mut self, least: Least, field: &'static str) -> Result<usize, ReadError> {
        let num = self.int(field)?;
        // A number takes a digit and a separator, a string a line end; the last line may lack its end.
        let chars_each = (least.strings + 2 * least.numbers) as u64;
        let left = self.num_trailing().saturating_add(1);
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
        Place::line(self.cursor.line_number())
    }

    fn offset(&self) -> Option<usize> {
        Some(self.before? + self.cursor.line_end_offset())
    }

    fn num_trailing(&self) -> u64 {
        let present = if self.cursor.is_at_end() { 0 } else { self.cursor.remaining() as u64 };
        present.saturating_add(self.window.map_or(0, |window| window.beyond))
    }

    fn probed_bytes_left(&self) -> Option<u64> {
        self.window.map(|_| self.num_trailing())
    }

    fn ran_out(&self) -> bool {
        self.window.is_some_and(|window| window.ran_out)
    }
}
