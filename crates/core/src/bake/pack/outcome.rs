//! What packing makes, and what it cost.

use super::clips::ClipPoses;
use crate::model::{Model, Origins};

/// A model as one packed mesh, or as several where it exceeds what one can hold.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The packed models; together they are the whole.
    pub parts: Vec<Packed>,
    /// What the packed layout cannot hold.
    pub dropped: Dropped,
    /// What is stored otherwise than it was.
    pub changed: Changed,
    /// The scale that was asked for.
    pub scale: f32,
    /// The poses that keys were made of.
    pub(super) poses: Vec<ClipPoses>,
}

/// A packed model and where its vertices come from.
#[derive(Clone, Debug)]
pub struct Packed {
    /// One mesh, all of it GPU-ready.
    pub model: Model,
    /// Every source of every packed vertex, more than one where vertices were welded; and which
    /// bone and clip each is.
    pub origins: Origins,
}

/// What the packed layout cannot hold, counted in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Vertices that lost influences beyond the fourth.
    pub num_cut_vertices: usize,
    /// The largest share of weight that a vertex lost.
    pub worst_share: f32,
    /// How far that moves a vertex at most, over all keys, in units of the packed model.
    pub displacement: f32,
    /// Morph targets; they stay where their default weights have them.
    pub num_morph_targets: usize,
    /// Meshes that blend by dual quaternions; matrices are blended.
    pub num_dual_quaternion_meshes: usize,
    /// Meshes whose influences have positions of their own; each vertex gets the one of the default
    /// pose.
    pub num_bone_local_meshes: usize,
    /// Clips of whole vertex positions.
    pub num_vertex_caches: usize,
    /// Vertices whose texture coordinates were clamped.
    pub num_clamped_uvs: usize,
}

impl Dropped {
    /// Whether anything was.
    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

/// What is stored otherwise than it was, and shows the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Vertices whose texture coordinates moved by whole tiles.
    pub num_moved_uvs: usize,
    /// Triangles cut where tiles meet.
    pub num_cut_triangles: usize,
    /// Vertices without weight, which got a bone that does not move.
    pub num_unweighted: usize,
    /// Bones stored twice because meshes bind them differently.
    pub num_doubled_bones: usize,
    /// Meshes on mirrored nodes, whose triangles and bitangents were turned: what moves packed
    /// vertices turns nothing.
    pub num_turned_meshes: usize,
    /// Meshes that had no normals and got some.
    pub num_meshes_with_new_normals: usize,
    /// Meshes that got tangents.
    pub num_meshes_with_new_tangents: usize,
    /// Vertices that were equal to others.
    pub num_welded: usize,
}
