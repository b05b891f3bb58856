//! A mesh, or a part of one that a buffer of the device holds.
//!
//! Not for: how meshes are cut into such parts (`chunks`).

use std::borrow::Cow;
use std::sync::Arc;

use rigscope_core::model::Mesh;

/// Where the vertices and indices of a chunk lie among those of its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkPlace {
    pub(super) group: usize,
    pub(super) first_vertex: u32,
    pub(super) first_index_byte: usize,
}

/// A mesh, or a part of one that has the same subsets and lists of loose things.
pub(super) struct Chunk<'a> {
    /// Of its mesh.
    pub(super) number: usize,
    pub(super) mesh: Cow<'a, Mesh>,
    pub(super) source: Option<ChunkSource>,
    pub(super) place: ChunkPlace,
}

/// Where the vertices and triangles of a part lie in its mesh.
#[derive(Clone, Debug)]
pub(super) struct ChunkSource {
    pub(super) vertices: Arc<[u32]>,
    /// After these come those that an earlier part has too.
    pub(super) num_own: u32,
    pub(super) first_triangle: u32,
}

impl ChunkSource {
    /// Of values of the vertices of the mesh those of the part.
    pub(super) fn gathered<'a, T: Copy>(&self, values: &'a [T]) -> Cow<'a, [T]> {
        self.vertices.iter().filter_map(|&vertex| values.get(vertex as usize).copied()).collect()
    }

    /// The vertex of the mesh that is `vertex` of the part.
    pub(super) fn vertex(&self, vertex: u32) -> Option<u32> {
        self.vertices.get(vertex as usize).copied()
    }
}
