//! Samples of meshes, and the parts of a model that evidence is about.

use glam::Vec3;

use crate::model::{BoneId, InverseBindSkin, Mesh, MeshId, Model};

/// The vertices and edges of a mesh that are measured.
pub(super) struct MeshSample {
    pub(super) mesh: MeshId,
    pub(super) vertices: Vec<u32>,
    /// The vertices that are posed: the ends of edges, and more.
    pub(super) points: Vec<u32>,
    /// Number of edges. Their ends are the first points, two each.
    pub(super) num_edges: usize,
}

impl MeshSample {
    /// Without edges.
    #[cfg(test)]
    pub(super) fn of_vertices(mesh: MeshId, vertices: Vec<u32>) -> Self {
        Self { mesh, vertices, points: Vec::new(), num_edges: 0 }
    }

    /// Adds a vertex to the points, and returns its index.
    pub(super) fn add_point(&mut self, vertex: u32) -> usize {
        self.points.push(vertex);
        self.points.len() - 1
    }

    /// The vertices of each edge.
    pub(super) fn edges(&self) -> &[[u32; 2]] {
        self.points[..self.num_edges * 2].as_chunks().0
    }
}

/// The skin, if it has bones.
pub(super) fn skin_of(mesh: &Mesh) -> Option<&InverseBindSkin> {
    mesh.inverse_bind().filter(|skin| !skin.bones.is_empty())
}

/// The diagonal of the bounding box of some positions.
pub(super) fn size_of(positions: &[Vec3]) -> f32 {
    crate::model::Aabb::from_points(positions.iter().copied()).extent()
}

#[expect(clippy::cast_possible_truncation, reason = "meshes have fewer than 2^32 vertices")]
pub(super) fn index(at: usize) -> u32 {
    at as u32
}

/// Whether a bone is a root. Roots place the model as a whole; all other bones deform it.
pub(super) fn is_root(model: &Model, bone: BoneId) -> bool {
    model.skeleton.bones().get(bone).is_none_or(|bone| bone.parent.is_none())
}

/// The vertices without weights, in ascending order.
pub(super) fn unweighted(model: &Model, mesh: MeshId) -> Vec<usize> {
    let own = &model.meshes[mesh];
    let Some(skin) = skin_of(own) else { return Vec::new() };
    let has_none =
        |vertex: &usize| skin.stored_row(*vertex).iter().all(|(_, weight)| *weight == 0.0);
    (0..own.num_vertices()).filter(has_none).collect()
}
