//! Bones with one bind transform each, from skins with one per slot.
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use glam::{Affine3A, DAffine3, Mat4};

use super::as_skins;
use crate::formats::added_bones::{SECOND_BIND, report_added_bone};
use rigscope_core::model::stats::used_slots;
use rigscope_core::model::{
    Axes, BoneId, IdVec, InverseBindSkin, Mesh, MeshId, Model, Motion, NormalMatrix, Origins,
    Report, Skin, VertexData, copy_name,
};
use rigscope_core::pose::{MeshPose, PoseSpec, sample, skin_mesh};
use rigscope_core::reshape::{self, ReshapeError};

/// Relative difference up to which two bind transforms are the same.
const SAME_BIND: f64 = 2e-6;

/// A bone as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats) struct RiggedBone {
    /// Name in the model; duplicates are named after their bone.
    pub(in crate::formats) name: String,
    /// Index among the rigged bones.
    pub(in crate::formats) parent: Option<usize>,
    /// The bone of the model that it moves with; the indices are equal except for duplicates.
    pub(in crate::formats) source: BoneId,
    /// Its `model_from_bone` in the pose in which the mesh's vertices are stored.
    pub(in crate::formats) bind: DAffine3,
}

/// A single mesh, and bones with one bind transform each.
pub(in crate::formats) struct RiggedModel {
    /// In the plain form and the requested axes, without morph targets, with at most one mesh.
    pub(in crate::formats) model: Model,
    /// The model's bones, then duplicates for vertices bound to the same bone in a different way.
    pub(in crate::formats) bones: Vec<RiggedBone>,
    /// Index in `bones` of each slot of the mesh's skin; empty without a skin.
    pub(in crate::formats) slots: Vec<usize>,
    /// Name of the source mesh of each subset; empty if unknown.
    pub(in crate::formats) subset_names: Vec<String>,
    /// Number of meshes without normals that got some, because other meshes have them.
    pub(in crate::formats) num_made_normals: usize,
    /// Whether the bones' rest pose differs from their bind pose and can't be changed because of
    /// clips: without a clip, programs show vertices in the bind pose.
    pub(in crate::formats) rest_differs_from_bind: bool,
    /// The sources of the mesh's vertices.
    pub(in crate::formats) origins: Origins,
}

impl RiggedModel {
    /// Converts `model` to `axes`, with clips at `rate` if it is given.
    pub(in crate::formats) fn of(
        model: &Model,
        axes: &Axes,
        rate: Option<f64>,
        report: &Report,
    ) -> Result<Self, ReshapeError> {
        let attached = reshape::in_axes(&reshape::plain(model, rate), axes);
        let rest = sample(&attached, &PoseSpec::default()).model_from_bone;
        let mut plain = as_skins(&attached, report);
        let by = plain.normal_matrix;
        for (mesh, attached) in plain.meshes.iter_mut().zip(&attached.meshes) {
            flatten_morphs(mesh);
            if let Some(bone) = attached.attached_to {
                bind_to_attached_bone(mesh, bone, by, &rest);
            }
        }
        let mut names = Vec::new();
        for mesh in &plain.meshes {
            names.extend(mesh.subsets.iter().map(|_| mesh.name.clone()));
        }
        let mut num_made_normals = 0;
        let mut origins = Origins::of_same_meshes(plain.meshes.len());
        let mut model = match plain.meshes.len() {
            0 | 1 => plain,
            _ => {
                let num = |model: &Model| -> Vec<usize> {
                    model.meshes.iter().map(Mesh::num_vertices).collect()
                };
                let (plain, num_made, with_normals) = reshape::with_normals_as_others(&plain);
                num_made_normals = num_made;
                let (merged, own) = reshape::merged(&plain)?;
                origins = own.after(&num(&merged), &with_normals, &num(&plain));
                merged
            }
        };
        if let Some(mesh) = model.meshes.first()
            && mesh.subsets.len() != names.len()
        {
            names.clear();
        }
        let rest = sample(&model, &PoseSpec::default()).model_from_bone;
        let mut rest_differs_from_bind = !is_bound_at_rest(&model, &rest);
        let has_bone_clip =
            model.clips.iter().any(|clip| !matches!(clip.motion, Motion::VertexAnimation(_)));
        if rest_differs_from_bind && !has_bone_clip {
            bind_at_rest(&mut model, &rest);
            rest_differs_from_bind = false;
        }
        let (bones, slots) = bones(&model, &rest);
        for copy in bones.iter().skip(model.skeleton.len()) {
            report_added_bone(&copy.name, SECOND_BIND, report);
        }
        Ok(Self {
            model,
            bones,
            slots,
            subset_names: names,
            num_made_normals,
            rest_differs_from_bind,
            origins,
        })
    }

