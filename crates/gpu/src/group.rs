//! Buffers that several meshes share, so that a pass binds them once.
//!
//! Not for: assigning meshes to groups (`chunk_plan`).

use super::bind::{Layouts, mesh_bind};
use super::buffers::{empty, mapped};
use super::chunk_plan::GroupSize;
use super::skinned_layout::SkinnedLayout;
use super::{Gpu, SceneError};

/// Vertices and indices of several chunks.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) skinned: wgpu::Buffer,
    /// In each mesh's own format, two or four bytes.
    pub(super) indices: wgpu::Buffer,
    pub(super) num_vertices: u32,
    /// Skinned vertices, indices, draws and vertex values.
    pub(super) bind: wgpu::BindGroup,
}

impl Group {
    /// Buffers for a group of size `len`. The index buffer is mapped.
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
        // The last binding is a placeholder for vertex values, which aren't read yet.
        let bind = mesh_bind(&gpu.device, layouts, [&skinned, &indices, draws, draws]);
        Ok(Self { skinned, indices, num_vertices: len.num_vertices, bind })
    }
}
