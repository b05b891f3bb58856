//! The bytes of a file while some of them are changed.
//!
//! Several arrays may be stored in the same bytes: accessors of glTF share views, overlap, or are used by several
//! meshes and skins. Each array in the byte map reads some bytes with some meaning. A byte may only change if
//! all of its readers need the new value.

use std::ops::Range;

use super::slot::{NotInPlace, encode};
use rigscope_core::model::Field;

/// The bytes of a file, before and after changes.
pub(super) struct Claims<'a> {
    pub(super) original: &'a [u8],
    bytes: Vec<u8>,
    /// Bytes that some reader needs as they are.
    needed: Vec<bool>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(original: &'a [u8]) -> Self {
        Self { original, bytes: original.to_vec(), needed: vec![false; original.len()] }
    }

    /// The bytes of a record before all changes.
    pub(super) fn record(&self, record: Range<u64>) -> Result<&'a [u8], NotInPlace> {
        self.original.get(in_memory(record)?).ok_or(NotInPlace)
    }

    /// Replaces the numbers of a field in the record with these bytes. Fails if other readers need different bytes.
    pub(super) fn write(
        &mut self,
        record: Range<u64>,
        field: &Field,
        [old, new]: [&[f64]; 2],
    ) -> Result<(), NotInPlace> {
        let record = in_memory(record)?;
        let mut wanted = self.original.get(record.clone()).ok_or(NotInPlace)?.to_vec();
        encode(field, &mut wanted, old, new)?;
        let part = in_memory(field.range(wanted.len() as u64))?;
        let wanted = wanted.get(part.clone()).ok_or(NotInPlace)?;
        let first = record.start.checked_add(part.start).ok_or(NotInPlace)?;
        for (at, wanted) in (first..).zip(wanted) {
            let (Some(original), Some(byte), Some(needed)) =
                (self.original.get(at), self.bytes.get_mut(at), self.needed.get_mut(at))
            else {
                return Err(NotInPlace);
            };
            if wanted == original {
                *needed = true;
            } else if *needed {
                return Err(NotInPlace);
            }
            if *byte != *original && byte != wanted {
                return Err(NotInPlace);
            }
            *byte = *wanted;
        }
        Ok(())
    }

    /// Declares that a reader needs a field of a record as it is.
    pub(super) fn keep(&mut self, record: Range<u64>, field: &Field) -> Result<(), NotInPlace> {
        let part = field.range(record.end.saturating_sub(record.start));
        self.keep_bytes(record.start + part.start..record.start + part.end)
    }

    /// Declares that a reader needs some bytes as they are.
    pub(super) fn keep_bytes(&mut self, bytes: Range<u64>) -> Result<(), NotInPlace> {
        let bytes = in_memory(bytes)?;
        let of = |list: &[u8]| list.get(bytes.clone()).map(<[u8]>::to_vec);
        if of(&self.bytes) != of(self.original) {
            return Err(NotInPlace);
        }
        self.needed.get_mut(bytes).ok_or(NotInPlace)?.fill(true);
        Ok(())
    }

    /// Whether any of some bytes has changed.
    pub(super) fn has_changed(&self, bytes: Range<u64>) -> bool {
        let Ok(bytes) = in_memory(bytes) else { return false };
        self.bytes.get(bytes.clone()) != self.original.get(bytes)
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

fn in_memory(range: Range<u64>) -> Result<Range<usize>, NotInPlace> {
    let to = |at: u64| usize::try_from(at).map_err(|_| NotInPlace);
    Ok(to(range.start)?..to(range.end)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::Scalar;

    fn field() -> Field {
        Field::new("value", 0, Scalar::F32.times(1))
    }

    fn bytes(values: [f32; 2]) -> Vec<u8> {
        values.into_iter().flat_map(f32::to_le_bytes).collect()
    }

    #[test]
    fn a_byte_changes_only_if_all_its_readers_need_the_new_value() {
        let original = bytes([1.0, 2.0]);
        let write = |claims: &mut Claims<'_>, to| claims.write(0..4, &field(), [&[1.0], &[to]]);
        let mut same = Claims::new(&original);
        assert_eq!([write(&mut same, 3.0), write(&mut same, 3.0)], [Ok(()); 2]);
        assert_eq!(same.into_bytes(), bytes([3.0, 2.0]));
        let mut other = Claims::new(&original);
        assert_eq!([write(&mut other, 3.0), write(&mut other, 4.0)], [Ok(()), Err(NotInPlace)]);
        // The order doesn't matter.
        let mut first = Claims::new(&original);
        assert_eq!([write(&mut first, 1.0), write(&mut first, 3.0)], [Ok(()), Err(NotInPlace)]);
        let mut last = Claims::new(&original);
        assert_eq!([write(&mut last, 3.0), write(&mut last, 1.0)], [Ok(()), Err(NotInPlace)]);
        let mut overlapped = Claims::new(&original);
        assert_eq!(write(&mut overlapped, 3.0), Ok(()));
        assert_eq!(overlapped.keep_bytes(3..6), Err(NotInPlace));
        assert_eq!(overlapped.keep_bytes(4..8), Ok(()));
    }
}