    pub(in crate::formats) fn mesh(&self) -> Option<&Mesh> {
        self.model.meshes.first()
    }

    /// Collects bone and weight of each influence on `vertex` in `list`, replacing its contents.
    pub(in crate::formats) fn influences(&self, vertex: usize, list: &mut Vec<(usize, f32)>) {
        list.clear();
        let skin = self.mesh().and_then(Mesh::inverse_bind);
        for (slot, weight) in skin.into_iter().flat_map(|skin| skin.influences.row(vertex)) {
            if let Some(&bone) = self.slots.get(slot as usize).filter(|_| weight > 0.0) {
                list.push((bone, weight));
            }
        }
    }

    /// Whether each bone moves a vertex.
    pub(in crate::formats) fn weighted_bones(
        &self,
        report: &Report,
    ) -> Result<Vec<bool>, rigscope_core::model::Cancelled> {
        let mut moves = vec![false; self.bones.len()];
        let mut list = Vec::new();
        for vertex in 0..self.mesh().map_or(0, Mesh::num_vertices) {
            if vertex % 65536 == 0 {
                report.progress("looking at influences", 0.1)?;
            }
            self.influences(vertex, &mut list);
            for (bone, _) in &list {
                if let Some(flag) = moves.get_mut(*bone) {
                    *flag = true;
                }
            }
        }
        Ok(moves)
    }
}

/// Applies the default weights of the morph targets to the vertices.
fn flatten_morphs(mesh: &mut Mesh) {
    if mesh.morph_targets.is_empty() {
        return;
    }
    let unmoved = Mesh { skin: Skin::None, ..mesh.clone() };
    let targets = mesh.morph_targets.iter();
    let pose = MeshPose {
        palette: vec![Affine3A::IDENTITY],
        morph_weights: targets.map(|target| target.default_weight).collect(),
        ..MeshPose::default()
    };
    if pose.morph_weights.iter().any(|weight| *weight != 0.0) {
        replace_vertices(mesh, skin_mesh(&unmoved, &pose));
    }
    mesh.morph_targets.clear();
}

fn replace_vertices(mesh: &mut Mesh, skinned: rigscope_core::pose::SkinnedMesh) {
    let VertexData::Streams(streams) = &mut mesh.vertices else { return };
    streams.positions = skinned.positions;
    if !streams.normals.is_empty() {
        streams.normals = skinned.normals;
    }
    if !streams.tangents.is_empty() {
        streams.tangents = skinned.tangents;
    }
}

/// Binds a mesh, whose only slot is the bone it was attached to, in the bone's rest pose.
fn bind_to_attached_bone(
    mesh: &mut Mesh,
    bone: BoneId,
    by: NormalMatrix,
    rest: &IdVec<BoneId, Affine3A>,
) {
    let world = rest[bone];
    let Some(inverse) = Some(world.inverse()).filter(Affine3A::is_finite) else { return };
    let pose = MeshPose { palette: vec![world], normal_matrix: by, ..MeshPose::default() };
    let skinned = skin_mesh(mesh, &pose);
    replace_vertices(mesh, skinned);
    if let Skin::InverseBind(skin) = &mut mesh.skin {
        skin.bone_from_mesh = vec![Mat4::from(inverse)];
    }
}

/// The inverse bind matrix of a slot without its last row, which has no meaning.
fn inverse_bind(skin: &InverseBindSkin, slot: usize) -> DAffine3 {
    let stored = skin.bone_from_mesh.get(slot).copied();
    DAffine3::from_mat4(stored.unwrap_or(Mat4::IDENTITY).as_dmat4())
}

fn wide(matrix: Affine3A) -> DAffine3 {
    DAffine3 {
        matrix3: glam::Mat3::from(matrix.matrix3).as_dmat3(),
        translation: glam::Vec3::from(matrix.translation).as_dvec3(),
    }
}

/// Magnitude of the largest element of a matrix, at least 1.
fn size(matrix: &DAffine3) -> f64 {
    let numbers = matrix.to_cols_array();
    numbers.iter().fold(1.0, |most: f64, n| most.max(n.abs()))
}

