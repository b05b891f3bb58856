//! The GPU data of one model.

use std::collections::HashMap;

use bytemuck::cast_slice;
use glam::Vec3;
use rayon::prelude::*;

use super::bind::bind_group;
use super::buffers::{count, empty, write_part};
use super::chunk::{Chunk, ChunkPlace};
use super::chunk_plan::ChunkPlan;
use super::deform::Deformer;
use super::draws::{SceneLoose, SceneMesh, draws};
use super::frame::FrameInput;
use super::gpu_data::{Draw, Frame};
use super::group::Group;
use super::kernels::Kernels;
use super::light::FileLight;
use super::records::RecordBuffer;
use super::runs::{DrawRun, runs};
use super::shadow_map::ShadowMap;
use super::textures::Materials;
use super::vertex_values::{ChunkColors, VertexValues};
use super::{Gpu, SceneError, Show};
use rigscope_core::model::{
    Axes, Indices, Material, Mesh, MeshId, Model, PackedVertex, Skin, VertexData,
};
use rigscope_core::reshape;

#[derive(Debug)]
pub struct Scene {
    pub(super) axes: Axes,
    /// In the order of the model; several chunks for a mesh that doesn't fit in a buffer.
    pub(super) meshes: Vec<SceneMesh>,
    pub(super) materials: Materials,
    /// The environment in the file. Uploaded with the textures.
    pub(super) light: Option<FileLight>,
    /// Replaces `light`.
    pub(super) override_light: Option<FileLight>,
    pub(super) deformer: Deformer,
    /// The buffers of the meshes.
    pub(super) groups: Vec<Group>,
    pub(super) mesh_lens: Vec<u32>,
    pub(super) frame: wgpu::Buffer,
    pub(super) frame_bind: wgpu::BindGroup,
    /// Number of tiles in the current image if it uses deferred shading (`pass/deferred`), otherwise 0.
    pub(super) num_deferred_tiles: u32,
    pub(super) draws: wgpu::Buffer,
    /// The contents of `draws`.
    pub(super) last_draws: Vec<Draw>,
    /// The visible runs.
    pub(super) runs: Vec<DrawRun>,
    /// Records of passes, by pass name.
    pub(super) record_buffers: HashMap<&'static str, RecordBuffer>,
    pub(super) values: VertexValues,
    pub(super) shadow_map: Option<ShadowMap>,
}

impl Scene {
    /// Uploads `model`, to be drawn with `materials`.
    pub(super) fn make(
        gpu: &Gpu,
        kernels: &Kernels,
        model: &Model,
        materials: Materials,
    ) -> Result<Self, SceneError> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX;
        let chunks = ChunkPlan::plan(model, gpu.caps.max_buffer);
        let mut deformer = Deformer::new(gpu, model)?;
        let num_draws = chunks.len() + chunks.num_parts();
        let draws = empty(gpu, "draws", (num_draws * size_of::<Draw>()) as u64, usage)?;
        let group = |len| Group::new(gpu, &kernels.layouts, len, &draws);
        let groups = chunks.groups().iter().map(group).collect::<Result<Vec<_>, _>>()?;
        let mut colors =
            (model.meshes.iter().any(Mesh::is_tinted)).then(|| ChunkColors::new(groups.len()));
        let mut meshes: Vec<SceneMesh> = Vec::with_capacity(chunks.len());
        let first_parts = first_parts(model);
        let mirrored = reshape::mirrored_meshes(model);
        for chunk in chunks.iter() {
            let group = &groups[chunk.place.group];
            deformer.add(gpu, kernels, &chunk, &group.skinned)?;
            if let Some(colors) = &mut colors {
                colors.add(&chunk);
            }
            let of_mesh = OfMesh {
                mesh: &model.meshes[MeshId::from_index(chunk.number)],
                materials: &model.materials,
                first_part: first_parts[chunk.number],
                is_mirrored: mirrored[chunk.number],
                keeps_normals: !model.has_vertex_cache(chunk.number),
            };
            let first_draw =
                meshes.last().map_or(0, |last| last.first_draw + 1 + count(last.num_parts()));
            meshes.push(scene_mesh(&chunk, first_draw, of_mesh, &group.indices));
        }
        groups.iter().for_each(|group| group.indices.unmap());
        let frame_bytes = size_of::<Frame>() as u64;
        let frame = empty(gpu, "frame", frame_bytes, wgpu::BufferUsages::UNIFORM)?;
        let frame_bind = bind_group(&gpu.device, "frame", &kernels.layouts.frame, &[&frame]);
        Ok(Self {
            axes: model.axes,
            meshes,
            materials,
            light: None,
            override_light: None,
            deformer,
            groups,
            mesh_lens: model.meshes.iter().map(|mesh| count(mesh.num_vertices())).collect(),
            frame,
            frame_bind,
            num_deferred_tiles: 0,
            draws,
            last_draws: Vec::new(),
            runs: Vec::new(),
            record_buffers: HashMap::new(),
            values: VertexValues::of_colors(gpu, colors)?,
            shadow_map: None,
        })
    }

    /// Whether the skeleton is drawn: if it is enabled, or if the model has no vertices.
    pub fn shows_bones(&self, show: &Show) -> bool {
        let has_vertices = self.meshes.iter().any(|mesh| mesh.num_vertices > 0);
        show.bones || (!has_vertices && (show.surface || show.wireframe || show.points))
    }

    /// Number of textures made from the model's images.
    pub fn num_textures(&self) -> usize {
        self.materials.num_textures()
    }

    /// Number of chunks over all meshes, which exceeds the number of meshes if some don't fit in a
    /// buffer.
    pub fn num_chunks(&self) -> usize {
        self.meshes.len()
    }

    /// Number of chunks that the last pose has skinned. Chunks that haven't moved are skipped.
    pub fn num_skinned_chunks(&self) -> usize {
        self.deformer.num_moved()
    }

    /// Number of clips with all keys on the GPU.
    pub fn num_uploaded_clips(&self) -> usize {
        self.deformer.num_uploaded_clips()
    }

    /// Updates the visible runs of `input`, and uploads their look if it has changed.
    pub(super) fn write_draws(&mut self, gpu: &Gpu, input: &FrameInput<'_>) {
        let draws = draws(&self.meshes, &self.materials, input);
        self.runs = runs(&self.meshes, &self.materials, input, &draws);
        if draws != self.last_draws {
            gpu.queue.write_buffer(&self.draws, 0, cast_slice(&draws));
            self.last_draws = draws;
        }
    }

    /// The runs of a chunk.
    pub(super) fn runs_of(&self, mesh: usize) -> &[DrawRun] {
        let begin = self.runs.partition_point(|run| run.mesh < mesh);
        let end = self.runs.partition_point(|run| run.mesh <= mesh);
        &self.runs[begin..end]
    }

    pub(super) fn num_vertices(&self) -> u64 {
        self.mesh_lens.iter().map(|len| u64::from(*len)).sum()
    }
}

