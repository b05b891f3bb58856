//! Reads the fields of BMF and BCF: four-byte numbers, and strings with a length prefix.
//!
//! Ambiguous: the long string with length 255 is only known from documentation, not from files.

use super::fields::{Fields, Least, Window, is_unprintable, least};
use crate::formats::text::windows_1252;
use crate::formats::{Cursor, Limits, ReadError};
use rigscope_core::model::Place;

pub(super) struct BinaryFields<'a> {
    cursor: Cursor<'a>,
    window: Option<Window>,
}

impl<'a> BinaryFields<'a> {
    /// The fields of a whole file.
    pub(super) fn new(format: &'static str, bytes: &'a [u8], limits: &Limits) -> Self {
        Self { cursor: Cursor::new(format, bytes, limits), window: None }
    }

    /// For a probe: the fields of a file that continues for `beyond` bytes, read strictly.
    pub(super) fn probing(format: &'static str, head: &'a [u8], beyond: u64) -> Self {
        Self {
            window: Some(Window { beyond, ran_out: false }),
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
    const IS_BINARY: bool = true;

    fn string(&mut self, field: &'static str) -> Result<String, ReadError> {
        self.need(1);
        let len = match self.cursor.u8_le(field)? {
            u8::MAX if self.window.is_none() => self.count(least(1, 0), field)?,
            short => usize::from(short),
        };
        self.need(len);
        let text = windows_1252(self.cursor.take(len, field)?).into_owned();
        if self.window.is_some() && is_unprintable(&text) {
            Err(self.malformed(field, format!("{field} is not text")))
        } else {
            Ok(text)
        }
    }

    fn int(&mut self, field: &'static str) -> Result<i32, ReadError> {
        self.need(4);
        self.cursor.i32_le(field)
    }

    fn float(&mut self, field: &'static str) -> Result<f32, ReadError> {
        self.need(4);
        let value = self.cursor.f32_le(field)?;
        // Not a number of a valid file, and probably a value of another type.
        let is_odd = !value.is_finite() || value.abs() > 1e9;
        if self.window.is_some() && is_odd {
            Err(self.malformed(field, format!("{field} is {value}")))
        } else {
            Ok(value)
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
            _ => {
                Err(self.malformed(field, format!("{field} {num} does not fit into {left} bytes")))
            }
        }
    }

    fn list<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        // A probe must not allocate memory for data beyond its window.
        let present = self.cursor.remaining();
        self.cursor.vec(num.min(present), field)
    }

    fn malformed(&self, field: &'static str, what: String) -> ReadError {
        self.cursor.malformed(field, what)
    }

    fn place(&self) -> Place {
        Place::Offset(self.cursor.offset() as u64)
    }

    fn offset(&self) -> Option<usize> {
        Some(self.cursor.offset())
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
