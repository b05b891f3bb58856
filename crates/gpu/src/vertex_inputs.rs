//! Vertex buffers for passes over triangles of the surface: skinned vertices per attribute, and the look of
//! a draw per instance. Hardware has units for fetching them, and software adapters read a group of
//! vertices at once instead of one at a time from storage.
//! Keep in sync with `store` in `shaders/skin.wgsl`, and with the inputs of the shaders.

use std::mem::offset_of;

use super::gpu_data::Draw;
use super::skinned_layout::{SkinnedLayout, VECTOR_BYTES};

/// The vertex inputs of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexInputs {
    /// Position.
    Positions,
    /// Position and normal; colour and flags of the draw.
    Normals,
    /// Position, normal, tangent and UV.
    All,
}

type Layout = wgpu::VertexBufferLayout<'static>;

const POSITIONS: Layout = vertex_array(&wgpu::vertex_attr_array![0 => Float32x4]);
const NORMALS: Layout = vertex_array(&wgpu::vertex_attr_array![1 => Float32x4]);
const TANGENTS: Layout = vertex_array(&wgpu::vertex_attr_array![2 => Float32x4]);
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

const fn vertex_array(attributes: &'static [wgpu::VertexAttribute]) -> Layout {
    let step_mode = wgpu::VertexStepMode::Vertex;
    wgpu::VertexBufferLayout { array_stride: VECTOR_BYTES, step_mode, attributes }
}

impl VertexInputs {
    /// The buffer slots that a pipeline reads, as filled by [`bind`].
    pub(super) const fn layouts(self) -> &'static [Option<Layout>] {
        match self {
            Self::Positions => &[Some(POSITIONS)],
            Self::Normals => &[Some(POSITIONS), Some(NORMALS), None, Some(DRAWS)],
            Self::All => &[Some(POSITIONS), Some(NORMALS), Some(TANGENTS)],
        }
    }
}

/// Binds all slots. If no mesh has tangents, another array is bound in their place: see `tangent_of` in
/// `shaders/mesh.wgsl`.
pub(super) fn bind(pass: &mut wgpu::RenderPass<'_>, skinned: &wgpu::Buffer, draws: &wgpu::Buffer) {
    let layout = SkinnedLayout::of(skinned.size());
    let bytes = layout.capacity * VECTOR_BYTES;
    for (slot, array) in (0..).zip([0, 1, if layout.has_tangents { 2 } else { 0 }]) {
        pass.set_vertex_buffer(slot, skinned.slice(array * bytes..(array + 1) * bytes));
    }
    pass.set_vertex_buffer(3, draws.slice(..));
}
