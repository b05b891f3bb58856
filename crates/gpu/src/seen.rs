//! What culling has left of a mesh: see [`super::cull`], which makes it.

use bytemuck::{Pod, Zeroable};

/// Bytes of an indirect draw.
pub(super) const DRAW_BYTES: u64 = size_of::<wgpu::util::DrawIndexedIndirectArgs>() as u64;

/// What the shader knows of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct CullInput {
    pub(super) num_vertices: u32,
    pub(super) num_triangles: u32,
    pub(super) num_words: u32,
    pub(super) num_ranges: u32,
    pub(super) first_vertex: u32,
    pub(super) first_index: u32,
    pub(super) row_length: u32,
    pub(super) margin_px: f32,
}

/// What is seen of a mesh.
#[derive(Debug)]
pub(super) struct Seen {
    /// Of the triangles that are left, four bytes each.
    pub(super) indices: wgpu::Buffer,
    /// One indirect draw a subset.
    pub(super) draws: wgpu::Buffer,
    /// Whether they are those of the picture that is being drawn.
    pub(super) is_of_picture: bool,
    pub(super) bind: wgpu::BindGroup,
    /// Workgroups over its vertices, and over its words.
    pub(super) groups: [[u32; 2]; 2],
}
