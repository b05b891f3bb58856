//! The layout of skinned vertices in their buffer: an array of positions with u, one of normals with v, and
//! one of tangents if any mesh has them. Depth, IDs, edges and culling only read positions.
//!
//! The layout follows from the buffer's size, so no further binding is needed: if the number of
//! vectors is 1 modulo 3, there are two arrays, otherwise three.
//! Keep in sync with `has_tangents` and `vertex_capacity` in `shaders/common.wgsl`.

use super::gpu_data::SkinnedVertex;
use rigscope_core::model::{Mesh, VertexData};

/// Size of an array element.
pub(super) const VECTOR_BYTES: u64 = 16;
const NUM_ARRAYS: u64 = size_of::<SkinnedVertex>() as u64 / VECTOR_BYTES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SkinnedLayout {
    /// Elements per array.
    pub(super) capacity: u64,
    pub(super) has_tangents: bool,
}

impl SkinnedLayout {
    /// Buffer size for `num_vertices` vertices.
    pub(super) fn bytes_for(num_vertices: u32, has_tangents: bool) -> u64 {
        let num = u64::from(num_vertices);
        if has_tangents {
            num * NUM_ARRAYS * VECTOR_BYTES
        } else {
            // Two arrays of 5, 8, 11 and so on elements. Two of 2 would be shorter than the smallest buffer.
            (num.saturating_sub(2).div_ceil(3).max(1) * 3 + 2) * 2 * VECTOR_BYTES
        }
    }

    /// The layout of a buffer of `bytes` bytes.
    pub(super) fn of(bytes: u64) -> Self {
        let num_vectors = bytes / VECTOR_BYTES;
        match num_vectors % NUM_ARRAYS {
            1 => Self { capacity: num_vectors / 2, has_tangents: false },
            _ => Self { capacity: num_vectors / NUM_ARRAYS, has_tangents: true },
        }
    }
}

/// Lower bound of the bytes that the skinned vertices of `model` take.
#[cfg(not(target_arch = "wasm32"))]
pub fn skinned_bytes(model: &rigscope_core::model::Model) -> u64 {
    let num_vectors = |mesh: &Mesh| if has_tangents(mesh) { NUM_ARRAYS } else { NUM_ARRAYS - 1 };
    let of = |mesh: &Mesh| mesh.num_vertices() as u64 * num_vectors(mesh) * VECTOR_BYTES;
    model.meshes.iter().map(of).sum()
}

/// Whether skinned vertices of `mesh` have tangents.
pub(super) fn has_tangents(mesh: &Mesh) -> bool {
    match &mesh.vertices {
        VertexData::Packed(_) => true,
        VertexData::Streams(streams) => !streams.tangents.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::buffer_size;

    #[test]
    fn buffers_fit_all_vertices_and_their_size_determines_the_layout() {
        for num_vertices in (0..100).chain([1_000_000, 89_478_485]) {
            for has_tangents in [false, true] {
                let bytes = SkinnedLayout::bytes_for(num_vertices, has_tangents);
                let layout = SkinnedLayout::of(buffer_size(bytes));
                assert_eq!(layout.has_tangents, has_tangents, "{num_vertices}");
                assert!(layout.capacity >= u64::from(num_vertices), "{num_vertices}");
            }
        }
    }
}
