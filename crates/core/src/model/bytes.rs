//! A shared, immutable range of a file's bytes, so that a model can reference arrays instead of
//! copying them.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// A range of bytes that keeps its owner alive. Cloning copies a pointer.
///
/// Invariant: the range is within the owner.
#[derive(Clone)]
pub struct ByteView {
    // `Arc<Vec<u8>>` rather than `Arc<[u8]>`, because converting a file's bytes to the latter
    // copies them.
    owner: Arc<Vec<u8>>,
    start: usize,
    end: usize,
}

impl ByteView {
    /// Views `range` of `owner`; `None` if it isn't within the owner.
    pub fn new(owner: Arc<Vec<u8>>, range: Range<usize>) -> Option<Self> {
        (range.start <= range.end && range.end <= owner.len()).then_some(Self {
            owner,
            start: range.start,
            end: range.end,
        })
    }

    /// Views all of `bytes`.
    #[must_use]
    pub fn whole(bytes: Vec<u8>) -> Self {
        let end = bytes.len();
        Self { owner: Arc::new(bytes), start: 0, end }
    }

    /// Views a subrange of this view; `None` if it isn't within the view.
    pub fn part(&self, range: Range<usize>) -> Option<Self> {
        let (start, end) =
            (self.start.checked_add(range.start)?, self.start.checked_add(range.end)?);
        let is_inside = start <= end && end <= self.end;
        is_inside.then(|| Self { owner: Arc::clone(&self.owner), start, end })
    }

    /// The buffer that this is a view of.
    pub fn owner(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.owner)
    }

    /// Offset of the view within its owner, in bytes.
    pub fn offset(&self) -> usize {
        self.start
    }

    /// Whether both views cover the same memory, rather than equal bytes.
    pub fn same_memory(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.owner, &other.owner) && self.start == other.start && self.end == other.end
    }
}

impl Deref for ByteView {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.owner[self.start..self.end]
    }
}

impl PartialEq for ByteView {
    fn eq(&self, other: &Self) -> bool {
        self.same_memory(other) || **self == **other
    }
}

impl std::fmt::Debug for ByteView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ByteView({} bytes)", self.len())
    }
}
