//! The bind pose of Blender, whose bones have neither scale nor shear.
//!
//! The importer makes it from the inverse bind matrices, or from the nodes of joints without one, and skins the vertices
//! to it. Posed bones then move these vertices: those between bones whose inverse bind matrices lead to different
//! places in the bind pose are skinned twice (Blender 5.0, io_scene_gltf2/blender/imp/vnode.py: mark_bones_and_armas,
//! pick_bind_pose, calc_bone_matrices; mesh.py: skin_into_bind_pose).

use std::collections::{BTreeMap, HashMap};

use glam::{Affine3A, Mat4, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{Rules, nodes};
use crate::model::{
    Bone, BoneId, IdVec, Influences, InverseBindSkin, LocalTransform, Mesh, Model, Place, Skin,
    StoredMesh, VertexData, unit,
};

/// Matrices that differ by less, relative to the size of the mesh, lead to the same place.
const TOLERANCE: f32 = 1e-6;

/// Moves the vertices of skinned meshes to the bind pose, if that makes a difference.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if !rules.skins_to_bind_pose {
        return;
    }
    let skins: BTreeMap<usize, (&StoredMesh, &InverseBindSkin)> =
        model.meshes.iter().filter_map(|mesh| with_skin(mesh)).collect();
    if skins.is_empty() {
        return;
    }
    let binds = bind_pose(model.skeleton.bones(), model.skeleton.parents_first(), &skins);
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let is_stored = mesh.stored.as_ref().is_some_and(|stored| stored.skin.is_some());
        if is_stored && skin_to(mesh, &binds) {
            differences.push(PlaybackDifference {
                kind: "bind-pose-rebuilt",
                text: "bones have no scale or shear in the bind pose, and vertices between bones are skinned twice"
                    .to_owned(),
                place: Place::Mesh(number),
                count: 1,
            });
        }
    }
}

fn with_skin(mesh: &Mesh) -> Option<(usize, (&StoredMesh, &InverseBindSkin))> {
    let stored = mesh.stored.as_deref()?;
    match &mesh.skin {
        Skin::InverseBind(skin) => Some((stored.skin?, (stored, skin))),
        _ => None,
    }
}

/// The transforms of bones in the space of their armature; identity for other nodes.
fn bind_pose(
    bones: &IdVec<BoneId, Bone>,
    parents_first: &[BoneId],
    skins: &BTreeMap<usize, (&StoredMesh, &InverseBindSkin)>,
) -> IdVec<BoneId, Affine3A> {
    let parent = |bone: BoneId| bones.get(bone).and_then(|bone| bone.parent);
    let mut is_bone = IdVec::filled(false, bones);
    // By node, or `None` for the scene.
    let mut inverse_binds: HashMap<Option<BoneId>, Mat4> = HashMap::from([(None, Mat4::IDENTITY)]);
    for (stored, skin) in skins.values() {
        let mut armature =
            common_ancestor(bones, skin.bones.iter().copied().chain(stored.skeleton_root));
        if armature.is_some_and(|armature| skin.bones.contains(&armature)) {
            armature = armature.and_then(parent);
        }
        for &joint in &skin.bones {
            let mut at = Some(joint);
            while let Some(bone) = at.filter(|_| at != armature) {
                // The rest of the way was marked before, unless it ends at another armature.
                let Some(flag) = is_bone.get_mut(bone) else { break };
                *flag = true;
                at = parent(bone);
            }
        }
        if !stored.has_inverse_binds {
            continue;
        }
        if let Some(root) = stored.skeleton_root {
            let above = if skin.bones.contains(&root) { parent(root) } else { Some(root) };
            inverse_binds.entry(above).or_insert(Mat4::IDENTITY);
        }
        for (&joint, &bind) in skin.bones.iter().zip(&skin.bone_from_mesh) {
            inverse_binds.insert(Some(joint), bind);
        }
    }
    let mut binds = IdVec::filled(Affine3A::IDENTITY, bones);
    for &bone in parents_first.iter().filter(|bone| is_bone.get(**bone) == Some(&true)) {
        let above = parent(bone);
        let local = match (inverse_binds.get(&Some(bone)), inverse_binds.get(&above)) {
            (Some(own), Some(above)) => rigid(&Affine3A::from_mat4(*above * own.inverse())),
            _ => match bones.get(bone).map(|bone| bone.rest_local) {
                Some(LocalTransform::Trs(trs)) => {
                    Affine3A::from_rotation_translation(trs.rotation, trs.translation)
                }
                Some(LocalTransform::Matrix(matrix)) => rigid(&matrix),
                None => continue,
            },
        };
        let above = above.filter(|above| is_bone.get(*above) == Some(&true));
        let above = above.and_then(|above| binds.get(above)).copied();
        if let Some(own) = binds.get_mut(bone).filter(|_| local.is_finite()) {
            *own = above.unwrap_or(Affine3A::IDENTITY) * local;
        }
    }
    binds
}

