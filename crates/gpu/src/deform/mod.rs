//! Skinning: the keys that make up a pose, the palette, and the skinned vertices.
//!
//! There are two *deform* pipelines, which write the same buffer of [`SkinnedVertex`]: `skin_packed.wgsl`
//! for packed vertices with a linear skin, `skin_streams.wgsl` for everything else.
//!
//! | vertices and skin | path |
//! |---|---|
//! | packed, linear or rigid | `skin_packed.wgsl`, from the file's bytes |
//! | float, any number of influences and bones | `skin_streams.wgsl`, from compressed rows; a variant is compiled for meshes with none of the following |
//! | dual quaternions, or mixed | the same; the CPU makes one quaternion per palette slot and pose |
//! | bone-local | the same; each influence has its own position and normal |
//! | morph targets | the same; offsets are stored per vertex, weights are uploaded when they change |
//! | vertex animation | the same; the positions of the frame are uploaded, normals are zero, hence flat shading |
//! | other normal matrix | the same; a number in the mesh's uniform selects it |
//!
//! | motion | path |
//! |---|---|
//! | sampled keys | `palette.wgsl`: two keys and a fraction to one matrix per bone |
//! | sampled keys that are decomposed, mixed with a second clip, edited by hand or kept in place | posed on the CPU once per pose; palettes are uploaded |
//! | tracks, curves, morph tracks | posed on the CPU once per pose; palettes are uploaded |
//!
//! Dual quaternions, clips with morph tracks, and bone-local skins under baked skinning matrices also need
//! CPU palettes. Nothing is computed per vertex on the CPU.

mod counts;
mod last_pose;
mod mesh;
mod morphs;
mod packed;
mod palette;
mod streams;
mod vertex_sizes;

use bytemuck::{bytes_of, cast_slice};

use super::buffers::{count, empty, filled};
use super::chunk::Chunk;
use super::clips::{ClipKeys, PaletteBuffers};
use super::gpu_data::{DualQuaternion, NONE, PoseInput, Rows, SkinnedVertex, Slot, StreamInput};
use super::kernels::{Kernel, Kernels};
use super::textures::uv_set_of;
use super::timing::Timer;
use super::{Gpu, SceneError};
use last_pose::LastPose;
pub(super) use mesh::groups_for;
use mesh::{ChunkDeform, MeshOffsets, SharedBuffers, SkinPath};
use rigscope_core::model::{
    Clip, ClipId, DefaultPose, KeySpace, Mesh, MeshId, Model, NormalMatrix, Skin, SkinNormals,
};
use rigscope_core::pose::{
    KeyBlend, Moment, PoseSpec, Sampling, blend_keys, canonical_spec, sample,
};
pub(super) use vertex_sizes::VertexSizes;

/// Workgroup size; the same as in the shaders.
const WORKGROUP: u32 = 64;
/// Workgroups in one dimension of a dispatch that every device supports.
const MAX_GROUPS: u32 = 65535;
const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE;
const UNIFORM: wgpu::BufferUsages = wgpu::BufferUsages::UNIFORM;

/// The buffers for skinning one model.
#[derive(Debug)]
pub(super) struct Deformer {
    /// The model without its vertices: skeleton, clips, slots and names of morph shapes.
    motion: Model,
    buffers: PaletteBuffers,
    shared: SharedBuffers,
    clips: ClipKeys,
    /// By mesh.
    places: Vec<MeshOffsets>,
    /// In the order of the meshes.
    chunks: Vec<ChunkDeform>,
    num_slots: u32,
    /// Weights of all morph shapes outside clips, mesh after mesh.
    default_weights: Vec<f32>,
    /// The contents of the weight buffer.
    weights: Vec<f32>,
    last: Option<(PoseKey, NormalMatrix)>,
    /// `None` if it was computed on the GPU.
    last_pose: Option<LastPose>,
    num_moved: usize,
}

/// Determines the skinned vertices.
#[derive(Clone, Debug, PartialEq)]
enum PoseKey {
    /// Keys of a clip, blended on the GPU.
    Keys { clip: usize, input: PoseInput },
    /// Anything else, posed on the CPU.
    Posed(Box<PoseSpec>),
}

