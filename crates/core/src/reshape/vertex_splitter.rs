//! Splits vertices whose corners have different values.

use crate::model::as_u32;
/// Assigns vertices to corners, and splits a vertex if its corners have different values.
pub(super) struct VertexSplitter {
    /// The source of each vertex; the original vertices come first and are their own source.
    pub(super) sources: Vec<u32>,
    /// The next vertex with the same source, as a linked list that begins at the source.
    next: Vec<Option<u32>>,
}

impl VertexSplitter {
    /// Starts with `num` vertices that aren't assigned to any corner yet.
    pub(super) fn new(num: usize) -> Self {
        Self { sources: (0..as_u32(num)).collect(), next: vec![None; num] }
    }

    /// The first vertex with the same source as `vertex` for which `is_fit` returns true, otherwise
    /// a new one.
    pub(super) fn take(&mut self, vertex: u32, mut is_fit: impl FnMut(u32) -> bool) -> u32 {
        let mut at = vertex;
        loop {
            if is_fit(at) {
                return at;
            }
            match self.next.get(at as usize).copied().flatten() {
                Some(next) => at = next,
                None => break,
            }
        }
        let new = as_u32(self.sources.len());
        self.sources.push(vertex);
        self.next.push(None);
        if let Some(next) = self.next.get_mut(at as usize) {
            *next = Some(new);
        }
        new
    }
}
