//! Which meshes and vertices a pose mirrors.
//!
//! For: readers, `reshape` and renderers, which flip triangles and normals there. Not for: flipping them.

use glam::Affine3A;

use super::Pose;
use super::mesh_pose::{MeshPose, palette};
use super::skin::Palette;
use crate::model::{Mesh, MeshId, Skin};

/// Whether a matrix mirrors.
#[must_use]
pub fn mirrors(matrix: &Affine3A) -> bool {
    matrix.matrix3.determinant() < 0.0
}

/// Whether `pose` mirrors each vertex of `mesh`, which must not have a bone-local skin.
#[must_use]
pub fn mirrored_vertices(mesh: &Mesh, pose: &MeshPose) -> Vec<bool> {
    let palette = Palette::of(mesh, &pose.palette);
    let is_mirrored = |vertex| mirrors(&palette.blend_of(mesh, vertex).0);
    (0..mesh.num_vertices()).map(is_mirrored).collect()
}

impl Pose {
    /// Whether the node or bone that `mesh` (index `id` of the posed model) is attached to mirrors it, so
    /// that its triangles must be flipped for display. Skins never count: their results are drawn as they
    /// are.
    pub fn is_mirrored(&self, id: MeshId, mesh: &Mesh) -> bool {
        let is_cached = self.cached.as_ref().is_some_and(|cached| cached.mesh == id);
        let hangs = matches!(mesh.skin, Skin::None) && !is_cached;
        hangs && palette(mesh, self).first().is_some_and(mirrors)
    }
}
