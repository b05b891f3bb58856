//! The kinds of facts about runtimes.

use crate::model::NormalMatrix;

/// The rules by which a runtime plays a model.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub influences: Influencing,
    pub weights: Weights,
    /// The most morph targets per mesh. `None` without a limit.
    pub max_morph_targets: Option<usize>,
    pub rotations: Rotations,
    pub splines: Splines,
    pub rates: Rates,
    /// The matrix applied to normals and tangents.
    pub normals: NormalMatrix,
}

/// The influences of a vertex that a runtime reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Influencing {
    /// All of them.
    All,
    /// Those of the first set (glTF: `JOINTS_0`, up to four).
    FirstSet,
    /// The first ones in the order of the file, up to this number.
    First(usize),
    /// The heaviest ones, up to this number.
    Heaviest(usize),
}

/// The normalization of a vertex's weights, after influences were dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// They are used as stored.
    AsStored,
    /// They are divided by their sum.
    Normalized,
    /// They are divided by their sum. If it is zero, the vertex follows the first joint of the skin.
    NormalizedToJoint,
}

/// The interpolation between rotation keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotations {
    /// Spherical, as in the glTF specification.
    Slerp,
    /// Component by component, along the shorter way, and normalized.
    Nlerp,
}

/// The interpolation of tracks with tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splines {
    /// Cubic Hermite splines.
    Cubic,
    /// The tangents are ignored, and the values are interpolated linearly.
    Linear,
    /// The earlier value holds.
    Step,
}

/// The times at which clips are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rates {
    /// At the exact time.
    Exact,
    /// At this number of frames per second; the earlier frame holds.
    Frames(f64),
    /// At this number of frames per second, with linear interpolation between them.
    Interpolated(f64),
}

impl Rules {
    /// The rules of the glTF specification, which use everything.
    pub const EXACT: Self = Self {
        influences: Influencing::All,
        weights: Weights::AsStored,
        max_morph_targets: None,
        rotations: Rotations::Slerp,
        splines: Splines::Cubic,
        rates: Rates::Exact,
        normals: NormalMatrix::InverseTranspose,
    };
}
