//! The matrix that transforms normals and tangents if `M` transforms positions.
//!
//! For: showing normals as the format's runtime shows them. A reader sets the matrix that its
//! format's runtime uses; conversions use the one of the output's runtime.
//! Not for: choosing between that and the geometrically exact one, which is `pose::Normals`.
//!
//! All give the same directions as long as `M` is a rotation, a translation and a uniform
//! scale. They differ if it scales unevenly, shears or mirrors, and if it is a sum of different
//! rotations: the normal of a vertex between two bones that are 90 degrees apart may deviate by 19
//! degrees.

use super::{Mesh, Skin, SkinNormals};

/// The matrix for the directions of a vertex whose position is transformed by `M`, the weighted sum
/// of its bone matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NormalMatrix {
    /// Normals by the inverse transpose of `M`, tangents by `M`: they stay perpendicular and
    /// tangential to the deformed surface. The rule for formats without a runtime.
    #[default]
    InverseTranspose,
    /// Normals and tangents by `M` itself.
    Same,
    /// Normals and tangents by the cofactors of `M`: the inverse transpose times the determinant,
    /// so that a mirroring matrix flips both.
    Cofactor,
    /// Normals by the weighted sum of the inverse transposes of the bone matrices, tangents by `M`.
    InverseTransposePerBone,
    /// [`Self::Same`] for meshes with a skin, and [`Self::InverseTranspose`] for others. Only in models played as a
    /// runtime.
    SameIfSkinned,
}

impl NormalMatrix {
    /// Name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::InverseTranspose => "inverse transpose",
            Self::Same => "the position matrix",
            Self::Cofactor => "cofactors",
            Self::InverseTransposePerBone => "inverse transposes per bone",
            Self::SameIfSkinned => "the position matrix of skinned meshes",
        }
    }

    /// Whether normals stay perpendicular to a surface that a single bone moves, whatever its scale.
    #[must_use]
    pub fn is_perpendicular(self) -> bool {
        matches!(self, Self::InverseTranspose | Self::InverseTransposePerBone)
    }

    /// The matrix for a mesh; never [`Self::SameIfSkinned`].
    #[must_use]
    pub fn of_mesh(self, mesh: &Mesh) -> Self {
        match (self, &mesh.skin) {
            (Self::SameIfSkinned, Skin::None) => Self::InverseTranspose,
            (Self::SameIfSkinned, Skin::InverseBind(skin))
                if skin.normals == SkinNormals::InverseTranspose =>
            {
                Self::InverseTranspose
            }
            (Self::SameIfSkinned, _) => Self::Same,
            (own, _) => own,
        }
    }
}
