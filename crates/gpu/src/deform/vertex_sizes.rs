//! The buffer space that each vertex of a mesh takes.

use super::morphs;
use crate::gpu_data::{SkinnedVertex, StreamInput};
use rigscope_core::model::{Influences, Mesh, Skin};

const WORD_BYTES: u64 = 4;

/// Bytes per vertex in the buffer in which a vertex takes most: skinned vertices, influences or morph
/// offsets.
pub(crate) struct VertexSizes<'a> {
    mesh: &'a Mesh,
    /// Offsets per vertex; empty if nothing morphs.
    num_offsets: Vec<u32>,
}

impl<'a> VertexSizes<'a> {
    pub(crate) fn of(mesh: &'a Mesh) -> Self {
        let num_vertices = if mesh.morph_targets.is_empty() { 0 } else { mesh.num_vertices() };
        let mut num_offsets = vec![0u32; num_vertices];
        for vertex in morphs::moved(mesh) {
            if let Some(num) = num_offsets.get_mut(vertex) {
                *num = num.saturating_add(1);
            }
        }
        Self { mesh, num_offsets }
    }

    /// Bytes that one vertex takes.
    pub(crate) fn bytes(&self, vertex: usize) -> u64 {
        let of_rows = |first: &[u32], stride: u32| match first.get(vertex..vertex + 2) {
            // Its first entry, its entries, and its dual-quaternion share.
            Some(&[from, to]) => 2 + u64::from(to.saturating_sub(from)) * u64::from(stride),
            _ => 2,
        };
        let words = match &self.mesh.skin {
            Skin::InverseBind(skin) => match &skin.influences {
                Influences::Rows { first, .. } => of_rows(first, StreamInput::ROW_STRIDE),
                Influences::InVertices => 0,
            },
            Skin::BoneLocal(skin) => of_rows(&skin.first, StreamInput::BONE_LOCAL_STRIDE),
            Skin::None => 0,
        };
        let num_offsets = self.num_offsets.get(vertex).copied().unwrap_or_default();
        let of_morphs = 1 + u64::from(num_offsets) * u64::from(morphs::STRIDE_WITH_NORMALS);
        (words.max(of_morphs) * WORD_BYTES).max(size_of::<SkinnedVertex>() as u64)
    }
}
