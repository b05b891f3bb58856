//! Texels compressed with Zstandard, by the crate `ruzstd`.

use std::io::Read;

use super::Refusal;

/// Decompresses exactly `num_bytes`, which must have been checked against the limits.
pub(super) fn unpacked(packed: &[u8], num_bytes: usize) -> Result<Vec<u8>, Refusal> {
    let reader = ruzstd::decoding::StreamingDecoder::new(packed)
        .map_err(|error| Refusal::damaged(&error))?;
    let mut out = Vec::new();
    // Never produces more than requested, whatever size the frame states.
    reader
        .take(num_bytes as u64)
        .read_to_end(&mut out)
        .map_err(|error| Refusal::damaged(&error))?;
    if out.len() == num_bytes { Ok(out) } else { Err(Refusal::truncated("texels")) }
}
