//! What a pose turns into its mirror image: meshes on nodes, and single vertices of skins.
//!
//! For: triangles and normals that have to be turned where that happens, by readers, by `bake` and by
//! what draws. Not for: turning them.

use glam::Affine3A;

use super::Pose;
use super::mesh_pose::{MeshPose, palette};
use super::skin::Palette;
use crate::model::{Mesh, MeshId, Skin};

/// Whether a matrix makes mirror images.
#[must_use]
pub fn mirrors(matrix: &Affine3A) -> bool {
    matrix.matrix3.determinant() < 0.0
}

/// Whether `pose` mirrors each vertex of `mesh`, which is no bone-local one.
#[must_use]
pub fn mirrored_vertices(mesh: &Mesh, pose: &MeshPose) -> Vec<bool> {
    let palette = Palette::of(mesh, &pose.palette);
    let is_mirrored = |vertex| mirrors(&palette.blend_of(mesh, vertex).0);
    (0..mesh.num_vertices()).map(is_mirrored).collect()
}

impl Pose {
    /// Whether what `mesh`, number `id` of the model that was posed, is attached to mirrors it, so that
    /// whoever shows it there turns its triangles. A skin never counts: what it moves is drawn as it
    /// comes out.
    pub fn is_mirrored(&self, id: MeshId, mesh: &Mesh) -> bool {
        let is_cached = self.cached.as_ref().is_some_and(|cached| cached.mesh == id);
        let hangs = matches!(mesh.skin, Skin::None) && !is_cached;
        hangs && palette(mesh, self).first().is_some_and(mirrors)
    }
}