impl Deformer {
    /// Uploads the data that the meshes of `model` share. Chunks are added with [`Self::add`].
    pub(super) fn new(gpu: &Gpu, model: &Model) -> Result<Self, SceneError> {
        let per_mesh: Vec<Vec<Slot>> =
            model.meshes.iter().map(|mesh| palette::slots_of(mesh, model.skeleton.len())).collect();
        let slots = per_mesh.concat();
        let parents = model.skeleton.bones().iter();
        let parents: Vec<u32> =
            parents.map(|bone| bone.parent.map_or(NONE, |parent| parent.0)).collect();
        let palette_bytes = (slots.len() * size_of::<Rows>()) as u64;
        let buffers = PaletteBuffers {
            pose: empty(gpu, "pose", size_of::<PoseInput>() as u64, UNIFORM)?,
            parents: filled(gpu, "bone parents", cast_slice(&parents), STORAGE)?,
            slots: filled(gpu, "palette slots", cast_slice(&slots), STORAGE)?,
            palette: empty(gpu, "palette", palette_bytes, STORAGE)?,
        };
        let motion = model.without_vertices();
        let default_weights = morphs::default_shape_weights(&motion);
        let quaternion_bytes = if model.meshes.iter().any(has_dual_quaternions) {
            (slots.len() * size_of::<DualQuaternion>()) as u64
        } else {
            0
        };
        let shared = SharedBuffers {
            palette: buffers.palette.clone(),
            dual_quaternions: empty(gpu, "dual quaternions", quaternion_bytes, STORAGE)?,
            shape_weights: filled(gpu, "shape weights", cast_slice(&default_weights), STORAGE)?,
        };
        let mut places = Vec::with_capacity(model.meshes.len());
        let (mut first_slot, mut first_shape) = (0, 0);
        for (mesh, slots) in model.meshes.iter().zip(&per_mesh) {
            let num_slots = count(slots.len());
            let (uv_set, _) = uv_set_of(model, mesh);
            let num_shapes = count(morphs::num_shapes(mesh));
            places.push(MeshOffsets { first_slot, num_slots, first_shape, num_shapes, uv_set });
            first_slot += num_slots;
            first_shape += num_shapes;
        }
        Ok(Self {
            motion,
            buffers,
            shared,
            clips: ClipKeys::default(),
            places,
            chunks: Vec::new(),
            num_slots: count(slots.len()),
            weights: default_weights.clone(),
            default_weights,
            last: None,
            last_pose: None,
            num_moved: 0,
        })
    }

    /// Uploads `chunk`, whose skinned vertices will be written to `skinned`.
    pub(super) fn add(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        chunk: &Chunk<'_>,
        skinned: &wgpu::Buffer,
    ) -> Result<(), SceneError> {
        let is_cached = self.motion.has_vertex_cache(chunk.number);
        let place = self.places.get(chunk.number).copied().unwrap_or_default();
        let shared = &self.shared;
        // Only the general pipeline has matrices of normals per bone.
        let is_general = self.motion.normal_matrix == NormalMatrix::InverseTransposePerBone;
        let vertices = packed::vertices_of(&chunk.mesh).filter(|_| !is_cached && !is_general);
        let upload = match vertices {
            Some(vertices) => packed::upload(gpu, kernels, chunk, vertices, place, shared, skinned),
            None => streams::upload(gpu, kernels, chunk, is_cached, place, shared, skinned),
        };
        let mut chunk = upload?;
        if is_general {
            chunk.path = SkinPath::Streams;
        }
        self.chunks.push(chunk);
        Ok(())
    }

