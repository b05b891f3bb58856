//! Bones with one bind transform each, out of skins that have one a slot.

use glam::{Affine3A, DAffine3, Mat4};

use super::as_skins;
use rigscope_core::bake::{self, BakeError};
use rigscope_core::model::stats::used_slots;
use rigscope_core::model::{
    Axes, BoneId, InverseBindSkin, Mesh, MeshId, Model, Motion, NormalMatrix, Origins, Report,
    Skin, VertexData,
};
use rigscope_core::pose::{MeshPose, PoseSpec, sample, skin_mesh};

/// Binds whose numbers differ by less than this, as a part of the largest, are the same.
const SAME_BIND: f64 = 2e-6;

/// A bone as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::formats) struct RiggedBone {
    /// Name in the model; that of the bone it stands for where it is a second one.
    pub(in crate::formats) name: String,
    /// Position among the rigged bones.
    pub(in crate::formats) parent: Option<usize>,
    /// The bone of the model that it moves with; its number is the same but for second ones.
    pub(in crate::formats) source: BoneId,
    /// Where it is when vertices are where the mesh has them: `model_from_bone`.
    pub(in crate::formats) bind: DAffine3,
}

/// One mesh, and bones of one bind transform each.
pub(in crate::formats) struct Rigged {
    /// In the plain form and the wanted axes, without morph targets; one mesh at most.
    pub(in crate::formats) model: Model,
    /// The model's bones, then second ones for vertices bound otherwise to the same bone.
    pub(in crate::formats) bones: Vec<RiggedBone>,
    /// Position in `bones` of each slot of the mesh's skin; empty without skin.
    pub(in crate::formats) slots: Vec<usize>,
    /// The name of the mesh that each subset came from; empty where that is not known.
    pub(in crate::formats) subset_names: Vec<String>,
    /// Meshes without normals that got some, as others have them.
    pub(in crate::formats) num_made_normals: usize,
    /// The bones rest elsewhere than where vertices are bound, and clips keep that from being
    /// mended: whoever shows the file without a clip shows vertices as bound.
    pub(in crate::formats) rests_elsewhere: bool,
    /// Where the mesh's vertices come from.
    pub(in crate::formats) origins: Origins,
}

