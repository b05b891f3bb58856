//! The fields of a Sims file in order, whether they stand in lines or in bytes.
//!
//! For: one description of each structure, read by `TextFields` and `BinaryFields` alike, and
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
//! Not for: the order of fields; `skin_file` and `character_fields` hold that.

use crate::formats::ReadError;
use rigscope_core::model::Place;

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
pub(super) struct Window {
    /// Bytes of the file past the window.
    pub(super) beyond: u64,
    /// A value reached past the window.
    pub(super) ran_out: bool,
}

/// The fields of a file, front to back.
pub(super) trait Fields {
    /// Whether a blend is stored as weight and vertex, and not as vertex and weight.
    const IS_WEIGHT_FIRST: bool;
    /// Whether fields are bytes and not text.
    const IS_BINARY: bool;

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
    /// Bytes of the file before the present place; `None` where they are not known.
    fn offset(&self) -> Option<usize>;
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
pub(super) fn is_unprintable(text: &str) -> bool {
    text.chars().any(|c| c < ' ' || c == '\u{7f}')
}
