//! Reads numbers and compressed blocks, and counts the memory that the library will need for them.

use super::Fault;

/// The most bytes that one byte of an LZ4 block stands for.
const MAX_RATIO: u64 = 255;

/// A position in a binary layer.
#[derive(Debug)]
pub(in super::super) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    left_bytes: u64,
    /// The part that is read.
    pub(super) field: &'static str,
    /// The minor version of the file.
    pub(super) version: u8,
}

impl<'a> Bytes<'a> {
    pub(in super::super) fn new(bytes: &'a [u8], left_bytes: u64) -> Self {
        Self { bytes, at: 0, left_bytes, field: "header", version: 0 }
    }

    pub(super) fn fault(&self, what: impl Into<String>) -> Fault {
        Fault { offset: Some(self.at as u64), field: self.field, what: what.into() }
    }

    pub(in super::super) fn position(&self) -> u64 {
        self.at as u64
    }

    pub(in super::super) fn seek(&mut self, to: u64) -> Result<(), Fault> {
        let inside = usize::try_from(to).ok().filter(|to| *to <= self.bytes.len());
        self.at = inside.ok_or_else(|| {
            let num = self.bytes.len();
            self.fault(format!("offset {to} is past the end of the file at {num}"))
        })?;
        Ok(())
    }

    /// Moves by a stored offset.
    pub(super) fn jump(&mut self, by: i64) -> Result<(), Fault> {
        let to = self.position().checked_add_signed(by);
        let to = to.ok_or_else(|| self.fault(format!("offset {by} is before the file")))?;
        self.seek(to)
    }

    pub(super) fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    pub(in super::super) fn take(&mut self, num: u64) -> Result<&'a [u8], Fault> {
        let left = self.left();
        let range = usize::try_from(num).ok().and_then(|num| self.at.checked_add(num));
        let found = range.and_then(|end| Some((end, self.bytes.get(self.at..end)?)));
        let (end, found) =
            found.ok_or_else(|| self.fault(format!("{num} bytes are stated and {left} remain")))?;
        self.at = end;
        Ok(found)
    }

    pub(in super::super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let found = self.take(N as u64)?.try_into();
        found.map_err(|_| self.fault("truncated"))
    }

    pub(super) fn u8(&mut self) -> Result<u8, Fault> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(in super::super) fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Result<i64, Fault> {
        self.array().map(i64::from_le_bytes)
    }

    /// A number of values that follow, of `size` bytes each.
    pub(super) fn count(&mut self, size: u64) -> Result<u64, Fault> {
        let num = self.u64()?;
        self.check_count(num, size)?;
        Ok(num)
    }

    /// Fails unless `num` values of `size` bytes remain.
    pub(super) fn check_count(&mut self, num: u64, size: u64) -> Result<(), Fault> {
        let left = self.left();
        if num.checked_mul(size).is_none_or(|bytes| bytes > left) {
            return Err(self.fault(format!("{num} values are stated and {left} bytes remain")));
        }
        self.charge(num, size)
    }

    /// Deducts memory for `num` values of `size` bytes.
    pub(super) fn charge(&mut self, num: u64, size: u64) -> Result<(), Fault> {
        let bytes = num.checked_mul(size).and_then(|bytes| self.left_bytes.checked_sub(bytes));
        self.left_bytes = bytes.ok_or_else(|| {
            let left = self.left_bytes;
            self.fault(format!("{num} values need more than the {left} bytes left"))
        })?;
        Ok(())
    }

    /// A compressed block that has at least `least_bytes` when it is decompressed, and at most `most_bytes`.
    fn block(&mut self, least_bytes: u64, most_bytes: u64) -> Result<&'a [u8], Fault> {
        let num = self.u64()?;
        if least_bytes > num.saturating_mul(MAX_RATIO).saturating_add(64) {
            return Err(self.fault(format!("{num} bytes can't contain {least_bytes} bytes")));
        }
        self.charge(most_bytes, 1)?;
        let block = self.take(num)?;
        match block.split_first() {
            Some((0, block)) => Ok(block),
            Some((num, _)) => Err(self.fault(format!("a block of {num} chunks isn't supported"))),
            None => Err(self.fault("a compressed block is empty")),
        }
    }

    /// The contents of a compressed block of `num_bytes`.
    pub(in super::super) fn decompressed(&mut self, num_bytes: u64) -> Result<Vec<u8>, Fault> {
        self.contents(num_bytes, num_bytes)
    }

    fn contents(&mut self, least_bytes: u64, most_bytes: u64) -> Result<Vec<u8>, Fault> {
        let block = self.block(least_bytes, most_bytes)?;
        let size = usize::try_from(most_bytes).map_err(|_| self.fault("a block is too large"))?;
        let mut out = vec![0; size];
        let num = lz4_flex::decompress_into(block, &mut out)
            .map_err(|error| self.fault(format!("a block can't be decompressed: {error}")))?;
        out.truncate(num);
        Ok(out)
    }

    /// Skips `num` compressed integers; see [`Self::ints`].
    pub(super) fn skip_ints(&mut self, num: u64) -> Result<(), Fault> {
        self.block(least_encoded_size(num), encoded_size(num))?;
        self.charge(num, 8)
    }

    /// `num` compressed integers: their differences, most of which are a common value.
    pub(in super::super) fn ints(&mut self, num: u64) -> Result<Vec<i32>, Fault> {
        let stored = self.contents(least_encoded_size(num), encoded_size(num))?;
        if num == 0 {
            return Ok(Vec::new());
        }
        self.charge(num, 4)?;
        let count = usize::try_from(num).map_err(|_| self.fault("too many integers"))?;
        let short = || self.fault(format!("the block has fewer than {num} integers"));
        let (common, rest) = stored.split_first_chunk::<4>().ok_or_else(short)?;
        let common = i32::from_le_bytes(*common);
        let (codes, mut deltas) = rest.split_at_checked(count.div_ceil(4)).ok_or_else(short)?;
        let (mut value, mut out) = (0i32, Vec::with_capacity(count));
        for at in 0..count {
            let code = codes.get(at / 4).copied().unwrap_or_default() >> (at % 4 * 2) & 3;
            let delta = match code {
                0 => Some(common),
                1 => next(&mut deltas).map(|delta| i8::from_le_bytes(delta).into()),
                2 => next(&mut deltas).map(|delta| i16::from_le_bytes(delta).into()),
                _ => next(&mut deltas).map(i32::from_le_bytes),
            };
            value = value.wrapping_add(delta.ok_or_else(short)?);
            out.push(value);
        }
        Ok(out)
    }
}

/// The first `N` bytes, which are removed.
fn next<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}

/// The fewest bytes of `num` integers before they are compressed by LZ4: if all have the common difference.
fn least_encoded_size(num: u64) -> u64 {
    if num == 0 { 0 } else { num.div_ceil(4).saturating_add(4) }
}

/// The most bytes of `num` integers before they are compressed by LZ4.
fn encoded_size(num: u64) -> u64 {
    if num == 0 {
        0
    } else {
        num.saturating_mul(4).saturating_add(num.div_ceil(4)).saturating_add(4)
    }
}
