//! Which matrix turns normals and tangents, where `M` moves positions.
//!
//! For: showing normals as whoever plays the file shows them. A reader says which matrix its
//! format's own runtime takes; conversions keep what the output's runtime takes.
//! Not for: choosing between that and the geometrically exact one, which is `pose::Normals`.
//!
//! All three give the same directions while `M` turns, shifts and scales alike on all axes. They
//! part where it scales unevenly, shears or mirrors, and where it is a sum of different turns: a
//! vertex between two bones that are 90 degrees apart may be 19 degrees off.

/// What turns the directions of a vertex that `M`, with all weights summed, moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NormalMatrix {
    /// Normals by the inverse transpose of `M`, tangents by `M`: they stay upright on, and in, the
    /// moved surface. The rule of formats without a runtime of their own.
    #[default]
    InverseTranspose,
    /// Normals and tangents by `M` itself.
    Same,
    /// Normals and tangents by the cofactors of `M`: the inverse transpose times the volume, so
    /// that a mirror turns both over.
    Cofactor,
}

impl NormalMatrix {
    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::InverseTranspose => "inverse transpose",
            Self::Same => "the matrix of positions",
            Self::Cofactor => "cofactors",
        }
    }
}
