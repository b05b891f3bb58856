//! What the surface is coloured by: one word a vertex, made when it is first shown, but for what the file gives.
//!
//! Not for: when they are made (`bring`), and colours of subsets and materials (`draws`, `textures`).

use bytemuck::cast_slice;

use super::buffers::filled;
use super::chunk::Chunk;
use super::{Gpu, SceneError};
use rigscope_core::model::srgb8_from_color;
use rigscope_core::visual::VertexPaint;

/// Buffers of one word a vertex, one for each group.
pub(super) type GroupBuffers = Vec<wgpu::Buffer>;

pub(super) const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE;

/// Those of a scene.
#[derive(Debug, Default)]
pub(super) struct VertexValues {
    /// Colours of vertices, sRGB and alpha; none where no mesh is tinted.
    pub(super) colors: Option<GroupBuffers>,
    /// How many bones move each vertex.
    pub(super) counts: Option<GroupBuffers>,
    /// Where each vertex lies in the model: 0 is the first, 1 the last.
    pub(super) order: Option<GroupBuffers>,
    /// Colours or values given along, and what they were made of.
    pub(super) paint: Option<(GroupBuffers, VertexPaint)>,
    /// Which of them the meshes bind.
    pub(super) bound: Option<ValueKind>,
}

/// One of the kinds of [`VertexValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Colors,
    Counts,
    Order,
    Paint,
}

/// The colours of the vertices of some chunks, group by group.
pub(super) struct ChunkColors(Vec<Vec<[u8; 4]>>);

impl ChunkColors {
    pub(super) fn new(num_groups: usize) -> Self {
        Self(vec![Vec::new(); num_groups])
    }

    /// Adds those of `chunk`, which follows the one before; what has no colour is white.
    pub(super) fn add(&mut self, chunk: &Chunk<'_>) {
        let Some(group) = self.0.get_mut(chunk.place.group) else { return };
        let of_vertex = |vertex| chunk.mesh.color(vertex).map_or([u8::MAX; 4], srgb8_from_color);
        group.extend((0..chunk.mesh.num_vertices()).map(of_vertex));
    }
}

impl VertexValues {
    /// What the file gives.
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
