//! Moving vertices: which keys make up the pose, the palette, and the skinned vertices.
//!
//! Every kind of vertex data has one *deform* pipeline that writes the same buffer of
//! [`SkinnedVertex`]; packed vertices have `skin_packed.wgsl`.

use bytemuck::{bytes_of, cast_slice};
use glam::Affine3A;

use super::bind::bind_group;
use super::buffers::{count, empty, filled};
use super::clips::{ClipKeys, PaletteBuffers};
use super::gpu_data::{NONE, PoseInput, Rows, SkinInput, SkinnedVertex, Slot};
use super::{Gpu, Renderer, SceneError};
use crate::model::{DefaultPose, KeySpace, Mesh, Model, PackedVertices, Skin};
use crate::pose::{KeyBlend, Moment, PoseSpec, blend_keys, sample};

/// Invocations in a workgroup; as in the shaders.
const WORKGROUP: u32 = 64;
/// Workgroups in one direction of a dispatch: what every device can.
const MAX_GROUPS: u32 = 65535;
/// Bones that a packed vertex can name.
const PACKED_BONES: usize = 256;
/// Influences in a packed vertex.
const PACKED_INFLUENCES: u32 = 4;
const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE;

/// The buffers that move one model.
#[derive(Debug)]
pub(super) struct Deformer {
    /// The model without its meshes: skeleton and clips, whose keys are shared and not copied.
    motion: Model,
    buffers: PaletteBuffers,
    clips: ClipKeys,
    /// One key, for poses that come from the CPU.
    posed_keys: wgpu::Buffer,
    posed_bind: wgpu::BindGroup,
    meshes: Vec<MeshDeform>,
    num_slots: u32,
    last: Option<PoseKey>,
}

/// What skins one mesh.
#[derive(Debug)]
struct MeshDeform {
    bind: wgpu::BindGroup,
    groups: [u32; 2],
}

/// What decides the skinned vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PoseKey {
    /// Keys of a clip, joined on the GPU.
    Keys { clip: usize, input: PoseInput },
    /// Anything else: bones are posed on the CPU.
    Posed(PoseSpec),
}

impl Deformer {
    /// Uploads what moves `model`; vertices are written to `skinned`, mesh after mesh.
    pub(super) fn new(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        packed: &[&PackedVertices],
        skinned: &wgpu::Buffer,
    ) -> Result<Self, SceneError> {
        let per_mesh: Vec<Vec<Slot>> = model.meshes.iter().map(slots_of).collect();
        let slots = per_mesh.concat();
        let parents = model.skeleton.bones().iter();
        let parents: Vec<u32> = parents
            .map(|bone| bone.parent.map_or(NONE, |parent| parent.0))
            .collect();
        let palette_bytes = (slots.len() * size_of::<Rows>()) as u64;
        let pose_bytes = size_of::<PoseInput>() as u64;
        let buffers = PaletteBuffers {
            pose: empty(gpu, "pose", pose_bytes, wgpu::BufferUsages::UNIFORM)?,
            parents: filled(gpu, "bone parents", cast_slice(&parents), STORAGE)?,
            slots: filled(gpu, "palette slots", cast_slice(&slots), STORAGE)?,
            palette: empty(gpu, "palette", palette_bytes, STORAGE)?,
        };
        let posed_bytes = (parents.len() * size_of::<Rows>()) as u64;
        let posed_keys = empty(gpu, "posed bones", posed_bytes, STORAGE)?;
        let posed_bind = buffers.bind(&gpu.device, &renderer.layouts.palette, &posed_keys);

        let mut meshes = Vec::with_capacity(packed.len());
        let (mut first_vertex, mut first_slot) = (0, 0);
        for ((mesh, vertices), slots) in model.meshes.iter().zip(packed).zip(&per_mesh) {
            let num_vertices = count(vertices.len());
            let (groups, row_length) = groups_for(num_vertices);
            let input = SkinInput {
                num_vertices,
                first_vertex,
                first_slot,
                num_slots: count(slots.len()),
                is_rigid: u32::from(matches!(mesh.skin, Skin::None)),
                row_length,
                num_influences: PACKED_INFLUENCES,
                padding: 0,
            };
            let uniform = wgpu::BufferUsages::UNIFORM;
            let input = filled(gpu, "skin input", bytes_of(&input), uniform)?;
            let stored = filled(gpu, "packed vertices", vertices.bytes(), STORAGE)?;
            meshes.push(MeshDeform {
                bind: bind_group(
                    &gpu.device,
                    "skin packed",
                    &renderer.layouts.skin,
                    &[&input, &stored, &buffers.palette, skinned],
                ),
                groups,
            });
            first_vertex += num_vertices;
            first_slot += count(slots.len());
        }
        Ok(Self {
            motion: Model {
                axes: model.axes,
                skeleton: model.skeleton.clone(),
                clips: model.clips.clone(),
                default_pose: model.default_pose,
                ..Model::default()
            },
            buffers,
            clips: ClipKeys::default(),
            posed_keys,
            posed_bind,
            meshes,
            num_slots: count(slots.len()),
            last: None,
        })
    }

