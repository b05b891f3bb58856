//! What is asked of a comparison.

use super::{DIFFERENCES, DifferenceKind};

/// How vertices find each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchBy {
    /// By index where both have as many vertices and most of them agree, else by position.
    #[default]
    Auto,
    /// The first with the first, and so on.
    Index,
    /// The nearest, in a pose that both have.
    Position,
}

/// What is compared, and how much may differ.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareOptions {
    /// How vertices find each other.
    pub match_by: MatchBy,
    /// What a number may differ by: a part of A's extent for positions, radians for directions, a
    /// part of the duration for times, absolute for UVs, colours, weights and matrix entries.
    pub tolerance: f64,
    /// All vertices of a clip are compared at so many keys at most, evenly chosen; at others and
    /// between them a few vertices tell whether all must be.
    pub max_moments: usize,
    /// The kinds of differences that count; others are neither looked for nor reported.
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
    /// Whether `kind` counts.
    pub fn wants(&self, kind: DifferenceKind) -> bool {
        self.kinds.contains(&kind)
    }
}
