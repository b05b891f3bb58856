//! Limits on the size of files and on the memory that readers may allocate.

/// Upper bounds for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file in bytes; models keep views of it.
    pub max_file_bytes: u64,
    /// Bytes that a reader may allocate in addition to the file.
    pub max_alloc_bytes: u64,
    /// Bones in a skeleton.
    pub max_bones: u32,
}

impl Default for Limits {
    /// Far above any real asset, but low enough that a desktop machine doesn't swap, and at most half of a
    /// 32-bit address space. A file that doesn't fit into memory is refused when it's read.
    fn default() -> Self {
        let (max_file_bytes, max_alloc_bytes) = match usize::BITS {
            64.. => (16 << 30, 4 << 30),
            _ => (2 << 30, 2 << 30),
        };
        Self { max_file_bytes, max_alloc_bytes, max_bones: 1 << 16 }
    }
}

/// A reader may allocate this many times the size of the file …
const MEMORY_FACTOR: u64 = 12;
/// … plus this much.
const MEMORY_ROOM_BYTES: u64 = 32 << 20;

/// The memory that a reader may still allocate.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left_bytes: u64,
}

impl Budget {
    pub fn new(limits: &Limits) -> Self {
        Self { left_bytes: limits.max_alloc_bytes }
    }

    /// A budget limited by the size of the file as well. Many records can refer to the same few bytes, so a
    /// small file could otherwise exhaust memory within the general limits.
    pub fn of_file(limits: &Limits, file_bytes: usize) -> Self {
        let by_size = (file_bytes as u64).saturating_mul(MEMORY_FACTOR);
        let by_size = by_size.saturating_add(MEMORY_ROOM_BYTES);
        Self { left_bytes: limits.max_alloc_bytes.min(by_size) }
    }

    /// Deducts room for `count` values of `T`.
    ///
    /// # Errors
    /// The number of bytes left, if they aren't enough. Nothing is deducted then.
    pub fn take<T>(&mut self, count: usize) -> Result<(), u64> {
        let wanted = (count as u64).saturating_mul(size_of::<T>() as u64);
        self.left_bytes = self.left_bytes.checked_sub(wanted).ok_or(self.left_bytes)?;
        Ok(())
    }
}
