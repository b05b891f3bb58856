//! Refuses layers that the library can't be trusted with: it allocates memory by counts in the file, follows references
//! between values without limit, parses nested blocks by recursion, and never ends with some wrong paths.
//!
//! Source: OpenUSD, `crateFile.cpp` and `integerCoding.cpp`; the crate `openusd` 0.6, `usdc/reader.rs`, whose reads this
//! follows. Indices into tables aren't checked: a wrong one is an error of the library, which `attributes` contains.

mod bytes;
mod lexer;
mod names;
mod structure;
mod text;
mod values;

pub(super) use bytes::Bytes;

/// Memory that the contents of a layer may need in addition to [`MEMORY_FACTOR`].
const MEMORY_ROOM_BYTES: u64 = 256 << 20;
/// Times the size of the layer: indices compress well.
const MEMORY_FACTOR: u64 = 64;

/// Why a layer is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The place in the layer, if known.
    pub(super) offset: Option<u64>,
    /// The part of the layer.
    pub(super) field: &'static str,
    /// The problem.
    pub(super) what: String,
}

/// Checks a layer whose contents may need at most `max_bytes`.
pub(super) fn check(bytes: &[u8], max_bytes: u64) -> Result<(), Fault> {
    if !bytes.starts_with(super::probe::BINARY) {
        return text::check(bytes);
    }
    let by_size = (bytes.len() as u64).saturating_mul(MEMORY_FACTOR);
    let left_bytes = max_bytes.min(by_size.saturating_add(MEMORY_ROOM_BYTES));
    let mut reader = Bytes::new(bytes, left_bytes);
    let reps = structure::check(&mut reader)?;
    values::check(&mut reader, reps)
}

#[cfg(test)]
mod tests;
