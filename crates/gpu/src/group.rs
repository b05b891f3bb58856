//! Buffers that many meshes share, so that a pass binds them once.
//!
//! Not for: which meshes go together (`chunks`).

use super::bind::{Layouts, mesh_bind};
use super::buffers::{empty, mapped};
use super::chunk_plan::GroupSize;
use super::skinned_layout::SkinnedLayout;
use super::{Gpu, SceneError};

/// What the buffers of the device hold of a model, mesh after mesh.
#[derive(Debug)]
pub(super) struct Group {
    /// Moved vertices.
    pub(super) skinned: wgpu::Buffer,
    /// As each mesh stores them: two bytes or four.
    pub(super) indices: wgpu::Buffer,
    pub(super) num_vertices: u32,
    /// Skinned vertices, indices, draws and values of vertices.
    pub(super) bind: wgpu::BindGroup,
}

impl Group {
    /// Room for `len`, whose indices are mapped.
    pub(super) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        len: &GroupSize,
        draws: &wgpu::Buffer,
    ) -> Result<Self, SceneError> {
        let storage = wgpu::BufferUsages::STORAGE;
        let bytes = SkinnedLayout::bytes_for(len.num_vertices, len.has_tangents);
        let usage = storage | wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_SRC;
        let skinned = empty(gpu, "skinned vertices", bytes, usage)?;
        let bytes = len.index_bytes as u64;
        let indices = mapped(gpu, "indices", bytes, storage | wgpu::BufferUsages::INDEX)?;
        // The last stands in for values of vertices, which nobody reads yet.
        let bind = mesh_bind(&gpu.device, layouts, [&skinned, &indices, draws, draws]);
        Ok(Self { skinned, indices, num_vertices: len.num_vertices, bind })
    }
}