/// Properties of the whole mesh that its chunks share.
struct OfMesh<'a> {
    mesh: &'a Mesh,
    materials: &'a [Material],
    /// Index among the parts of all meshes.
    first_part: usize,
    is_mirrored: bool,
    /// No clip has a vertex animation of it, which has positions only.
    keeps_normals: bool,
}

fn first_parts(model: &Model) -> Vec<usize> {
    let first_of_next = |first: &mut usize, mesh: &Mesh| {
        let own = *first;
        *first += mesh.num_parts();
        Some(own)
    };
    model.meshes.iter().scan(0, first_of_next).collect()
}

/// Whether each vertex has a normal.
fn has_normals(mesh: &Mesh) -> bool {
    if matches!(mesh.skin, Skin::BoneLocal(_)) {
        return false;
    }
    match &mesh.vertices {
        VertexData::Packed(packed) => {
            let vertices = packed.records().par_iter().map(PackedVertex::from_bytes);
            vertices.all(|vertex| vertex.normal_decoded() != Vec3::ZERO)
        }
        VertexData::Streams(streams) => {
            !streams.normals.is_empty()
                && streams.normals.par_iter().all(|normal| *normal != Vec3::ZERO)
        }
    }
}

/// Creates the mesh of `chunk` and writes its indices to `indices`.
fn scene_mesh(
    chunk: &Chunk<'_>,
    first_draw: u32,
    whole: OfMesh<'_>,
    indices: &wgpu::Buffer,
) -> SceneMesh {
    let mesh = &chunk.mesh;
    let with_loose;
    let (bytes, index_format): (&[u8], _) = match &mesh.indices {
        _ if !mesh.loose.is_empty() => {
            let of_loose = mesh.loose.iter().flat_map(|loose| &loose.indices);
            with_loose = mesh.indices.iter().chain(of_loose.copied()).collect::<Vec<_>>();
            (cast_slice(&with_loose), wgpu::IndexFormat::Uint32)
        }
        Indices::U16(bytes) => (bytes, wgpu::IndexFormat::Uint16),
        Indices::U32(list) => (cast_slice(list), wgpu::IndexFormat::Uint32),
    };
    let mut first_index = mesh.indices.len();
    let loose = mesh.loose.iter().map(|loose| {
        let first = first_index;
        first_index += loose.indices.len();
        SceneLoose::new(loose, first, whole.materials)
    });
    let ChunkPlace { group, first_vertex, first_index_byte } = chunk.place;
    write_part(indices, first_index_byte, bytes);
    SceneMesh {
        index_format,
        num_indices: count(mesh.indices.len()),
        num_vertices: count(mesh.num_vertices()),
        group,
        first_vertex,
        first_index: count(first_index_byte / index_format.byte_size() as usize),
        id: MeshId::from_index(chunk.number),
        source: chunk.source.clone(),
        first_draw,
        is_cloud: whole.mesh.indices.is_empty() && whole.mesh.loose.is_empty(),
        first_subset: whole.first_part,
        subsets: mesh.subsets.clone(),
        loose: loose.collect(),
        is_mirrored: whole.is_mirrored,
        has_normals: whole.keeps_normals && has_normals(mesh),
        is_tinted: whole.mesh.is_tinted(),
        culled: None,
        is_never_culled: false,
    }
}
