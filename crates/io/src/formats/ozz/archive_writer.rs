//! Writes archive values in little-endian order, and tags.
//!
//! Not for: the contents of objects.

use super::ID;
use crate::formats::WriteError;
use crate::formats::record::{Record, bytes_of};

/// Value of byte 0 in little-endian archives.
const LITTLE_ENDIAN: u8 = 1;

pub(super) struct ArchiveWriter(Vec<u8>);

impl ArchiveWriter {
    pub(super) fn new() -> Self {
        Self(vec![LITTLE_ENDIAN])
    }

    /// Starts an object.
    pub(super) fn object(&mut self, tag: &str, version: u32) {
        self.bytes(tag.as_bytes());
        self.bytes(&[0]);
        self.u32(version);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes a count.
    pub(super) fn count(&mut self, what: &'static str, num: usize) -> Result<(), WriteError> {
        let stored = u32::try_from(num).map_err(|_| too_many(what, num, u64::from(u32::MAX)))?;
        self.u32(stored);
        Ok(())
    }

    pub(super) fn u16s(&mut self, values: impl IntoIterator<Item = u16>) {
        self.0.extend(values.into_iter().flat_map(u16::to_le_bytes));
    }

    pub(super) fn f32s(&mut self, values: impl IntoIterator<Item = f32>) {
        self.0.extend(values.into_iter().flat_map(f32::to_le_bytes));
    }

    /// Writes a list with its count.
    pub(super) fn list<T: Record>(
        &mut self,
        what: &'static str,
        values: &[T],
    ) -> Result<(), WriteError> {
        self.count(what, values.len())?;
        self.bytes(&bytes_of(values));
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// An error for a count that can't be stored.
pub(super) fn too_many(what: &'static str, count: usize, limit: u64) -> WriteError {
    WriteError::TooMany { format: ID, what, count: count as u64, limit }
}
