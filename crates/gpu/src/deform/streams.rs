//! Vertices in full precision: any skin, any number of influences, morph targets, vertex animations.

use bytemuck::{bytes_of, cast_slice};
use glam::{Vec3, Vec4};

use super::mesh::{CachedPositions, ChunkDeform, MeshOffsets, SharedBuffers, SkinPath, groups_for};
use super::{STORAGE, UNIFORM, morphs};
use crate::bind::bind_group;
use crate::buffers::{count, empty, filled, from_records};
use crate::chunk::Chunk;
use crate::gpu_data::{CountInput, StreamInput};
use crate::kernels::Kernels;
use crate::skinned_layout::has_tangents;
use crate::{Gpu, SceneError};
use rigscope_core::model::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, Skin, VertexData,
};

/// Uploads `chunk`, whose skinned vertices will be written to `skinned`. `is_cached`: a clip has a vertex
/// animation of its mesh.
pub(super) fn upload(
    gpu: &Gpu,
    kernels: &Kernels,
    chunk: &Chunk<'_>,
    is_cached: bool,
    place: MeshOffsets,
    shared: &SharedBuffers,
    skinned: &wgpu::Buffer,
) -> Result<ChunkDeform, SceneError> {
    let mesh = &*chunk.mesh;
    let first_vertex = chunk.place.first_vertex;
    let num_vertices = count(mesh.num_vertices());
    let (groups, row_length) = groups_for(num_vertices);
    let influences = InfluenceWords::of(mesh);
    let morphs = match &mesh.skin {
        // Shapes are offsets of the mesh's positions, which bone-local skins don't use.
        Skin::BoneLocal(_) => morphs::MorphRows::default(),
        _ => morphs::rows(mesh, place.first_shape),
    };
    let input = StreamInput {
        num_vertices,
        first_vertex,
        first_slot: place.first_slot,
        num_slots: place.num_slots,
        kind: influences.kind,
        row_length,
        first_entry: influences.first_entry,
        blending: influences.blending,
        first_share: influences.first_share,
        morph_stride: morphs.stride,
        first_morph: morphs.first_entry,
        normal_matrix: 0,
        num_vectors: if has_tangents(mesh) { 3 } else { 2 },
        rounds_morphs: u32::from(mesh.rounds_morphs),
    };
    let path = if input.is_of_rows() { SkinPath::Rows } else { SkinPath::Streams };
    let vertices = source_vertices(gpu, mesh, place.uv_set)?;
    let words = influences.upload(gpu)?;
    let offsets = filled(gpu, "morph offsets", cast_slice(&morphs.words), STORAGE)?;
    let bind = |input: &wgpu::Buffer, words: &wgpu::Buffer| {
        bind_group(
            &gpu.device,
            "skin streams",
            &kernels.layouts.skin_streams,
            &[
                input,
                &vertices,
                words,
                &shared.palette,
                &shared.dual_quaternions,
                &offsets,
                &shared.shape_weights,
                skinned,
            ],
        )
    };
    let cache = if is_cached {
        let bytes = u64::from(num_vertices) * size_of::<Vec3>() as u64;
        let positions = empty(gpu, "cached positions", bytes, STORAGE)?;
        let input = StreamInput { kind: StreamInput::CACHED, ..input };
        let input = filled(gpu, "skin input", bytes_of(&input), UNIFORM)?;
        let bind = bind(&input, &positions);
        Some(CachedPositions { positions, bind })
    } else {
        None
    };
    let input = filled(gpu, "skin input", bytes_of(&input), UNIFORM)?;
    Ok(ChunkDeform {
        number: chunk.number,
        source: chunk.source.clone(),
        group: chunk.place.group,
        path,
        bind: bind(&input, &words),
        input,
        groups,
        cache,
        influences: words,
        counted: CountInput {
            num_vertices,
            first_vertex,
            kind: match influences.kind {
                StreamInput::RIGID => CountInput::SAME,
                _ => CountInput::ROWS,
            },
            row_length,
            first_entry: influences.first_entry,
            stride: influences.stride,
            same: u32::from(mesh.attached_to.is_some()),
            padding: 0,
        },
    })
}

/// The vertices as the shader reads them. Missing attributes are zero; missing tangents are omitted.
fn source_vertices(gpu: &Gpu, mesh: &Mesh, uv_set: usize) -> Result<wgpu::Buffer, SceneError> {
    let set = match &mesh.vertices {
        VertexData::Streams(streams) => streams.uv_sets.get(uv_set),
        VertexData::Packed(_) => None,
    };
    let vectors = |index: usize| {
        let uv = set.map_or(mesh.uv(index), |set| set.coords.get(index).copied());
        let uv = uv.unwrap_or_default();
        let position = mesh.position(index).unwrap_or_default();
        let normal = mesh.normal(index).unwrap_or_default();
        [position.extend(uv.x), normal.extend(uv.y)]
    };
    let (label, num) = ("vertices", mesh.num_vertices());
    if has_tangents(mesh) {
        from_records(gpu, label, num, STORAGE, |index| {
            let [position, normal] = vectors(index);
            [position, normal, mesh.tangent(index).unwrap_or(Vec4::ZERO)]
        })
    } else {
        from_records(gpu, label, num, STORAGE, vectors)
    }
}

