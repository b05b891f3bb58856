//! Reads a byte slice sequentially and checks every count against the bytes left.

use super::record::Record;
use super::{Budget, Failure, Limits, ReadError};
use rigscope_core::model::Place;

/// A position in a file. Errors name the offset and the field.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    format: &'static str,
    bytes: &'a [u8],
    at: usize,
    /// Offset and field of the last value.
    last: (usize, &'static str),
    budget: Budget,
}

macro_rules! little_endian {
    ($($name:ident -> $ty:ty),+ $(,)?) => {$(
        /// The next little-endian value.
        ///
        /// # Errors
        /// When too few bytes are left.
        pub fn $name(&mut self, field: &'static str) -> Result<$ty, ReadError> {
            Ok(<$ty>::from_le_bytes(self.array(field)?))
        }
    )+};
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of `bytes`.
    pub fn new(format: &'static str, bytes: &'a [u8], limits: &Limits) -> Self {
        Self { format, bytes, at: 0, last: (0, ""), budget: Budget::of_file(limits, bytes.len()) }
    }

    /// Offset from the beginning of the file, in bytes.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Number of bytes left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    little_endian!(u8_le -> u8, u16_le -> u16, u32_le -> u32, u64_le -> u64, f32_le -> f32);
    little_endian!(i16_le -> i16, i32_le -> i32);

    /// Moves to `offset` from the beginning of the file.
    ///
    /// # Errors
    /// If it's past the end.
    pub fn seek(&mut self, offset: u64, field: &'static str) -> Result<(), ReadError> {
        match usize::try_from(offset) {
            Ok(at) if at <= self.bytes.len() => {
                self.at = at;
                self.last = (at, "");
                Ok(())
            }
            _ => Err(self.malformed(
                field,
                format!("{field} offset {offset} is past the end at {}", self.bytes.len()),
            )),
        }
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// If fewer are left.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], ReadError> {
        let bytes = self.take(N, field)?;
        <[u8; N]>::try_from(bytes).map_err(|_| self.cut_short(N, field))
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// If fewer are left.
    pub fn take(&mut self, len: usize, field: &'static str) -> Result<&'a [u8], ReadError> {
        let end = self.at.checked_add(len);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.last = (self.at, field);
                self.at += len;
                Ok(bytes)
            }
            None => Err(self.cut_short(len, field)),
        }
    }

    /// The next record.
    ///
    /// # Errors
    /// If one of its fields is cut off.
    pub(super) fn record<T: Record>(&mut self) -> Result<T, ReadError> {
        self.record_of(T::FIELDS.iter().map(|field| field.name))
    }

    /// The next record, with other field names in errors.
    ///
    /// # Errors
    /// If one of its fields is cut off.
    pub(super) fn record_as<T: Record>(&mut self, names: &[&'static str]) -> Result<T, ReadError> {
        self.record_of(names.iter().copied())
    }

    fn record_of<T: Record>(
        &mut self,
        names: impl Iterator<Item = &'static str>,
    ) -> Result<T, ReadError> {
        let start = self.at;
        for (field, name) in T::FIELDS.iter().zip(names) {
            self.take(field.len.into(), name)?;
        }
        Ok(T::from_bytes(self.bytes.get(start..self.at).unwrap_or_default()))
    }

    /// The number of records as a `usize`, if `num` records of at least `record_bytes` each fit into the
    /// bytes left.
    ///
    /// # Errors
    /// If the records exceed the bytes left.
    pub fn fit(
        &self,
        num: u32,
        record_bytes: usize,
        field: &'static str,
    ) -> Result<usize, ReadError> {
        let left = self.remaining();
        match (num as usize).checked_mul(record_bytes) {
            Some(bytes) if bytes <= left => Ok(num as usize),
            _ => {
                let what = format!(
                    "{field} {num} needs {record_bytes} bytes each and exceeds {left} bytes left"
                );
                let mut failure = self.failure(field, what);
                // If the count wasn't read just before, the error refers to the records.
                failure.bytes = failure.bytes.or(Some(self.at as u64..self.bytes.len() as u64));
                Err(ReadError::Malformed(failure))
            }
        }
    }

    /// An empty vector with capacity for `num` values, deducted from the budget.
    ///
    /// # Errors
    /// If the budget is exhausted or there isn't enough memory.
    pub fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        let mut list = Vec::new();
        let refused = match self.budget.take::<T>(num) {
            Err(left) => Some(format!("{field} {num} needs more than the {left} bytes allowed")),
            Ok(()) => list
                .try_reserve_exact(num)
                .err()
                .map(|_| format!("{field} {num} does not fit in memory")),
        };
        match refused {
            Some(what) => Err(ReadError::Limit(self.failure(field, what))),
            None => Ok(list),
        }
    }

    /// An error in the file at the current offset.
    pub fn malformed(&self, field: &'static str, what: String) -> ReadError {
        ReadError::Malformed(self.failure(field, what))
    }

    /// An error in the file, in the last value read.
    pub fn malformed_value(&self, what: String) -> ReadError {
        ReadError::Malformed(self.failure_of_value(what))
    }

    /// Unsupported contents in the last value read: the file is valid.
    pub fn unsupported_value(&self, what: String) -> ReadError {
        ReadError::Unsupported(self.failure_of_value(what))
    }

    /// An error in the file, in `len` bytes at `offset` that were read before.
    pub fn malformed_at(
        &self,
        offset: u64,
        len: u64,
        field: &'static str,
        what: String,
    ) -> ReadError {
        ReadError::Malformed(self.failure_at(offset, len, field, what))
    }

    /// Unsupported contents at the current offset: the file is valid.
    pub fn unsupported(&self, field: &'static str, what: String) -> ReadError {
        ReadError::Unsupported(self.failure(field, what))
    }

    /// An exceeded limit at the current offset.
    pub fn over_limit(&self, field: &'static str, what: String) -> ReadError {
        ReadError::Limit(self.failure(field, what))
    }

    fn cut_short(&self, wanted: usize, field: &'static str) -> ReadError {
        let left = self.remaining();
        let what = format!("{wanted} bytes needed and only {left} left");
        let mut failure = self.failure(field, what);
        let start = self.at as u64;
        failure.bytes = Some(start..start.saturating_add(wanted as u64));
        ReadError::Malformed(failure)
    }

    fn failure(&self, field: &'static str, what: String) -> Box<Failure> {
        // If the wrong value has just been read, its bytes are known.
        let (start, last) = self.last;
        let is_of_last = last == field && start < self.at;
        Box::new(Failure {
            bytes: is_of_last.then_some(start as u64..self.at as u64),
            ..Failure::new(self.format, field, Place::Offset(self.at as u64), what)
        })
    }

    fn failure_of_value(&self, what: String) -> Box<Failure> {
        let (start, field) = self.last;
        self.failure_at(start as u64, (self.at - start) as u64, field, what)
    }

    fn failure_at(&self, offset: u64, len: u64, field: &'static str, what: String) -> Box<Failure> {
        Box::new(Failure {
            place: Place::Offset(offset),
            bytes: Some(offset..offset.saturating_add(len)),
            ..*self.failure(field, what)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::record::record;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new("test", bytes, &Limits::default())
    }

    #[test]
    fn values_are_read_in_order_and_the_missing_field_is_named() {
        let mut cursor = cursor(&[1, 2, 0, 3, 0, 0, 0, 9]);
        assert_eq!(cursor.u8_le("a").unwrap(), 1);
        assert_eq!(cursor.u16_le("b").unwrap(), 2);
        assert_eq!(cursor.u32_le("c").unwrap(), 3);
        assert_eq!(
            cursor.u64_le("duration").unwrap_err().to_string(),
            "8 bytes needed and only 1 left (TEST duration at offset 0x7)"
        );
        assert_eq!(cursor.offset(), 7, "a failed read moves nothing");
    }

    #[test]
    fn counts_beyond_the_remaining_bytes_are_refused_before_allocation() {
        let cursor = cursor(&[0; 64]);
        assert_eq!(cursor.fit(2, 32, "vertices").unwrap(), 2);
        assert!(matches!(cursor.fit(3, 32, "vertices"), Err(ReadError::Malformed(_))));
        assert!(cursor.fit(u32::MAX, usize::MAX, "vertices").is_err());
    }

    #[test]
    fn errors_contain_the_byte_range_of_their_field() {
        let bytes = |error: ReadError| error.failure().unwrap().bytes.clone();
        let mut cursor = cursor(&[0; 10]);
        assert_eq!(cursor.u32_le("count").unwrap(), 0);
        assert_eq!(bytes(cursor.malformed("count", String::new())), Some(0..4));
        assert_eq!(bytes(cursor.malformed("name", String::new())), None);
        assert_eq!(bytes(cursor.fit(7, 1, "count").unwrap_err()), Some(0..4));
        assert_eq!(bytes(cursor.fit(7, 1, "names").unwrap_err()), Some(4..10));
        assert_eq!(bytes(cursor.u64_le("time").unwrap_err()), Some(4..12));
    }

    record! {
        #[derive(Debug)]
        struct Head {
            magic: [u8; 4] = "magic";
            lines: u64 = "lines";
            center: [f32; 3] = "center";
        }
    }

    #[test]
    fn a_truncated_record_is_an_error_that_names_the_field() {
        for (len, message) in [
            (3, "4 bytes needed and only 3 left (TEST magic at offset 0x0)"),
            (4, "8 bytes needed and only 0 left (TEST lines at offset 0x4)"),
            (23, "12 bytes needed and only 11 left (TEST center at offset 0xc)"),
        ] {
            let error = cursor(&[0; 24][..len]).record::<Head>().unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let mut cursor = cursor(&[7; 25]);
        let head = cursor.record::<Head>().unwrap();
        assert_eq!((head.magic, head.lines, cursor.offset()), ([7; 4], 0x0707_0707_0707_0707, 24));
        let error = cursor.malformed_value("far off".to_owned());
        assert_eq!(error.to_string(), "far off (TEST center at offset 0xc)");
        let error = cursor.record_as::<u32>(&["count"]).unwrap_err();
        assert_eq!(error.to_string(), "4 bytes needed and only 1 left (TEST count at offset 0x18)");
    }

    #[test]
    fn allocations_share_one_budget() {
        let limits = Limits { max_alloc_bytes: 100, ..Limits::default() };
        let mut cursor = Cursor::new("test", &[], &limits);
        assert!(cursor.vec::<u64>(12, "a").is_ok());
        assert!(matches!(cursor.vec::<u64>(1, "b"), Err(ReadError::Limit(_))));
    }
}
