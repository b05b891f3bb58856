//! The result of picking at a point of the view.
//!
//! Not for: finding it (`gpu::pick`, and `state::pick` without a GPU), the effect of a click
//! (`state`).

use crate::model::{BoneId, MeshId, VertexId};

/// The objects at a point of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PickHit {
    /// The visible triangle; `None` behind a bone.
    pub triangle: Option<PickedTriangle>,
    /// The visible point or line.
    pub point: Option<PickedPoint>,
    /// The nearest visible bone within the picking radius.
    pub bone: Option<PickedBone>,
}

/// A picked triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedTriangle {
    /// The triangle's mesh.
    pub mesh: MeshId,
    /// Index within the mesh: indices 3 n to 3 n + 2.
    pub triangle: u32,
    /// The subset that it is drawn for, numbered over all meshes.
    pub subset: usize,
    /// The corner nearest to the pointer.
    pub vertex: VertexId,
}

/// A picked vertex: a point, the nearer end of a line, or a vertex of a point cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedPoint {
    /// The vertex's mesh.
    pub mesh: MeshId,
    /// Index within the mesh.
    pub vertex: VertexId,
    /// The loose geometry that it is drawn for, numbered over the parts of all meshes.
    pub subset: Option<usize>,
}

/// A picked bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedBone {
    /// Index of the bone.
    pub bone: BoneId,
    /// Distance from the pointer in points; 0 directly under it.
    pub distance_points: f32,
}