fn is_same(a: &DAffine3, b: &DAffine3) -> bool {
    a.abs_diff_eq(*b, SAME_BIND * size(a))
}

/// Whether the rest pose of all bones that move vertices equals their bind pose.
fn is_bound_at_rest(model: &Model, rest: &IdVec<BoneId, Affine3A>) -> bool {
    let mesh = model.meshes.first();
    let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, mesh.inverse_bind()?))) else {
        return true;
    };
    let used = used_slots(mesh, skin);
    let mut slots = skin.bones.iter().enumerate().zip(used);
    slots.all(|((slot, &bone), used)| {
        let world = wide(rest[bone]);
        let moved = world * inverse_bind(skin, slot);
        // Inverse matrices have rounding errors.
        !used || moved.abs_diff_eq(DAffine3::IDENTITY, 1e-4 * size(&world))
    })
}

/// Moves vertices to the rest pose and binds them there.
fn bind_at_rest(model: &mut Model, rest: &IdVec<BoneId, Affine3A>) {
    let pose = sample(model, &PoseSpec::default());
    let Some(mesh) = model.meshes.first_mut() else { return };
    let skinned = skin_mesh(mesh, &pose.of_mesh(MeshId(0), mesh));
    replace_vertices(mesh, skinned);
    if let Skin::InverseBind(skin) = &mut mesh.skin {
        let inverse = |&bone: &BoneId| {
            let inverse = Some(rest[bone].inverse()).filter(Affine3A::is_finite);
            Mat4::from(inverse.unwrap_or(Affine3A::IDENTITY))
        };
        skin.bone_from_mesh = skin.bones.iter().map(inverse).collect();
    }
}

/// All bones, then duplicates, and the bone of each slot.
fn bones(model: &Model, rest: &IdVec<BoneId, Affine3A>) -> (Vec<RiggedBone>, Vec<usize>) {
    let skeleton = model.skeleton.bones();
    let mut binds: IdVec<_, Option<(DAffine3, DAffine3)>> = IdVec::filled(None, skeleton);
    // Bone, inverse bind and bind of each duplicate.
    let mut duplicates: Vec<(BoneId, DAffine3, DAffine3)> = Vec::new();
    let mut slots = Vec::new();
    let mesh = model.meshes.first();
    if let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, mesh.inverse_bind()?))) {
        let used = used_slots(mesh, skin);
        for (slot, (&bone, is_used)) in skin.bones.iter().zip(used).enumerate() {
            slots.push(bone.index());
            let inverse = inverse_bind(skin, slot);
            let world = Some(inverse.inverse()).filter(DAffine3::is_finite);
            // A bind matrix without volume can't be stored; its vertices are always in one point.
            let world = world.unwrap_or_else(|| wide(rest[bone]));
            match &mut binds[bone] {
                _ if !is_used => {}
                known @ None => *known = Some((inverse, world)),
                Some((own, _)) if is_same(own, &inverse) => {}
                Some(_) => {
                    let mut same = duplicates.iter();
                    let at = same.position(|(b, i, _)| *b == bone && is_same(i, &inverse));
                    let at = at.unwrap_or_else(|| {
                        duplicates.push((bone, inverse, world));
                        duplicates.len() - 1
                    });
                    if let Some(last) = slots.last_mut() {
                        *last = skeleton.len() + at;
                    }
                }
            }
        }
    }
    let mut all: IdVec<BoneId, RiggedBone> = skeleton
        .iter_enumerated()
        .map(|(source, bone)| RiggedBone {
            name: bone.name.clone(),
            parent: bone.parent.map(BoneId::index),
            source,
            bind: binds[source].map_or(DAffine3::IDENTITY, |(_, world)| world),
        })
        .collect();
    // Bones without vertices are bound relative to their parents as in the rest pose.
    for &id in model.skeleton.parents_first() {
        if binds[id].is_none() {
            let bone = &skeleton[id];
            let above = bone.parent.map_or(DAffine3::IDENTITY, |parent| all[parent].bind);
            all[id].bind = above * wide(bone.rest_local.to_affine());
        }
    }
    all.extend(duplicates.into_iter().map(|(bone, _, bind)| RiggedBone {
        name: copy_name(&skeleton[bone].name),
        parent: Some(bone.index()),
        source: bone,
        bind,
    }));
    (all.into_vec(), slots)
}
