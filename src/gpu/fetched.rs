//! What vertex stages over triangles of the surface are given: moved vertices as vertex buffers, list by list, and how
//! a draw looks as one of instances. Hardware has units for that, and a software adapter reads a whole group of vertices
//! where it would look into storage for one after another.
//!
//! Keep in sync with `store` in `shaders/skin.wgsl`, and with the inputs of the shaders.

use std::mem::offset_of;

use super::gpu_data::{Draw, SkinnedVertex};

/// What a pass is given of each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fetched {
    /// Its position.
    Positions,
    /// Position and normal, and colour and flags of the draw.
    Normals,
    /// Position, normal, tangent, texture coordinates.
    All,
}

type Layout = wgpu::VertexBufferLayout<'static>;

/// Lists of moved vertices in their buffer.
const NUM_LISTS: u64 = 3;
const LIST_STRIDE: u64 = size_of::<SkinnedVertex>() as u64 / NUM_LISTS;

const POSITIONS: Layout = list(&wgpu::vertex_attr_array![0 => Float32x4]);
const NORMALS: Layout = list(&wgpu::vertex_attr_array![1 => Float32x4]);
const TANGENTS: Layout = list(&wgpu::vertex_attr_array![2 => Float32x4]);
const DRAWS: Layout = wgpu::VertexBufferLayout {
    array_stride: size_of::<Draw>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &[
        wgpu::VertexAttribute {
            format: wgpu::VertexFormat::Float32x4,
            offset: offset_of!(Draw, color) as u64,
            shader_location: 3,
        },
        wgpu::VertexAttribute {
            format: wgpu::VertexFormat::Uint32,
            offset: offset_of!(Draw, flags) as u64,
            shader_location: 4,
        },
    ],
};

const fn list(attributes: &'static [wgpu::VertexAttribute]) -> Layout {
    let step_mode = wgpu::VertexStepMode::Vertex;
    wgpu::VertexBufferLayout { array_stride: LIST_STRIDE, step_mode, attributes }
}

impl Fetched {
    /// The slots that a pipeline reads, as [`bind`] fills them.
    pub(super) const fn layouts(self) -> &'static [Option<Layout>] {
        match self {
            Self::Positions => &[Some(POSITIONS)],
            Self::Normals => &[Some(POSITIONS), Some(NORMALS), None, Some(DRAWS)],
            Self::All => &[Some(POSITIONS), Some(NORMALS), Some(TANGENTS)],
        }
    }
}

/// Fills all slots.
pub(super) fn bind(pass: &mut wgpu::RenderPass<'_>, skinned: &wgpu::Buffer, draws: &wgpu::Buffer) {
    // As shaders tell it from the buffer's length.
    let list_bytes = skinned.size() / LIST_STRIDE / NUM_LISTS * LIST_STRIDE;
    for (slot, list) in (0..).zip(0..NUM_LISTS) {
        pass.set_vertex_buffer(slot, skinned.slice(list * list_bytes..(list + 1) * list_bytes));
    }
    pass.set_vertex_buffer(3, draws.slice(..));
}
