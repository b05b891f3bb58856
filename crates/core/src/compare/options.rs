//! Options of a comparison.

use super::{DIFFERENCES, DifferenceKind};

/// How to match vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchBy {
    /// By index if both sides have the same number of vertices and most of them agree, otherwise by
    /// position.
    #[default]
    Auto,
    /// The first with the first, and so on.
    Index,
    /// By nearest position, in a pose that both models have.
    Position,
}

/// The kinds to compare, and the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareOptions {
    pub match_by: MatchBy,
    /// The allowed difference: a fraction of A's extent for positions, radians for directions, a
    /// fraction of the duration for times, absolute for UVs, colours, weights and matrix entries.
    pub tolerance: f64,
    /// The most keys of a clip at which all vertices are compared, evenly chosen. At other keys and
    /// between keys, a few vertices decide whether to compare all.
    pub max_moments: usize,
    /// The kinds to compare and report.
    pub kinds: Vec<DifferenceKind>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            match_by: MatchBy::Auto,
            tolerance: 0.0,
            max_moments: 300,
            kinds: DIFFERENCES.iter().map(|info| info.kind).collect(),
        }
    }
}

impl CompareOptions {
    /// Whether to compare `kind`.
    pub fn wants(&self, kind: DifferenceKind) -> bool {
        self.kinds.contains(&kind)
    }
}
