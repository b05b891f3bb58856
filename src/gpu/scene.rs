//! One model's buffers.

use std::collections::HashMap;

use bytemuck::cast_slice;

use super::bind::bind_group;
use super::buffers::{count, empty, filled};
use super::deform::{Deformer, skinned_bytes};
use super::draws::{SceneLoose, SceneMesh, num_draws};
use super::gpu_data::{Draw, Frame};
use super::kernels::Kernels;
use super::light::OwnLight;
use super::list::List;
use super::shadow::Shadow;
use super::textures::Materials;
use super::timing::Timer;
use super::{Gpu, SceneError, Show};
use crate::bake;
use crate::model::{Axes, Indices, Mesh, Model, srgb8_from_color};
use crate::visual::{Coloring, VertexPaint};

/// One model on the GPU.
#[derive(Debug)]
pub struct Scene {
    pub(super) axes: Axes,
    pub(super) meshes: Vec<SceneMesh>,
    pub(super) materials: Materials,
    /// Of the file; comes with its textures.
    pub(super) light: Option<OwnLight>,
    /// In place of it.
    pub(super) given_light: Option<OwnLight>,
    pub(super) deformer: Deformer,
    pub(super) skinned: wgpu::Buffer,
    pub(super) frame: wgpu::Buffer,
    pub(super) frame_bind: wgpu::BindGroup,
    /// Tiles of the picture that is being drawn, where it is lit afterwards (`pass/deferred`); 0 where not.
    pub(super) num_deferred_tiles: u32,
    pub(super) draws: wgpu::Buffer,
    /// What `draws` holds.
    pub(super) last_draws: Vec<Draw>,
    /// Records of passes, by the pass's name.
    pub(super) lists: HashMap<&'static str, List>,
    values: VertexValues,
    pub(super) shadow: Option<Shadow>,
    pub(super) timer: Option<Timer>,
}

/// What the surface is coloured by; made when it is first shown, but for what the file gives.
#[derive(Debug, Default)]
struct VertexValues {
    /// Colours of vertices, sRGB and alpha; none where no mesh is tinted.
    colors: Option<wgpu::Buffer>,
    /// How many bones move each vertex.
    counts: Option<wgpu::Buffer>,
    /// Colours or values given along, and what they were made of.
    paint: Option<(wgpu::Buffer, VertexPaint)>,
    /// Which of them the meshes bind.
    bound: Option<Values>,
}

/// One of the kinds of [`VertexValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    Colors,
    Counts,
    Paint,
}

impl Scene {
    /// The buffers of `model`, filled, drawn with `materials`.
    pub(super) fn make(
        gpu: &Gpu,
        kernels: &Kernels,
        model: &Model,
        materials: Materials,
    ) -> Result<Self, SceneError> {
        let storage = wgpu::BufferUsages::STORAGE;
        let skinned = empty(
            gpu,
            "skinned vertices",
            skinned_bytes(model.num_vertices()),
            storage | wgpu::BufferUsages::COPY_SRC,
        )?;
        let deformer = Deformer::new(gpu, kernels, model, &skinned)?;
        let draw_bytes = (num_draws(&model.meshes) * size_of::<Draw>()) as u64;
        let draws = empty(gpu, "draws", draw_bytes, storage)?;
        let meshes = scene_meshes(gpu, kernels, model, &skinned, &draws)?;
        let frame_bytes = size_of::<Frame>() as u64;
        let frame = empty(gpu, "frame", frame_bytes, wgpu::BufferUsages::UNIFORM)?;
        let frame_bind = bind_group(&gpu.device, "frame", &kernels.layouts.frame, &[&frame]);
        Ok(Self {
            axes: model.axes,
            meshes,
            materials,
            light: None,
            given_light: None,
            deformer,
            skinned,
            frame,
            frame_bind,
            num_deferred_tiles: 0,
            draws,
            last_draws: Vec::new(),
            lists: HashMap::new(),
            values: VertexValues { colors: vertex_colors(gpu, model)?, ..VertexValues::default() },
            shadow: None,
            timer: Timer::new(gpu),
        })
    }

    /// Whether the skeleton is drawn: where it is asked for, and where there is nothing else.
    pub fn shows_bones(&self, show: &Show) -> bool {
        let has_vertices = self.meshes.iter().any(|mesh| mesh.num_vertices > 0);
        show.bones || (!has_vertices && (show.surface || show.wireframe || show.points))
    }

    /// Number of textures made from the model's images.
    pub fn num_textures(&self) -> usize {
        self.materials.num_textures()
    }

    /// Number of clips whose keys lie on the GPU.
    pub fn num_uploaded_clips(&self) -> usize {
        self.deformer.num_uploaded_clips()
    }

    /// Uploads what must change before a frame is drawn: looks of subsets.
    pub(super) fn write_draws(&mut self, gpu: &Gpu, draws: Vec<Draw>) {
        if draws != self.last_draws {
            gpu.queue.write_buffer(&self.draws, 0, cast_slice(&draws));
            self.last_draws = draws;
        }
    }

    /// Number of vertices of all meshes.
    pub(super) fn num_vertices(&self) -> u64 {
        self.meshes.iter().map(|m| u64::from(m.num_vertices)).sum()
    }

