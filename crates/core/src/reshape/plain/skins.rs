//! Skins with one inverse bind per slot.

use glam::{Affine3A, Mat4, Vec3};

use super::bones::Bones;
use crate::model::{
    BoneId, BoneLocalSkin, IdVec, Influences, InverseBindSkin, Mesh, Model, Skin, VertexData,
};
use crate::pose::{Pose, unit_or_zero};

/// Gives every skinned mesh of `model` explicit inverse binds. Vertices must be floats.
pub(super) fn bind(model: &mut Model, default: &Pose, bones: &Bones) {
    for mesh in &mut model.meshes {
        match &mut mesh.skin {
            Skin::None => {}
            Skin::InverseBind(skin) if bones.is_finished => {
                skin.bone_from_mesh = vec![Mat4::IDENTITY; skin.bones.len()];
            }
            Skin::InverseBind(skin) => {
                skin.bone_from_mesh.resize(skin.bones.len(), Mat4::IDENTITY);
            }
            Skin::BoneLocal(skin) => {
                let skin = std::mem::take(skin);
                fold(mesh, &skin, &default.model_from_bone);
            }
        }
    }
}

/// Replaces the positions of a vertex's influences by one position per vertex, in the default pose.
fn fold(mesh: &mut Mesh, skin: &BoneLocalSkin, model_from_bone: &IdVec<BoneId, Affine3A>) {
    let num = mesh.num_vertices();
    let (mut positions, mut normals) = (Vec::with_capacity(num), Vec::with_capacity(num));
    let mut slot_of_bone = IdVec::filled(None, model_from_bone);
    let mut bones: Vec<BoneId> = Vec::new();
    let mut lists: Vec<Vec<(u32, f32)>> = Vec::with_capacity(num);
    for vertex in 0..num {
        let (mut position, mut normal, mut total) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        let mut list = Vec::new();
        skin.for_each(vertex, |influence| {
            let matrix = model_from_bone[influence.bone];
            let weight = influence.weight;
            position += matrix.transform_point3(influence.position) * weight;
            normal += matrix.transform_vector3(influence.normal) * weight;
            total += weight;
            let slot = *slot_of_bone[influence.bone].get_or_insert_with(|| {
                bones.push(influence.bone);
                BoneId::from_index(bones.len() - 1).0
            });
            list.push((slot, weight));
        });
        let is_moved = total > 0.0;
        positions.push(if is_moved {
            position / total
        } else {
            mesh.position(vertex).unwrap_or_default()
        });
        normals.push(Vec3::from(unit_or_zero(normal.into())));
        lists.push(list);
    }
    let inverse = |&bone: &BoneId| {
        let inverse = model_from_bone[bone].inverse();
        Mat4::from(if inverse.is_finite() { inverse } else { Affine3A::IDENTITY })
    };
    mesh.skin = Skin::InverseBind(InverseBindSkin {
        bone_from_mesh: bones.iter().map(inverse).collect(),
        bones,
        influences: Influences::from_lists(lists),
        ..InverseBindSkin::default()
    });
    if let VertexData::Streams(streams) = &mut mesh.vertices {
        streams.positions = positions;
        streams.normals =
            if normals.iter().any(|n| *n != Vec3::ZERO) { normals } else { Vec::new() };
    }
}
