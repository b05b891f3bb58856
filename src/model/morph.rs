//! Morph targets: sparse offsets added before skinning.

use glam::Vec3;

use super::{MeshId, Track, VertexId};

/// One shape, as offsets of the vertices it moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Name in the file.
    pub name: String,
    /// Weight outside any clip.
    pub default_weight: f32,
    /// The vertices moved, ascending.
    pub vertices: Vec<VertexId>,
    /// Position offset of each moved vertex.
    pub position_offsets: Vec<Vec3>,
    /// Normal offset of each moved vertex; may be empty.
    pub normal_offsets: Vec<Vec3>,
}

/// The weight of one morph target over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// The mesh.
    pub mesh: MeshId,
    /// Position in its list of targets.
    pub target: usize,
    /// Weights.
    pub weights: Track<f32>,
}
