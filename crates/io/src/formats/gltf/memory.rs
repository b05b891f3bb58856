//! The memory that a file may still use while it is read.

use bytemuck::Zeroable;

use super::fault::over_limit;
use crate::formats::{Budget, Limits, ReadError};

/// Memory that a file may need, as a multiple of its size …
const FACTOR: u64 = 12;
/// … plus this constant.
const ROOM_BYTES: u64 = 32 << 20;

/// How much a kind of compressed data may raise the budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compression {
    /// Highest compression ratio that counts; only contrived files exceed it.
    pub(super) max_ratio: u64,
    /// Memory that the decoder needs, as a multiple of the decoded size.
    pub(super) decoder_factor: u64,
}

/// The remaining memory. With only the budget, a small file could exhaust memory by using one mesh
/// in many nodes.
#[derive(Debug)]
pub(super) struct Memory {
    budget: Budget,
    file_bytes: u64,
    /// Bytes left of the amount allowed for a file of this size.
    left_bytes: u64,
    /// Decoded bytes that have raised `left_bytes`.
    raised_bytes: u64,
}

impl Memory {
    /// For a file that has `file_bytes` together with its buffers.
    pub(super) fn new(limits: &Limits, file_bytes: u64) -> Self {
        Self {
            budget: Budget::new(limits),
            file_bytes,
            left_bytes: file_bytes.saturating_mul(FACTOR).saturating_add(ROOM_BYTES),
            raised_bytes: 0,
        }
    }

    /// Raises the budget as if `num_bytes` of compressed data were stored uncompressed.
    pub(super) fn raise(&mut self, num_bytes: usize, compression: Compression) {
        let most = self.file_bytes.saturating_mul(compression.max_ratio);
        let gain = (num_bytes as u64).min(most.saturating_sub(self.raised_bytes));
        self.raised_bytes = self.raised_bytes.saturating_add(gain);
        let factor = FACTOR + compression.decoder_factor;
        self.left_bytes = self.left_bytes.saturating_add(gain.saturating_mul(factor));
    }

    /// Charges `num` values of `T` to the budget.
    pub(super) fn charge<T>(&mut self, num: usize, field: &'static str) -> Result<(), ReadError> {
        let wanted = (num as u64).saturating_mul(size_of::<T>() as u64);
        let left = self.left_bytes.checked_sub(wanted);
        match (self.budget.take::<T>(num), left) {
            (Ok(()), Some(left)) => {
                self.left_bytes = left;
                Ok(())
            }
            _ => {
                let what =
                    format!("{field} {num} needs more memory than a file of this size may use");
                Err(over_limit(field, what))
            }
        }
    }

    /// An empty vector with capacity for `num` values, charged to the budget.
    pub(super) fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let mut list = Vec::new();
        match list.try_reserve_exact(num) {
            Ok(()) => Ok(list),
            Err(_) => Err(over_limit(field, format!("{field} {num} does not fit"))),
        }
    }

    /// `num` zeros, charged to the budget. Physical memory is only committed when they are first
    /// written.
    pub(super) fn zeros<T: Zeroable>(
        &mut self,
        num: usize,
        field: &'static str,
    ) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let zeros = bytemuck::allocation::try_zeroed_vec(num);
        zeros.map_err(|()| over_limit(field, format!("{field} {num} does not fit")))
    }
}
