//! How much a file may ask for: a budget that readers spend before they allocate.

/// Upper bounds on what one file may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file, of which models keep views.
    pub max_file_bytes: u64,
    /// Bytes a reader may allocate besides the file itself.
    pub max_alloc_bytes: u64,
    /// Bones in a skeleton.
    pub max_bones: u32,
}

impl Default for Limits {
    /// Generous: far beyond any asset, short of what would make a desktop machine swap, and half of what a
    /// program of 32 bits can address. A file that does not fit into memory is refused when it is read.
    fn default() -> Self {
        let (max_file_bytes, max_alloc_bytes) = match usize::BITS {
            64.. => (16 << 30, 4 << 30),
            _ => (2 << 30, 2 << 30),
        };
        Self { max_file_bytes, max_alloc_bytes, max_bones: 1 << 16 }
    }
}

/// A file may ask for this many times its size …
const MEMORY_FACTOR: u64 = 12;
/// … and this much besides.
const MEMORY_ROOM_BYTES: u64 = 32 << 20;

/// What is left of the limits while a file is read.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left_bytes: u64,
}

impl Budget {
    /// A full budget.
    pub fn new(limits: &Limits) -> Self {
        Self { left_bytes: limits.max_alloc_bytes }
    }

    /// What a file of `file_bytes` may ask for: many records of it can name the same few bytes, so
    /// that the limits alone would let a small file fill the machine.
    pub fn of_file(limits: &Limits, file_bytes: usize) -> Self {
        let by_size = (file_bytes as u64).saturating_mul(MEMORY_FACTOR);
        let by_size = by_size.saturating_add(MEMORY_ROOM_BYTES);
        Self { left_bytes: limits.max_alloc_bytes.min(by_size) }
    }

    /// Spends room for `count` values of `T`; the bytes still left where they do not fit.
    ///
    /// # Errors
    /// The number of bytes left, and nothing is spent.
    pub fn take<T>(&mut self, count: usize) -> Result<(), u64> {
        let wanted = (count as u64).saturating_mul(size_of::<T>() as u64);
        self.left_bytes = self.left_bytes.checked_sub(wanted).ok_or(self.left_bytes)?;
        Ok(())
    }
}