/// The blending method of a skin, as numbered in the shader.
pub(super) fn blending(skin: &InverseBindSkin) -> u32 {
    match (&skin.influences, &skin.blending) {
        // Influences in packed vertices are always blended linearly, as in the runtime's shaders.
        (Influences::InVertices, _) | (_, Blending::Linear) => StreamInput::LINEAR,
        (_, Blending::DualQuaternion) => StreamInput::DUAL_QUATERNION,
        (_, Blending::Mixed(_)) => StreamInput::MIXED,
    }
}

/// The influences of a mesh as the shader reads them: first entry of each vertex and the end, the entries,
/// then the dual-quaternion shares.
#[derive(Default)]
struct InfluenceWords<'a> {
    source: Source<'a>,
    kind: u32,
    stride: u32,
    first_entry: u32,
    blending: u32,
    first_share: u32,
}

enum Source<'a> {
    /// Assembled on upload.
    Words(Vec<u32>),
    /// The model's own rows and blending.
    Rows { first: &'a [u32], slots: &'a [u32], weights: &'a [f32], blending: &'a Blending },
}

impl Default for Source<'_> {
    fn default() -> Self {
        Self::Words(Vec::new())
    }
}

/// Index of the first entry after `num_words` words: entries are aligned to pairs of words.
fn entries_after(num_words: usize) -> usize {
    num_words.next_multiple_of(2)
}

impl<'a> InfluenceWords<'a> {
    fn of(mesh: &'a Mesh) -> Self {
        let num_vertices = mesh.num_vertices();
        match &mesh.skin {
            Skin::None => Self { kind: StreamInput::RIGID, ..Self::default() },
            Skin::InverseBind(skin) => match (&skin.influences, &mesh.vertices) {
                (Influences::InVertices, VertexData::Packed(packed)) => {
                    let (kind, stride) = (StreamInput::ROWS, StreamInput::ROW_STRIDE);
                    Self::new(kind, stride, num_vertices, |vertex, words| {
                        for (bone, weight) in packed.get(vertex).iter().flat_map(|v| v.influences())
                        {
                            words.extend([u32::from(bone), weight.to_bits()]);
                        }
                    })
                }
                (Influences::InVertices, _) => {
                    Self::new(StreamInput::ROWS, StreamInput::ROW_STRIDE, num_vertices, |_, _| {})
                }
                (Influences::Rows { first, slots, weights }, _) => {
                    Self::of_rows(first, slots, weights, skin)
                }
            },
            Skin::BoneLocal(skin) => Self::of_bone_local(num_vertices, skin),
        }
    }

    /// Rows for `num_vertices`. `add` appends the entries of one vertex.
    fn new(
        kind: u32,
        stride: u32,
        num_vertices: usize,
        mut add: impl FnMut(usize, &mut Vec<u32>),
    ) -> Self {
        let first_entry = entries_after(num_vertices + 1);
        let mut words = vec![0; first_entry];
        for vertex in 0..num_vertices {
            add(vertex, &mut words);
            let num_entries = (words.len() - first_entry) / stride as usize;
            words[vertex + 1] = count(num_entries);
        }
        let source = Source::Words(words);
        Self { source, kind, stride, first_entry: count(first_entry), ..Self::default() }
    }

    fn of_rows(
        first: &'a [u32],
        slots: &'a [u32],
        weights: &'a [f32],
        skin: &'a InverseBindSkin,
    ) -> Self {
        let num_entries = slots.len().min(weights.len());
        Self {
            source: Source::Rows { first, slots, weights, blending: &skin.blending },
            kind: StreamInput::ROWS,
            stride: StreamInput::ROW_STRIDE,
            first_entry: count(entries_after(first.len())),
            blending: blending(skin),
            first_share: count(entries_after(first.len()) + 2 * num_entries),
        }
    }

    fn of_bone_local(num_vertices: usize, skin: &BoneLocalSkin) -> Self {
        let (kind, stride) = (StreamInput::BONE_LOCAL, StreamInput::BONE_LOCAL_STRIDE);
        Self::new(kind, stride, num_vertices, |vertex, words| {
            skin.for_each(vertex, |influence| {
                words.extend([influence.bone.0, influence.weight.to_bits()]);
                words.extend(influence.position.to_array().map(f32::to_bits));
                words.extend(influence.normal.to_array().map(f32::to_bits));
            });
        })
    }

    fn upload(&self, gpu: &Gpu) -> Result<wgpu::Buffer, SceneError> {
        let label = "influences";
        match &self.source {
            Source::Words(words) => filled(gpu, label, cast_slice(words), STORAGE),
            Source::Rows { first, slots, weights, blending } => {
                let first_entry = self.first_entry as usize;
                let first_share = self.first_share as usize;
                let num_shares = match self.blending {
                    StreamInput::MIXED => first.len().saturating_sub(1),
                    _ => 0,
                };
                from_records(gpu, label, first_share + num_shares, STORAGE, |word| {
                    if let Some(entry) = first.get(word) {
                        return *entry;
                    }
                    if word >= first_share {
                        return blending.dual_quaternion_share(word - first_share).to_bits();
                    }
                    // Padding before the entries.
                    let Some(word) = word.checked_sub(first_entry) else { return 0 };
                    let entry = word / 2;
                    if word.is_multiple_of(2) {
                        slots.get(entry).copied().unwrap_or_default()
                    } else {
                        weights.get(entry).map_or(0, |weight| weight.to_bits())
                    }
                })
            }
        }
    }
}