    /// Records the skinning for `spec`, unless the vertices are there already. Says whether it did.
    pub(super) fn record(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        spec: &PoseSpec,
        encoder: &mut wgpu::CommandEncoder,
        times: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> bool {
        let key = self.pose_key(spec);
        if self.last == Some(key) {
            return false;
        }
        self.last = Some(key);
        let from_clip = match key {
            PoseKey::Keys { clip, input } => self
                .clip_bind(gpu, renderer, clip)
                .map(|bind| (bind, input)),
            PoseKey::Posed(_) => None,
        };
        // Keys too large for the device are read on the CPU instead, a pose at a time.
        let (bind, input) = from_clip.unwrap_or_else(|| self.pose_on_cpu(gpu, spec));
        gpu.queue
            .write_buffer(&self.buffers.pose, 0, bytes_of(&input));

        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("skinning"),
            timestamp_writes: times,
        });
        pass.set_pipeline(renderer.palette_pipeline(gpu));
        pass.set_bind_group(0, &bind, &[]);
        let columns = self.num_slots * 4;
        pass.dispatch_workgroups(columns.div_ceil(WORKGROUP), 1, 1);
        pass.set_pipeline(renderer.skin_pipeline(gpu));
        for mesh in &self.meshes {
            pass.set_bind_group(0, &mesh.bind, &[]);
            pass.dispatch_workgroups(mesh.groups[0], mesh.groups[1], 1);
        }
        true
    }

    /// Where the bones are at `spec`, file space.
    pub(super) fn model_from_bone(&self, spec: &PoseSpec) -> Vec<Affine3A> {
        sample(&self.motion, spec).model_from_bone
    }

    /// Number of clips whose keys lie on the GPU.
    pub(super) fn num_uploaded_clips(&self) -> usize {
        self.clips.len()
    }

    /// What decides the vertices at `spec`. Keep in sync with `pose::sample`.
    fn pose_key(&self, spec: &PoseSpec) -> PoseKey {
        let is_rest = spec.clip.is_none()
            && spec.moment == Moment::Default
            && self.motion.default_pose == DefaultPose::Rest;
        let clip = spec.clip_of(&self.motion).filter(|_| !is_rest);
        let Some(motion) = clip.and_then(|clip| clip.as_sampled()) else {
            return PoseKey::Posed(*spec);
        };
        let Some(blend) = blend_keys(motion, spec.moment, spec.sampling) else {
            return PoseKey::Posed(*spec);
        };
        PoseKey::Keys {
            clip: spec.clip.map_or(0, |clip| clip.index()),
            input: self.input(blend, motion.space, motion.keys.num_bones()),
        }
    }

    fn input(&self, blend: KeyBlend, space: KeySpace, num_key_bones: u32) -> PoseInput {
        let mut flags = match space {
            KeySpace::Skin => 0,
            KeySpace::Local => PoseInput::PARENTS | PoseInput::INVERSE_BIND,
        };
        if blend.is_product {
            flags |= PoseInput::PRODUCT;
        }
        PoseInput {
            key0: blend.key0,
            key1: blend.key1,
            fraction: blend.fraction,
            flags,
            num_key_bones,
            num_bones: count(self.motion.skeleton.len()),
            num_slots: self.num_slots,
            padding: 0,
        }
    }

    fn clip_bind(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        clip: usize,
    ) -> Option<wgpu::BindGroup> {
        let keys = &self.motion.clips.get(clip)?.as_sampled()?.keys;
        let buffers = &self.buffers;
        let bind = |keys: &_| buffers.bind(&gpu.device, &renderer.layouts.palette, keys);
        self.clips
            .bind_group(gpu, clip, keys.bytes(), bind)
            .ok()
            .cloned()
    }

    /// Poses the bones here and uploads them as a single key.
    fn pose_on_cpu(&self, gpu: &Gpu, spec: &PoseSpec) -> (wgpu::BindGroup, PoseInput) {
        let pose = sample(&self.motion, spec);
        let (matrices, flags): (&[Affine3A], _) = match &pose.model_from_mesh {
            Some(finished) => (finished, 0),
            None => (&pose.model_from_bone, PoseInput::INVERSE_BIND),
        };
        let num_bones = self.motion.skeleton.len();
        let rows: Vec<Rows> = matrices.iter().take(num_bones).map(|&m| m.into()).collect();
        gpu.queue
            .write_buffer(&self.posed_keys, 0, cast_slice(&rows));
        let input = PoseInput {
            flags,
            num_key_bones: count(rows.len()),
            num_bones: count(num_bones),
            num_slots: self.num_slots,
            ..PoseInput::default()
        };
        (self.posed_bind.clone(), input)
    }
}

