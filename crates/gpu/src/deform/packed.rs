//! Packed vertices, uploaded as they are in the file.

use bytemuck::bytes_of;

use super::mesh::{ChunkDeform, MeshOffsets, SharedBuffers, SkinPath, groups_for};
use super::{STORAGE, UNIFORM};
use crate::bind::bind_group;
use crate::buffers::{count, filled};
use crate::chunk::Chunk;
use crate::gpu_data::{CountInput, SkinInput};
use crate::kernels::Kernels;
use crate::{Gpu, SceneError};
use rigscope_core::model::{Influences, Mesh, PackedVertices, Skin, VertexData};

/// Influences per packed vertex.
const PACKED_INFLUENCES: u32 = 4;

/// The vertices of a mesh if `skin_packed.wgsl` can skin them, that is, if only their own influences or a
/// single bone move them.
pub(super) fn vertices_of(mesh: &Mesh) -> Option<&PackedVertices> {
    let is_linear = match &mesh.skin {
        Skin::None => true,
        Skin::InverseBind(skin) => matches!(skin.influences, Influences::InVertices),
        Skin::BoneLocal(_) => false,
    };
    match &mesh.vertices {
        VertexData::Packed(packed) if is_linear && mesh.morph_targets.is_empty() => Some(packed),
        _ => None,
    }
}

/// Uploads `vertices`, those of `chunk`, whose skinned vertices will be written to `skinned`.
pub(super) fn upload(
    gpu: &Gpu,
    kernels: &Kernels,
    chunk: &Chunk<'_>,
    vertices: &PackedVertices,
    place: MeshOffsets,
    shared: &SharedBuffers,
    skinned: &wgpu::Buffer,
) -> Result<ChunkDeform, SceneError> {
    let mesh = &chunk.mesh;
    let first_vertex = chunk.place.first_vertex;
    let num_vertices = count(vertices.len());
    let (groups, row_length) = groups_for(num_vertices);
    let is_rigid = matches!(mesh.skin, Skin::None);
    let input = SkinInput {
        num_vertices,
        first_vertex,
        first_slot: place.first_slot,
        num_slots: place.num_slots,
        is_rigid: u32::from(is_rigid),
        row_length,
        num_influences: PACKED_INFLUENCES,
        normal_matrix: 0,
    };
    let input = filled(gpu, "skin input", bytes_of(&input), UNIFORM)?;
    let stored = filled(gpu, "packed vertices", vertices.bytes(), STORAGE)?;
    Ok(ChunkDeform {
        number: chunk.number,
        source: chunk.source.clone(),
        group: chunk.place.group,
        path: SkinPath::Packed,
        bind: bind_group(
            &gpu.device,
            "skin packed",
            &kernels.layouts.skin,
            &[&input, &stored, &shared.palette, skinned],
        ),
        input,
        groups,
        cache: None,
        influences: stored,
        counted: CountInput {
            num_vertices,
            first_vertex,
            kind: if is_rigid { CountInput::SAME } else { CountInput::PACKED },
            row_length,
            first_entry: 0,
            stride: 0,
            same: u32::from(mesh.attached_to.is_some()),
            padding: 0,
        },
    })
}