impl Rigged {
    /// `model` in `axes`, with clips at `rate` where it is given.
    pub(in crate::formats) fn of(
        model: &Model,
        axes: &Axes,
        rate: Option<f64>,
        report: &Report,
    ) -> Result<Self, BakeError> {
        let hanging = bake::in_axes(&bake::plain(model, rate), axes);
        let rest = sample(&hanging, &PoseSpec::default()).model_from_bone;
        let mut plain = as_skins(&hanging, report);
        let by = plain.normal_matrix;
        for (mesh, hanging) in plain.meshes.iter_mut().zip(&hanging.meshes) {
            flatten_morphs(mesh);
            if let Some(bone) = hanging.attached_to {
                bind_where_it_hangs(mesh, bone, by, &rest);
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
                let (plain, num_made, with_normals) = bake::with_normals_as_others(&plain);
                num_made_normals = num_made;
                let (merged, own) = bake::merged(&plain)?;
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
        let mut rests_elsewhere = !is_bound_at_rest(&model, &rest);
        let has_bone_clip =
            model.clips.iter().any(|clip| !matches!(clip.motion, Motion::VertexCache(_)));
        if rests_elsewhere && !has_bone_clip {
            bind_at_rest(&mut model, &rest);
            rests_elsewhere = false;
        }
        let (bones, slots) = bones(&model, &rest);
        Ok(Self {
            model,
            bones,
            slots,
            subset_names: names,
            num_made_normals,
            rests_elsewhere,
            origins,
        })
    }

    /// The mesh, where there is one.
    pub(in crate::formats) fn mesh(&self) -> Option<&Mesh> {
        self.model.meshes.first()
    }

    /// Bone and weight of each influence on `vertex`, which replaces what `list` holds.
    pub(in crate::formats) fn influences(&self, vertex: usize, list: &mut Vec<(usize, f32)>) {
        list.clear();
        if let Some(skin) = self.mesh().and_then(skin_of) {
            skin.influences.for_each(vertex, |slot, weight| {
                if let Some(&bone) = self.slots.get(slot as usize).filter(|_| weight > 0.0) {
                    list.push((bone, weight));
                }
            });
        }
    }

    /// Which bones move a vertex.
    pub(in crate::formats) fn moves(
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

/// The skin of a mesh, where it has one.
fn skin_of(mesh: &Mesh) -> Option<&InverseBindSkin> {
    match &mesh.skin {
        Skin::InverseBind(skin) => Some(skin),
        Skin::None | Skin::BoneLocal(_) => None,
    }
}

/// Moves vertices to where the default weights of the morph targets have them.
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

/// Binds a mesh, whose one slot is that of the bone it hung on, where the bone rests.
fn bind_where_it_hangs(mesh: &mut Mesh, bone: BoneId, by: NormalMatrix, rest: &[Affine3A]) {
    let world = rest.get(bone.index()).copied().unwrap_or_default();
    let Some(inverse) = Some(world.inverse()).filter(Affine3A::is_finite) else { return };
    let pose = MeshPose { palette: vec![world], normal_matrix: by, ..MeshPose::default() };
    let skinned = skin_mesh(mesh, &pose);
    replace_vertices(mesh, skinned);
    if let Skin::InverseBind(skin) = &mut mesh.skin {
        skin.bone_from_mesh = vec![Mat4::from(inverse)];
    }
}

/// The inverse bind of a slot without its last row, which means nothing.
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

/// The largest number of a matrix, 1 at least.
fn size(matrix: &DAffine3) -> f64 {
    let numbers = matrix.to_cols_array();
    numbers.iter().fold(1.0, |most: f64, n| most.max(n.abs()))
}

fn is_same(a: &DAffine3, b: &DAffine3) -> bool {
    a.abs_diff_eq(*b, SAME_BIND * size(a))
}

/// Whether all bones that move vertices rest where these are bound.
fn is_bound_at_rest(model: &Model, rest: &[Affine3A]) -> bool {
    let mesh = model.meshes.first();
    let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, skin_of(mesh)?))) else {
        return true;
    };
    let used = used_slots(mesh, skin);
    let mut slots = skin.bones.iter().enumerate().zip(used);
    slots.all(|((slot, bone), used)| {
        let world = rest.get(bone.index()).map_or(DAffine3::IDENTITY, |m| wide(*m));
        let moved = world * inverse_bind(skin, slot);
        // Inverses come with rounding of their own.
        !used || moved.abs_diff_eq(DAffine3::IDENTITY, 1e-4 * size(&world))
    })
}

/// Moves vertices to where the resting bones have them, and binds them there.
fn bind_at_rest(model: &mut Model, rest: &[Affine3A]) {
    let pose = sample(model, &PoseSpec::default());
    let Some(mesh) = model.meshes.first_mut() else { return };
    let skinned = skin_mesh(mesh, &pose.of_mesh(MeshId(0), mesh));
    replace_vertices(mesh, skinned);
    if let Skin::InverseBind(skin) = &mut mesh.skin {
        let inverse = |bone: &BoneId| {
            let world = rest.get(bone.index()).copied().unwrap_or_default();
            let inverse = Some(world.inverse()).filter(Affine3A::is_finite);
            Mat4::from(inverse.unwrap_or(Affine3A::IDENTITY))
        };
        skin.bone_from_mesh = skin.bones.iter().map(inverse).collect();
    }
}

/// All bones, second ones behind, and which of them each slot is.
fn bones(model: &Model, rest: &[Affine3A]) -> (Vec<RiggedBone>, Vec<usize>) {
    let skeleton = model.skeleton.bones();
    let mut binds: Vec<Option<(DAffine3, DAffine3)>> = vec![None; skeleton.len()];
    // Bone, inverse bind and bind of each second bone.
    let mut seconds: Vec<(BoneId, DAffine3, DAffine3)> = Vec::new();
    let mut slots = Vec::new();
    let mesh = model.meshes.first();
    if let Some((mesh, skin)) = mesh.and_then(|mesh| Some((mesh, skin_of(mesh)?))) {
        let used = used_slots(mesh, skin);
        for (slot, (&bone, is_used)) in skin.bones.iter().zip(used).enumerate() {
            slots.push(bone.index());
            let inverse = inverse_bind(skin, slot);
            let world = Some(inverse.inverse()).filter(DAffine3::is_finite);
            // A bind without volume cannot be stored; its vertices are in one point all the time.
            let world = world.or_else(|| rest.get(bone.index()).map(|m| wide(*m)));
            let (Some(world), Some(known)) = (world, binds.get_mut(bone.index())) else { continue };
            match known {
                _ if !is_used => {}
                None => *known = Some((inverse, world)),
                Some((own, _)) if is_same(own, &inverse) => {}
                Some(_) => {
                    let mut same = seconds.iter();
                    let at = same.position(|(b, i, _)| *b == bone && is_same(i, &inverse));
                    let at = at.unwrap_or_else(|| {
                        seconds.push((bone, inverse, world));
                        seconds.len() - 1
                    });
                    if let Some(last) = slots.last_mut() {
                        *last = skeleton.len() + at;
                    }
                }
            }
        }
    }
    let mut all: Vec<RiggedBone> = skeleton
        .iter()
        .zip(&binds)
        .enumerate()
        .map(|(index, (bone, bind))| RiggedBone {
            name: bone.name.clone(),
            parent: bone.parent.map(BoneId::index),
            source: BoneId::from_index(index),
            bind: bind.map_or(DAffine3::IDENTITY, |(_, world)| world),
        })
        .collect();
    // Bones that move nothing are bound beside their parents as they rest.
    for &id in model.skeleton.parents_first() {
        if let (Some(None), Some(bone)) = (binds.get(id.index()), skeleton.get(id.index())) {
            let local = wide(bone.rest_local.to_affine());
            let above = bone.parent.and_then(|parent| all.get(parent.index()));
            let bind = above.map_or(DAffine3::IDENTITY, |above| above.bind) * local;
            if let Some(own) = all.get_mut(id.index()) {
                own.bind = bind;
            }
        }
    }
    all.extend(seconds.into_iter().map(|(bone, _, bind)| RiggedBone {
        name: skeleton.get(bone.index()).map(|bone| bone.name.clone()).unwrap_or_default(),
        parent: Some(bone.index()),
        source: bone,
        bind,
    }));
    (all, slots)
}
