//! Sequential access to the fields of a Sims file, in text or binary form.
//!
//! For: one description of each structure, read by `TextFields` and `BinaryFields`, and checked strictly by a
//! probe that only has the beginning of a file.
//!
//! | | binary | text |
//! |---|---|---|
//! | integer, bool | i32, little-endian | decimal, on a separate line or several on one |
//! | float | f32, little-endian | decimal; exponents may have three digits |
//! | string | u8 length and bytes; length 255: an i32 length follows | a whole line, trimmed |
//! | vector of a CMX | 3 or 4 floats | one line `\| x y z \|` |
//!
//! The encoding is Windows-1252. In text, blank lines are only skipped before a number, because an empty
//! string occupies a line.
//!
//! Not for: the order of fields, which `skin_file` and `character_fields` define.

use crate::formats::ReadError;
use rigscope_core::model::Place;

/// The minimum number of strings and numbers in a record, to limit how many records fit into the remaining
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    pub(super) strings: usize,
    pub(super) numbers: usize,
}

pub(super) const fn least(strings: usize, numbers: usize) -> Least {
    Least { strings, numbers }
}

/// The state of a probe that only has the beginning of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Size of the rest of the file after the window, in bytes.
    pub(super) beyond: u64,
    /// Whether a value extended past the window.
    pub(super) ran_out: bool,
}

/// The fields of a file in order.
pub(super) trait Fields {
    /// Whether a blend is stored as weight and vertex instead of vertex and weight.
    const IS_WEIGHT_FIRST: bool;
    /// Whether the form is binary.
    const IS_BINARY: bool;

    /// Text, which may be empty.
    fn string(&mut self, field: &'static str) -> Result<String, ReadError>;
    fn int(&mut self, field: &'static str) -> Result<i32, ReadError>;
    fn float(&mut self, field: &'static str) -> Result<f32, ReadError>;
    /// The numbers of a vector, which is on a separate line in a CMX.
    fn vector<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError>;
    /// A number of records, which must fit into the remaining bytes.
    fn count(&mut self, least: Least, field: &'static str) -> Result<usize, ReadError>;
    /// An empty list for `num` records, deducted from the budget.
    fn list<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError>;
    /// An error in the file at the last value.
    fn malformed(&self, field: &'static str, what: String) -> ReadError;
    /// The current place.
    fn place(&self) -> Place;
    /// Number of bytes before the current place; `None` if unknown.
    fn offset(&self) -> Option<usize>;
    /// Number of bytes after the last value, not counting blank lines.
    fn num_trailing(&self) -> u64;
    /// For a probe, the size of the rest of the whole file, in bytes.
    fn probed_bytes_left(&self) -> Option<u64>;
    /// Whether reading ended at the end of a probe's window.
    fn ran_out(&self) -> bool;

    fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], ReadError> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.float(field)?;
        }
        Ok(values)
    }

    /// A string that isn't empty in valid files.
    fn name(&mut self, field: &'static str) -> Result<String, ReadError> {
        let name = self.string(field)?;
        if name.is_empty() && self.probed_bytes_left().is_some() {
            Err(self.malformed(field, format!("{field} is empty")))
        } else {
            Ok(name)
        }
    }

    /// An integer that is 0 or 1 in valid files.
    fn flag(&mut self, field: &'static str) -> Result<i32, ReadError> {
        let value = self.int(field)?;
        if self.probed_bytes_left().is_some() && !(0..=1).contains(&value) {
            Err(self.malformed(field, format!("{field} is {value}")))
        } else {
            Ok(value)
        }
    }

    /// An index or a length, or -1 for none.
    fn index(&mut self, field: &'static str) -> Result<i32, ReadError> {
        const MOST: i32 = 1 << 24;
        let value = self.int(field)?;
        if self.probed_bytes_left().is_some() && !(-1..=MOST).contains(&value) {
            Err(self.malformed(field, format!("{field} is {value}")))
        } else {
            Ok(value)
        }
    }
}

/// Whether a text contains characters that names don't have.
pub(super) fn is_unprintable(text: &str) -> bool {
    text.chars().any(|c| c < ' ' || c == '\u{7f}')
}
