//! Corners that share a vertex and want different values of it.

/// Corners being given vertices: those of one vertex that want different values part.
pub(super) struct Splitter {
    /// The source of each vertex; the first ones are themselves.
    pub(super) sources: Vec<u32>,
    /// The next vertex of the same source, in a list that begins at the source.
    next: Vec<Option<u32>>,
}

impl Splitter {
    /// Starts with `num` vertices that no corner has taken yet.
    pub(super) fn new(num: usize) -> Self {
        Self {
            sources: (0..u32::try_from(num).unwrap_or(u32::MAX)).collect(),
            next: vec![None; num],
        }
    }

    /// The first vertex of the same source as `vertex` of which `is_fit` says so; else a new one.
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
        let new = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(vertex);
        self.next.push(None);
        if let Some(next) = self.next.get_mut(at as usize) {
            *next = Some(new);
        }
        new
    }
}
