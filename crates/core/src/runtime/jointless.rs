//! Primitives without joints in the node of a skinned mesh, which the specification doesn't allow.

use glam::{Affine3A, Mat3A};

use super::playback_difference::PlaybackDifference;
use super::{Jointless, Rules};
use crate::model::{
    Bone, BoneKind, Influences, InverseBindSkin, LocalTransform, MeshId, Model, Place, Skin, as_u32,
};

/// Places primitives without joints.
pub(super) fn place(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.jointless == Jointless::InNode {
        return;
    }
    for number in 0..model.meshes.len() {
        let id = MeshId::from_index(number);
        let mesh = &model.meshes[id];
        let stored = mesh.stored.as_ref();
        let skin = stored.and_then(|stored| stored.skin);
        let (Some(skin), Skin::None, Some(node)) = (skin, &mesh.skin, mesh.attached_to) else {
            continue;
        };
        let num_vertices = mesh.num_vertices();
        match rules.jointless {
            Jointless::InNode => {}
            Jointless::InScene => model.meshes[id].attached_to = None,
            Jointless::AtOrigin => {
                let flat = Affine3A::from_mat3(glam::Mat3::from(Mat3A::ZERO));
                let bone = model.skeleton.push(Bone {
                    name: "origin of the node".to_owned(),
                    parent: Some(node),
                    kind: BoneKind::Helper,
                    rest_local: LocalTransform::Matrix(flat),
                    ..Bone::default()
                });
                model.meshes[id].attached_to = Some(bone);
            }
            Jointless::ToSecondJoint => {
                let Some(mut own) = skin_of(model, skin) else { continue };
                let second = as_u32(own.bones.len().saturating_sub(1).min(1));
                let row: &[(u32, f32)] = &[(second, 1.0)];
                own.influences = Influences::from_lists(std::iter::repeat_n(row, num_vertices));
                model.meshes[id].skin = Skin::InverseBind(own);
                model.meshes[id].attached_to = None;
            }
        }
        differences.push(PlaybackDifference {
            kind: "jointless-primitives",
            text: "primitives without joints in the node of a skinned mesh don't follow the node"
                .to_owned(),
            place: Place::Mesh(as_u32(number)),
            count: 1,
        });
    }
}

/// The joints and matrices of a skin of the file, from a mesh that has it.
fn skin_of(model: &Model, number: usize) -> Option<InverseBindSkin> {
    model.meshes.iter().find_map(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) if mesh.stored.as_ref()?.skin == Some(number) => {
            Some(InverseBindSkin {
                bones: skin.bones.clone(),
                bone_from_mesh: skin.bone_from_mesh.clone(),
                ..InverseBindSkin::default()
            })
        }
        _ => None,
    })
}
