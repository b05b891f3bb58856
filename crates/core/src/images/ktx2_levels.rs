//! The level index of KTX 2 files.

/// Bytes of a level, located by its entry in the level index. The `ktx2` crate's own accessor only
/// returns data that borrows from the reader.
pub(super) fn level_bytes(bytes: &[u8], level: u32) -> Option<&[u8]> {
    const HEAD_BYTES: usize = 80;
    const ROW_BYTES: usize = 24;
    let row = HEAD_BYTES + ROW_BYTES * level as usize;
    let (numbers, _) = bytes.get(row..row + 16)?.as_chunks::<8>();
    let mut numbers = numbers.iter().map(|eight| u64::from_le_bytes(*eight));
    let start = usize::try_from(numbers.next()?).ok()?;
    let num_bytes = usize::try_from(numbers.next()?).ok()?;
    bytes.get(start..start.checked_add(num_bytes)?)
}