/// The deepest node that is an ancestor of all, or one of them; `None` for the scene.
fn common_ancestor(
    bones: &IdVec<BoneId, Bone>,
    nodes: impl Iterator<Item = BoneId>,
) -> Option<BoneId> {
    let path = |node: BoneId| {
        let mut path: Vec<BoneId> =
            std::iter::successors(Some(node), |node| bones.get(*node)?.parent).collect();
        path.reverse();
        path
    };
    let mut common: Option<Vec<BoneId>> = None;
    for node in nodes {
        let own = path(node);
        common = Some(match common {
            None => own,
            Some(common) => {
                common.into_iter().zip(own).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
            }
        });
    }
    common.and_then(|path| path.last().copied())
}

/// The translation and rotation of a matrix. A mirrored one is negated as a whole (mathutils: `Matrix.decompose`).
fn rigid(matrix: &Affine3A) -> Affine3A {
    let sign = if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let turned = Affine3A { matrix3: matrix.matrix3 * sign, ..*matrix };
    let rotation = unit(nodes::decomposed(&turned).rotation, 0.0);
    Affine3A::from_rotation_translation(rotation, matrix.translation.into())
}

/// Moves the vertices of a mesh to the bind pose. Returns whether joints differ in their way there.
fn skin_to(mesh: &mut Mesh, binds: &IdVec<BoneId, Affine3A>) -> bool {
    let (Skin::InverseBind(skin), VertexData::Streams(streams)) =
        (&mut mesh.skin, &mut mesh.vertices)
    else {
        return false;
    };
    let bind = |bone: &BoneId| binds.get(*bone).copied().unwrap_or(Affine3A::IDENTITY);
    let to_bind_pose: Vec<Mat4> = skin
        .bones
        .iter()
        .zip(&skin.bone_from_mesh)
        .map(|(bone, inverse)| Mat4::from(bind(bone)) * *inverse)
        .collect();
    let size = streams.positions.iter().fold(0.0f32, |most, at| most.max(at.abs().max_element()));
    let is_same = |matrix: &Mat4| {
        let tolerance =
            TOLERANCE * size.max(1.0) * to_bind_pose[0].w_axis.abs().max_element().max(1.0);
        to_bind_pose[0].abs_diff_eq(*matrix, tolerance)
    };
    if to_bind_pose.iter().all(is_same) || !matches!(skin.influences, Influences::Rows { .. }) {
        return false;
    }
    let first_slots: HashMap<u32, u32> = skin.unweighted_slots.iter().copied().collect();
    let matrices: Vec<Mat4> = (0u32..)
        .zip(0..streams.positions.len())
        .map(|(number, vertex)| {
            let (mut sum, mut weights) = (Mat4::ZERO, 0.0);
            for (slot, weight) in skin.influences.row(vertex) {
                sum += to_bind_pose.get(slot as usize).copied().unwrap_or_default() * weight;
                weights += weight;
            }
            let first = first_slots.get(&number).copied().unwrap_or_default();
            let first = to_bind_pose.get(first as usize).copied().unwrap_or_default();
            if weights == 0.0 { first } else { sum * (1.0 / weights) }
        })
        .collect();
    for (position, matrix) in streams.positions.iter_mut().zip(&matrices) {
        *position = matrix.transform_point3(*position);
    }
    for (normal, matrix) in streams.normals.iter_mut().zip(&matrices) {
        *normal = matrix.transform_vector3(*normal).normalize_or_zero();
    }
    for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
        let moved = |offsets: &mut Vec<Vec3>| {
            for (vertex, offset) in shape.vertices.iter().zip(offsets) {
                if let Some(matrix) = matrices.get(vertex.index()) {
                    *offset = matrix.transform_vector3(*offset);
                }
            }
        };
        moved(&mut shape.position_offsets);
        moved(&mut shape.normal_offsets);
    }
    for (bone, inverse) in skin.bones.iter().zip(&mut skin.bone_from_mesh) {
        *inverse = bind(bone).inverse().into();
    }
    true
}
