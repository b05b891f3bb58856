//! The result of culling a mesh, created by [`super::cull`].

use bytemuck::{Pod, Zeroable};

/// Size of an indirect draw.
pub(crate) const DRAW_BYTES: u64 = size_of::<wgpu::util::DrawIndexedIndirectArgs>() as u64;

/// Uniform of the culling shader.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct CullInput {
    pub(crate) num_vertices: u32,
    pub(crate) num_triangles: u32,
    pub(crate) num_words: u32,
    pub(crate) num_ranges: u32,
    pub(crate) first_vertex: u32,
    pub(crate) first_index: u32,
    pub(crate) row_length: u32,
    pub(crate) margin_px: f32,
}

#[derive(Debug)]
pub(crate) struct CulledMesh {
    /// Of the visible triangles, four bytes each.
    pub(crate) indices: wgpu::Buffer,
    /// One indirect draw per subset.
    pub(crate) draws: wgpu::Buffer,
    /// Whether the contents are those of the current image.
    pub(crate) is_current: bool,
    pub(crate) bind: wgpu::BindGroup,
    /// Workgroups over its vertices, and over its words.
    pub(crate) groups: [[u32; 2]; 2],
}