    /// Brings what `coloring`, or the model's own look, needs of each vertex to the GPU, unless it is
    /// there. Says whether it is: a device without room, or paint of another model, shows none.
    pub(super) fn bring_values(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        coloring: Option<Coloring>,
        paint: Option<&VertexPaint>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> bool {
        let (wanted, is_there) = match (coloring, paint) {
            (Some(Coloring::InfluenceCounts), _) => {
                let is_there = self.count_influences(gpu, kernels, encoder);
                (Values::Counts, is_there)
            }
            (Some(coloring), paint) if coloring.is_painted() => match paint {
                Some(paint) => (Values::Paint, self.upload_paint(gpu, paint)),
                None => return false,
            },
            (None | Some(Coloring::VertexColors), _) if self.values.colors.is_some() => {
                (Values::Colors, true)
            }
            _ => return true,
        };
        if !is_there {
            return false;
        }
        if self.values.bound != Some(wanted) {
            let values = match wanted {
                Values::Colors => self.values.colors.as_ref(),
                Values::Counts => self.values.counts.as_ref(),
                Values::Paint => self.values.paint.as_ref().map(|(buffer, _)| buffer),
            };
            let Some(values) = values else { return false };
            for mesh in &mut self.meshes {
                let buffers = [&self.skinned, &mesh.indices, &self.draws, values];
                mesh.bind = mesh_bind(gpu, kernels, buffers);
            }
            self.values.bound = Some(wanted);
        }
        true
    }

    fn count_influences(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        encoder: &mut wgpu::CommandEncoder,
    ) -> bool {
        if self.values.counts.is_none() {
            let bytes = self.num_vertices() * size_of::<u32>() as u64;
            let usage = wgpu::BufferUsages::STORAGE;
            let Ok(counts) = empty(gpu, "influence counts", bytes, usage) else { return false };
            let deformer = &self.deformer;
            if deformer.record_counts(gpu, kernels, &counts, encoder).is_err() {
                return false;
            }
            self.values.counts = Some(counts);
        }
        true
    }

    fn upload_paint(&mut self, gpu: &Gpu, paint: &VertexPaint) -> bool {
        let bytes: &[u8] = match paint {
            VertexPaint::Heat { values, .. } => cast_slice(values),
            VertexPaint::Colors(colors) => cast_slice(colors),
        };
        if bytes.len() as u64 != self.num_vertices() * size_of::<u32>() as u64 {
            return false;
        }
        match &mut self.values.paint {
            Some((_, known)) if known == paint => {}
            Some((buffer, known)) => {
                gpu.queue.write_buffer(buffer, 0, bytes);
                *known = paint.clone();
            }
            None => {
                let Ok(buffer) = filled(gpu, "paint", bytes, wgpu::BufferUsages::STORAGE) else {
                    return false;
                };
                self.values.paint = Some((buffer, paint.clone()));
            }
        }
        true
    }
}

fn scene_meshes(
    gpu: &Gpu,
    kernels: &Kernels,
    model: &Model,
    skinned: &wgpu::Buffer,
    draws: &wgpu::Buffer,
) -> Result<Vec<SceneMesh>, SceneError> {
    let (mut first_vertex, mut first_subset) = (0, 0);
    let mut meshes = Vec::with_capacity(model.meshes.len());
    let mirrored = bake::mirrored_meshes(model);
    for (mesh, is_mirrored) in model.meshes.iter().zip(mirrored) {
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
            SceneLoose::new(loose, first, &model.materials)
        });
        let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::STORAGE;
        let indices = filled(gpu, "indices", bytes, usage)?;
        meshes.push(SceneMesh {
            // The last stands in for values of vertices, which nobody reads yet.
            bind: mesh_bind(gpu, kernels, [skinned, &indices, draws, draws]),
            indices,
            index_format,
            num_indices: count(mesh.indices.len()),
            num_vertices: count(mesh.num_vertices()),
            first_vertex,
            first_subset,
            subsets: mesh.subsets.clone(),
            loose: loose.collect(),
            is_mirrored,
            is_tinted: mesh.is_tinted(),
            seen: None,
            is_never_culled: false,
        });
        first_vertex += count(mesh.num_vertices());
        first_subset += mesh.num_parts();
    }
    Ok(meshes)
}

/// The colours of all vertices, sRGB and alpha; nothing where no mesh is tinted.
fn vertex_colors(gpu: &Gpu, model: &Model) -> Result<Option<wgpu::Buffer>, SceneError> {
    if !model.meshes.iter().any(Mesh::is_tinted) {
        return Ok(None);
    }
    let mut colors: Vec<[u8; 4]> = Vec::with_capacity(model.num_vertices());
    for mesh in &model.meshes {
        let of_vertex = |vertex| mesh.color(vertex).map_or([u8::MAX; 4], srgb8_from_color);
        colors.extend((0..mesh.num_vertices()).map(of_vertex));
    }
    let bytes = colors.as_flattened();
    let usage = wgpu::BufferUsages::STORAGE;
    filled(gpu, "vertex colors", bytes, usage).map(Some)
}

/// What passes see of a mesh: skinned vertices, indices, draws, values of vertices.
fn mesh_bind(gpu: &Gpu, kernels: &Kernels, buffers: [&wgpu::Buffer; 4]) -> wgpu::BindGroup {
    bind_group(&gpu.device, "mesh", &kernels.layouts.mesh, &buffers)
}
