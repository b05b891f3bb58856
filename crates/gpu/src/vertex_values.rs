//! Per-vertex values for colouring the surface: one word per vertex. Created on first use, except for
//! vertex colours from the file.
//!
//! Not for: creating them (`vertex_value_upload`), colours of subsets and materials (`draws`, `textures`).

use bytemuck::cast_slice;

use super::buffers::filled;
use super::chunk::Chunk;
use super::{Gpu, SceneError};
use rigscope_core::model::srgb8_from_color;
use rigscope_core::visual::VertexPaint;

/// One buffer per group, with one word per vertex.
pub(super) type GroupBuffers = Vec<wgpu::Buffer>;

pub(super) const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE;

/// The values of a scene.
#[derive(Debug, Default)]
pub(super) struct VertexValues {
    /// Vertex colours, sRGB and alpha; `None` if no mesh is tinted.
    pub(super) colors: Option<GroupBuffers>,
    /// Number of influences.
    pub(super) counts: Option<GroupBuffers>,
    /// Position in the vertex order of the model: 0 is the first, 1 the last.
    pub(super) order: Option<GroupBuffers>,
    /// Colours or values from the input, and their source.
    pub(super) paint: Option<(GroupBuffers, VertexPaint)>,
    /// The kind that the meshes' bind groups contain.
    pub(super) bound: Option<ValueKind>,
}

/// A kind of [`VertexValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Colors,
    Counts,
    Order,
    Paint,
}

/// Vertex colours of chunks, by group.
pub(super) struct ChunkColors(Vec<Vec<[u8; 4]>>);

impl ChunkColors {
    pub(super) fn new(num_groups: usize) -> Self {
        Self(vec![Vec::new(); num_groups])
    }

    /// Appends the colours of `chunk`; white by default.
    pub(super) fn add(&mut self, chunk: &Chunk<'_>) {
        let Some(group) = self.0.get_mut(chunk.place.group) else { return };
        let of_vertex = |vertex| chunk.mesh.color(vertex).map_or([u8::MAX; 4], srgb8_from_color);
        group.extend((0..chunk.mesh.num_vertices()).map(of_vertex));
    }
}

impl VertexValues {
    /// Uploads the vertex colours from the file.
    pub(super) fn of_colors(gpu: &Gpu, colors: Option<ChunkColors>) -> Result<Self, SceneError> {
        let upload = |groups: ChunkColors| {
            let upload = |group: &Vec<_>| filled(gpu, "vertex colors", cast_slice(group), STORAGE);
            groups.0.iter().map(upload).collect()
        };
        Ok(Self { colors: colors.map(upload).transpose()?, ..Self::default() })
    }

    pub(super) fn groups(&self, values: ValueKind) -> Option<&GroupBuffers> {
        match values {
            ValueKind::Colors => self.colors.as_ref(),
            ValueKind::Counts => self.counts.as_ref(),
            ValueKind::Order => self.order.as_ref(),
            ValueKind::Paint => self.paint.as_ref().map(|(groups, _)| groups),
        }
    }
}