    /// Records the skinning for `spec`, unless the vertices are already in that pose. Returns whether it
    /// did.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        spec: &PoseSpec,
        encoder: &mut wgpu::CommandEncoder,
        timer: Option<&Timer>,
    ) -> bool {
        let decisive = (self.pose_key(spec), spec.normals.matrix_of(&self.motion));
        if self.last.as_ref() == Some(&decisive) {
            return false;
        }
        let known = self.last.replace(decisive.clone());
        let (key, by) = decisive;
        if known.is_none_or(|(_, known)| known != by) {
            self.last_pose = None;
            for chunk in &self.chunks {
                let mesh = self.motion.meshes.get(MeshId::from_index(chunk.number));
                if let Some(mesh) = mesh {
                    chunk.write_normal_matrix(gpu, by, mesh);
                }
            }
        }
        let from_clip = match key {
            PoseKey::Keys { clip, input } => self.clip_bind(gpu, kernels, clip, input),
            PoseKey::Posed(_) => None,
        };
        let before = self.last_pose.take();
        match &from_clip {
            Some((_, input)) => {
                write_weights(gpu, &self.shared, &mut self.weights, &self.default_weights);
                gpu.queue.write_buffer(&self.buffers.pose, 0, bytes_of(input));
            }
            None => self.last_pose = Some(self.pose_on_cpu(gpu, spec)),
        }

        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("skinning"),
            timestamp_writes: timer.and_then(|timer| timer.compute("skinning")),
        });
        if let Some((bind, _)) = &from_clip {
            let ([x, y], _) = groups_for(self.num_slots.saturating_mul(4));
            pass.set_pipeline(&kernels.get(gpu, Kernel::Palette));
            pass.set_bind_group(0, bind, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
        let cached = self.last_pose.as_ref().and_then(|pose| pose.cached);
        let moved = before.zip(self.last_pose.as_ref());
        let moved = moved.map(|(before, pose)| pose.moved_since(&before, &self.places));
        let has_moved = |chunk: &&ChunkDeform| {
            moved.as_ref().is_none_or(|moved| moved.get(chunk.number).copied().unwrap_or(true))
        };
        self.num_moved = 0;
        for chunk in self.chunks.iter().filter(has_moved) {
            chunk.record(gpu, kernels, cached == Some(chunk.number), &mut pass);
            self.num_moved += 1;
        }
        true
    }

    /// The compute pipelines that skinning for `spec` needs.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn kernels(&self, spec: &PoseSpec) -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = self.chunks.iter().map(ChunkDeform::kernel).collect();
        if matches!(self.pose_key(spec), PoseKey::Keys { .. }) {
            kernels.push(Kernel::Palette);
        }
        kernels.sort_unstable();
        kernels.dedup();
        kernels
    }

    /// Forces the next pose to be recorded even if it is the current one.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn invalidate(&mut self) {
        self.last = None;
        self.last_pose = None;
    }

    /// Number of chunks that the last pose has skinned.
    pub(super) fn num_moved(&self) -> usize {
        self.num_moved
    }

    /// The model without its vertices.
    pub(super) fn motion(&self) -> &Model {
        &self.motion
    }

    /// Number of clips with all keys on the GPU.
    pub(super) fn num_uploaded_clips(&self) -> usize {
        self.clips.len()
    }

    /// Records counting the influences of every vertex into `counts`, one buffer per group.
    pub(super) fn record_counts(
        &self,
        gpu: &Gpu,
        kernels: &Kernels,
        counts: &[wgpu::Buffer],
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), SceneError> {
        counts::record(gpu, kernels, &self.chunks, counts, encoder)
    }

    /// The key of the pose `spec`. Keep in sync with `pose::sample`.
    fn pose_key(&self, spec: &PoseSpec) -> PoseKey {
        let is_rest = spec.clip.is_none()
            && spec.moment == Moment::Default
            && self.motion.default_pose == DefaultPose::Rest;
        let clip = spec.clip_of(&self.motion).filter(|_| !is_rest);
        let keys = clip.filter(|clip| !self.needs_pose(clip)).and_then(|clip| {
            let motion = clip.as_sampled()?;
            let blend = blend_keys(motion, spec.moment, spec.sampling)?;
            let is_summed = spec.sampling != Sampling::Decomposed || blend.fraction == 0.0;
            if !is_summed || !spec.is_plain() {
                return None;
            }
            Some(PoseKey::Keys {
                clip: spec.clip.map_or(0, |clip| clip.index()),
                input: self.input(blend, motion.space, motion.keys.num_bones()),
            })
        });
        keys.unwrap_or_else(|| PoseKey::Posed(Box::new(canonical_spec(&self.motion, spec))))
    }

    /// Whether palettes made from the sampled keys of `clip` aren't enough to skin the vertices.
    fn needs_pose(&self, clip: &Clip) -> bool {
        let is_finished = clip.as_sampled().is_some_and(|motion| motion.space == KeySpace::Skin);
        !clip.morph_tracks.is_empty()
            || self.motion.meshes.iter().any(|mesh| {
                // Bone-local influences need `model_from_bone`, which baked skinning matrices don't
                // contain.
                has_dual_quaternions(mesh)
                    // The palette of keys lacks the matrix for normals.
                    || follows_node(mesh)
                    || (is_finished && matches!(mesh.skin, Skin::BoneLocal(_)))
            })
    }

    fn input(&self, blend: KeyBlend, space: KeySpace, num_key_bones: u32) -> PoseInput {
        let mut flags = match space {
            KeySpace::Skin => 0,
            KeySpace::Local => PoseInput::PARENTS | PoseInput::INVERSE_BIND,
        };
        if blend.is_product {
            flags |= PoseInput::PRODUCT;
        }
        let (_, row_length) = groups_for(self.num_slots.saturating_mul(4));
        PoseInput {
            key0: blend.key0,
            key1: blend.key1,
            fraction: blend.fraction,
            flags,
            num_key_bones,
            num_bones: count(self.motion.skeleton.len()),
            num_slots: self.num_slots,
            row_length,
        }
    }

    /// The bind group for the palette, and the indices of the keys in it; `None` if the device has no room
    /// for two keys.
    fn clip_bind(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        clip: usize,
        input: PoseInput,
    ) -> Option<(wgpu::BindGroup, PoseInput)> {
        let keys = &self.motion.clips.get(ClipId::from_index(clip))?.as_sampled()?.keys;
        let buffers = &self.buffers;
        let bind = |keys: &_| buffers.bind(&gpu.device, &kernels.layouts.palette, keys);
        let pair = [input.key0, input.key1];
        let (bind, [key0, key1]) = self.clips.bound(gpu, clip, keys, pair, bind).ok()?;
        Some((bind.clone(), PoseInput { key0, key1, ..input }))
    }

    /// Computes the pose on the CPU and uploads palettes, shape weights and vertex animation positions.
    fn pose_on_cpu(&mut self, gpu: &Gpu, spec: &PoseSpec) -> LastPose {
        let mut pose = sample(&self.motion, spec);
        let cached = pose.cached.take();
        let matrices = palette::matrices(&self.motion, &self.places, &pose);
        let rows: Vec<Rows> = matrices.iter().map(|&matrix| matrix.into()).collect();
        gpu.queue.write_buffer(&self.shared.palette, 0, cast_slice(&rows));
        if self.motion.meshes.iter().any(has_dual_quaternions) {
            let rigid: Vec<DualQuaternion> = matrices.iter().map(DualQuaternion::from).collect();
            gpu.queue.write_buffer(&self.shared.dual_quaternions, 0, cast_slice(&rigid));
        }
        let weights = morphs::shape_weights(&self.motion, &pose.morph_weights);
        write_weights(gpu, &self.shared, &mut self.weights, &weights);
        let cached = cached.and_then(|cached| {
            let mesh = cached.mesh.index();
            let mut own = self.chunks.iter().filter(|chunk| chunk.number == mesh);
            own.all(|chunk| chunk.write_positions(gpu, &cached.positions)).then_some(mesh)
        });
        LastPose { rows, weights, cached }
    }
}

/// Uploads `weights` unless they equal `known`, the contents of the buffer.
fn write_weights(gpu: &Gpu, shared: &SharedBuffers, known: &mut Vec<f32>, weights: &[f32]) {
    if known != weights {
        let buffer = &shared.shape_weights;
        gpu.queue.write_buffer(buffer, 0, cast_slice(weights));
        known.clear();
        known.extend_from_slice(weights);
    }
}

/// Whether normals of a mesh also follow its node.
fn follows_node(mesh: &Mesh) -> bool {
    let Skin::InverseBind(skin) = &mesh.skin else { return false };
    matches!(skin.normals, SkinNormals::ThenNode(_))
}

/// Whether some vertices of a mesh are skinned by dual quaternions.
fn has_dual_quaternions(mesh: &Mesh) -> bool {
    match &mesh.skin {
        Skin::InverseBind(skin) => streams::blending(skin) != StreamInput::LINEAR,
        _ => false,
    }
}

/// Largest size of a skinned vertex, in bytes.
pub(super) const SKINNED_BYTES: u64 = size_of::<SkinnedVertex>() as u64;
