//! Converts the bones of any model to this format: with rotation and translation, but without scale.
//!
//! The transform of a bone is taken from the posed model and reduced to a rotation and translation there, so
//! that bones below a scaled one stay in place. Constant scales and shears are lossless, since every vertex
//! is in the space of its bones. Rest poses are always exact.
//!
//! Not for: names in files (`write_parts`, `write_skill`).
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use glam::{Affine3A, DMat3, DQuat, DVec3, Vec3};

use rigscope_core::model::{BoneId, IdVec, Model};
use rigscope_core::pose::{Pose, PoseSpec, sample};

/// A rotation and translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
}

impl Rigid {
    const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// The rotation and translation of a matrix. A scale or shear in the bone's space doesn't change them,
    /// because the first axis is kept and the second rotates in the plane of both.
    fn of(matrix: &Affine3A) -> Option<Self> {
        let columns = matrix.matrix3;
        let [x, y] = [columns.x_axis, columns.y_axis].map(|axis| Vec3::from(axis).as_dvec3());
        let x = x.try_normalize()?;
        let z = x.cross(y.try_normalize()?).try_normalize()?;
        let rotation = DMat3::from_cols(x, z.cross(x), z);
        Some(Self {
            rotation: DQuat::from_mat3(&rotation).normalize(),
            translation: Vec3::from(matrix.translation).as_dvec3(),
        })
    }

    fn inverse_times(&self, other: &Self) -> Self {
        let back = self.rotation.conjugate();
        Self {
            rotation: (back * other.rotation).normalize(),
            translation: back * (other.translation - self.translation),
        }
    }

    /// A point of the model in this bone's space.
    pub(super) fn point_inside(&self, point: Vec3) -> Vec3 {
        (self.rotation.conjugate() * (point.as_dvec3() - self.translation)).as_vec3()
    }

    /// A direction of the model in this bone's space.
    pub(super) fn direction_inside(&self, direction: Vec3) -> Vec3 {
        (self.rotation.conjugate() * direction.as_dvec3()).as_vec3()
    }
}

/// A written bone.
#[derive(Clone, Debug)]
pub(super) struct RigBone {
    /// The bone in the model; `None` for the bone of vertices without influences.
    pub(super) source: Option<BoneId>,
    /// Index of the parent among the written bones, which comes before it.
    pub(super) parent: Option<usize>,
    /// Rest transform in the model.
    pub(super) model_from_bone: Rigid,
    /// Rest transform in the parent.
    pub(super) parent_from_bone: Rigid,
}

/// The written bones, parents first.
#[derive(Debug)]
pub(super) struct Rig {
    pub(super) bones: Vec<RigBone>,
    /// Index of the written bone for each bone of the model.
    written: IdVec<BoneId, Option<usize>>,
    /// Largest coordinate of a bone at rest.
    pub(super) extent: f32,
}

impl Rig {
    /// The rig of a plain model. Helpers that move nothing are left out.
    pub(super) fn of(model: &Model) -> Self {
        let skeleton = &model.skeleton;
        let used = rigscope_core::model::stats::used_bones(model);
        let pose = sample(model, &PoseSpec::default());
        let mut rig = Self {
            bones: Vec::with_capacity(skeleton.len() + 1),
            written: IdVec::filled(None, skeleton.bones()),
            extent: 0.0,
        };
        // The written bone that each bone is or is a child of.
        let mut nearest: IdVec<_, Option<usize>> = IdVec::filled(None, skeleton.bones());
        let needs_still = skeleton.is_empty() || model.meshes.iter().any(is_still);
        if needs_still {
            rig.push(None, None, Rigid::IDENTITY);
        }
        for &id in skeleton.parents_first() {
            let bone = &skeleton.bones()[id];
            let parent = bone.parent.filter(|_| skeleton.has_hierarchy());
            let parent = parent.and_then(|parent| nearest[parent]);
            let number = if bone.is_helper() && !used[id] {
                parent
            } else {
                let rest = Rigid::of(&pose.model_from_bone[id]).unwrap_or(Rigid::IDENTITY);
                Some(rig.push(Some(id), parent, rest))
            };
            nearest[id] = number;
            rig.written[id] = number;
        }
        // If there are only helpers: a skeleton needs at least one bone.
        if rig.bones.is_empty() {
            rig.push(None, None, Rigid::IDENTITY);
        }
        rig
    }

    fn push(&mut self, source: Option<BoneId>, parent: Option<usize>, rest: Rigid) -> usize {
        let above = parent.and_then(|parent| self.bones.get(parent));
        self.bones.push(RigBone {
            source,
            parent,
            model_from_bone: rest,
            parent_from_bone: above
                .map_or(rest, |above| above.model_from_bone.inverse_times(&rest)),
        });
        let reach = rest.translation.as_vec3().abs().max_element();
        self.extent = self.extent.max(reach);
        self.bones.len() - 1
    }

    /// The written bone for a bone of the model, or for vertices without one.
    pub(super) fn written(&self, bone: Option<BoneId>) -> usize {
        bone.and_then(|bone| self.written[bone]).unwrap_or(0)
    }

    /// The local transform of each written bone in a pose; at rest for bones without volume.
    pub(super) fn locals(&self, pose: &Pose) -> Vec<Rigid> {
        let mut worlds: Vec<Rigid> = Vec::with_capacity(self.bones.len());
        let mut locals = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            let matrix = bone.source.map(|source| &pose.model_from_bone[source]);
            let parent = bone.parent.and_then(|parent| worlds.get(parent)).copied();
            let world = match (matrix, matrix.and_then(Rigid::of)) {
                (_, Some(world)) => world,
                // A hidden bone keeps its rotation relative to its parent.
                (Some(matrix), None) => Rigid {
                    rotation: parent.map_or(DQuat::IDENTITY, |parent| parent.rotation)
                        * bone.parent_from_bone.rotation,
                    translation: Vec3::from(matrix.translation).as_dvec3(),
                },
                (None, None) => bone.model_from_bone,
            };
            locals.push(parent.map_or(world, |parent| parent.inverse_times(&world)));
            worlds.push(world);
        }
        locals
    }
}

/// Whether a mesh has vertices without a bone.
fn is_still(mesh: &rigscope_core::model::Mesh) -> bool {
    let is_unweighted = |vertex: usize| {
        let mut sum = 0.0;
        mesh.for_each_influence(vertex, |_, weight| sum += weight.max(0.0));
        sum == 0.0
    };
    (0..mesh.num_vertices()).any(is_unweighted)
}
