//! What culling has left of a mesh: see [`super::cull`], which makes it.

use bytemuck::{Pod, Zeroable};

/// Bytes of an indirect draw.
pub(crate) const DRAW_BYTES: u64 = size_of::<wgpu::util::DrawIndexedIndirectArgs>() as u64;

/// What the shader knows of a mesh.
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

/// What is seen of a mesh.
#[derive(Debug)]
pub(crate) struct CulledMesh {
    /// Of the triangles that are left, four bytes each.
    pub(crate) indices: wgpu::Buffer,
    /// One indirect draw a subset.
    pub(crate) draws: wgpu::Buffer,
    /// Whether they are those of the picture that is being drawn.
    pub(crate) is_current: bool,
    pub(crate) bind: wgpu::BindGroup,
    /// Workgroups over its vertices, and over its words.
    pub(crate) groups: [[u32; 2]; 2],
}
