//! A mesh, or as much of one as fits in a buffer of the device.
//!
//! Not for: splitting meshes into chunks (`chunk_plan`).

use std::borrow::Cow;
use std::sync::Arc;

use rigscope_core::model::Mesh;

/// The position of a chunk's vertices and indices in the buffers of its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkPlace {
    pub(super) group: usize,
    pub(super) first_vertex: u32,
    pub(super) first_index_byte: usize,
}

/// A mesh, or a part of one with the same subsets and the same lists of loose lines and points.
pub(super) struct Chunk<'a> {
    /// Index of the mesh.
    pub(super) number: usize,
    pub(super) mesh: Cow<'a, Mesh>,
    pub(super) source: Option<ChunkSource>,
    pub(super) place: ChunkPlace,
}

/// The vertices and triangles of the mesh that a chunk consists of.
#[derive(Clone, Debug)]
pub(super) struct ChunkSource {
    pub(super) vertices: Arc<[u32]>,
    /// The vertices after these also belong to an earlier chunk.
    pub(super) num_own: u32,
    pub(super) first_triangle: u32,
}

impl ChunkSource {
    /// Selects this chunk's vertices from `values`, which has one per vertex of the mesh.
    pub(super) fn gathered<'a, T: Copy>(&self, values: &'a [T]) -> Cow<'a, [T]> {
        self.vertices.iter().filter_map(|&vertex| values.get(vertex as usize).copied()).collect()
    }

    /// The mesh's index of `vertex`, an index in the chunk.
    pub(super) fn vertex(&self, vertex: u32) -> Option<u32> {
        self.vertices.get(vertex as usize).copied()
    }
}
