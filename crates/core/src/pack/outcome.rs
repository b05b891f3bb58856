//! The results of packing, and the losses.

use super::clips::ClipPoses;
use crate::model::{Model, Origins};

/// A model as one packed mesh, or as several if it exceeds the limits of one.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The packed models, which together are the whole.
    pub parts: Vec<Packed>,
    pub dropped: Dropped,
    pub changed: Changed,
    /// The requested scale.
    pub scale: f32,
    /// The poses from which keys were made.
    pub(super) poses: Vec<ClipPoses>,
}

/// A packed model and the origins of its vertices.
#[derive(Clone, Debug)]
pub struct Packed {
    /// A single mesh, ready for the GPU.
    pub model: Model,
    /// Every source of every packed vertex (several if vertices were welded), and the source of
    /// each bone and clip.
    pub origins: Origins,
}

/// Data that the packed layout can't hold, counted in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Vertices that lost influences beyond the fourth.
    pub num_cut_vertices: usize,
    /// The largest fraction of weight that a vertex lost, 0 to 1.
    pub worst_share: f32,
    /// The largest displacement of a vertex by this over all keys, in units of the packed model.
    pub displacement: f32,
    /// Morph targets, which are frozen at their default weights.
    pub num_morph_targets: usize,
    /// Meshes with dual quaternion blending, which become linear.
    pub num_dual_quaternion_meshes: usize,
    /// Meshes whose influences have separate positions; each vertex gets its position in the
    /// default pose.
    pub num_bone_local_meshes: usize,
    /// Vertex animations.
    pub num_vertex_caches: usize,
    /// Vertices with clamped texture coordinates.
    pub num_clamped_uvs: usize,
}

impl Dropped {
    /// Whether anything was dropped.
    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

/// Data that is stored differently, without a visible effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Vertices whose texture coordinates were moved by whole tiles.
    pub num_moved_uvs: usize,
    /// Triangles cut at tile borders.
    pub num_cut_triangles: usize,
    /// Vertices without weights, which were assigned to a bone that doesn't move.
    pub num_unweighted: usize,
    /// Bones stored twice because meshes bind them differently.
    pub num_doubled_bones: usize,
    /// Meshes on mirroring nodes, whose triangles and bitangents were flipped, because skinning of
    /// packed vertices doesn't flip any.
    pub num_reversed_meshes: usize,
    /// Meshes for which normals were generated.
    pub num_meshes_with_new_normals: usize,
    /// Meshes for which tangents were generated.
    pub num_meshes_with_new_tangents: usize,
    /// Vertices merged with equal ones.
    pub num_welded: usize,
}
