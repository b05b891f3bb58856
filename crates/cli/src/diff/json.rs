//! The structure of `diff --json`. Keys and their order are a contract.

use serde::Serialize;

/// `diff`.
#[derive(Debug, Serialize)]
pub(crate) struct Diff {
    pub(crate) schema: &'static str,
    /// Whether nothing exceeds the tolerance.
    pub(crate) equal: bool,
    pub(crate) max: DiffMax,
    /// Differences that exceed the tolerance come first.
    pub(crate) differences: Vec<DifferenceEntry>,
    /// The matched vertex that moved farthest; null if none moved.
    pub(crate) worst: Option<DiffWorst>,
    /// Size of A in the pose used for matching, in display units.
    pub(crate) extent: f64,
    pub(crate) matched: DiffMatched,
}

/// A vertex of A, its match in B, and when they are farthest apart.
#[derive(Debug, Serialize)]
pub(crate) struct DiffWorst {
    /// Display units.
    pub(crate) distance: f64,
    /// Relative to the size of A.
    pub(crate) of_size: f64,
    pub(crate) mesh: usize,
    pub(crate) vertex: usize,
    pub(crate) mesh_b: usize,
    pub(crate) vertex_b: usize,
    /// Index among the clips of A; null for the pose in which vertices were matched.
    pub(crate) clip: Option<usize>,
    pub(crate) time_secs: Option<f64>,
}

/// The largest differences; null if there was nothing to compare.
#[derive(Debug, Serialize)]
pub(crate) struct DiffMax {
    /// Display units.
    pub(crate) position: Option<f64>,
    pub(crate) normal_deg: Option<f64>,
    pub(crate) uv: Option<f64>,
    pub(crate) weight: Option<f64>,
    pub(crate) key: Option<f64>,
    /// Over all clips, display units.
    pub(crate) skinned: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct DifferenceEntry {
    pub(crate) kind: &'static str,
    pub(crate) group: &'static str,
    pub(crate) what: String,
    pub(crate) count: u64,
    /// Null for kinds that have no amount.
    pub(crate) amount: Option<f64>,
    pub(crate) exceeds: bool,
}

/// How vertices were matched.
#[derive(Debug, Serialize)]
pub(crate) struct DiffMatched {
    pub(crate) by: &'static str,
    pub(crate) pose_a: &'static str,
    pub(crate) pose_b: &'static str,
    pub(crate) unmatched_a: usize,
    pub(crate) unmatched_b: usize,
    /// The largest distance from an unmatched vertex to the nearest vertex of the other file.
    pub(crate) farthest_unmatched: Option<f64>,
}
