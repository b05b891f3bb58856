//! What lies at a place of the picture.
//!
//! Not for: finding it (`gpu::pick`, and `state::pick` without a GPU), what a click makes of it
//! (`state`).

use crate::model::{BoneId, MeshId, VertexId};

/// What is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PickHit {
    /// The triangle that is seen; none behind a bone.
    pub triangle: Option<PickedTriangle>,
    /// The point or line that is seen.
    pub point: Option<PickedPoint>,
    /// The nearest bone that is drawn, within reach.
    pub bone: Option<PickedBone>,
}

/// A triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedTriangle {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its number in the mesh: indices 3 n to 3 n + 2.
    pub triangle: u32,
    /// The subset it is drawn for, counted over all meshes.
    pub subset: usize,
    /// Its corner nearest on the screen.
    pub vertex: VertexId,
}

/// A vertex by itself: a point, the nearer end of a line, or one of a mesh that is nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedPoint {
    /// Its mesh.
    pub mesh: MeshId,
    /// Which.
    pub vertex: VertexId,
    /// The lines or points that it is drawn for, counted over the parts of all meshes.
    pub subset: Option<usize>,
}

/// A bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedBone {
    /// Which.
    pub bone: BoneId,
    /// How far from the pointer, in points; 0 in the very pixel.
    pub distance_points: f32,
}