/// The palette slots of one mesh, as `pose::palette` numbers them.
fn slots_of(mesh: &Mesh) -> Vec<Slot> {
    let slot = |bone: u32, inverse: Option<Affine3A>| Slot {
        bone_from_mesh: inverse.unwrap_or(Affine3A::IDENTITY).into(),
        bone,
        has_inverse: u32::from(inverse.is_some()),
        padding: [0; 2],
    };
    match &mesh.skin {
        Skin::InverseBind(skin) => {
            let bones = skin.bones.iter().take(PACKED_BONES).enumerate();
            let inverse = |at: usize| skin.bone_from_mesh.get(at).copied();
            bones
                .map(|(at, bone)| slot(bone.0, inverse(at).map(Affine3A::from_mat4)))
                .collect()
        }
        Skin::None | Skin::BoneLocal(_) => {
            vec![slot(mesh.attached_to.map_or(NONE, |bone| bone.0), None)]
        }
    }
}

/// Workgroups in x and y that cover `invocations`, and the invocations of one row.
fn groups_for(invocations: u32) -> ([u32; 2], u32) {
    let groups = invocations.div_ceil(WORKGROUP).max(1);
    let x = groups.min(MAX_GROUPS);
    ([x, groups.div_ceil(x)], x * WORKGROUP)
}

/// Bytes of `num_vertices` skinned vertices.
pub(super) fn skinned_bytes(num_vertices: usize) -> u64 {
    num_vertices as u64 * size_of::<SkinnedVertex>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_cover_all_vertices_within_the_limit_of_a_direction() {
        for invocations in [0, 1, 64, 65, 65_536, 4_194_240, 4_194_241, 100_000_000] {
            let ([x, y], row) = groups_for(invocations);
            assert!(x <= MAX_GROUPS && y <= MAX_GROUPS && x >= 1 && y >= 1);
            assert_eq!(row, x * WORKGROUP);
            assert!(u64::from(row) * u64::from(y) >= u64::from(invocations));
        }
    }
}
