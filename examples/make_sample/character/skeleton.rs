//! The bones, with their positions in the bind pose.

use glam::{Mat4, Vec3};
use rigscope_core::model::{Bone, BoneId, LocalTransform, Skeleton, Trs};

/// (name, parent, head in model space); bind rotations are the identity.
pub(super) const BONES: &[(&str, Option<usize>, [f32; 3])] = &[
    ("root", None, [0.0, 0.0, 0.0]),
    ("pelvis", Some(0), [0.0, 0.58, 0.0]),
    ("spine", Some(1), [0.0, 0.72, 0.0]),
    ("chest", Some(2), [0.0, 0.88, 0.0]),
    ("neck", Some(3), [0.0, 1.06, 0.0]),
    ("head", Some(4), [0.0, 1.14, 0.0]),
    ("antenna_1", Some(5), [0.0, 1.68, 0.0]),
    ("antenna_2", Some(6), [0.0, 1.80, 0.0]),
    ("arm_l", Some(3), [0.20, 0.98, 0.0]),
    ("forearm_l", Some(8), [0.40, 0.84, 0.0]),
    ("hand_l", Some(9), [0.58, 0.71, 0.02]),
    ("arm_r", Some(3), [-0.20, 0.98, 0.0]),
    ("forearm_r", Some(11), [-0.40, 0.84, 0.0]),
    ("hand_r", Some(12), [-0.58, 0.71, 0.02]),
    ("thigh_l", Some(1), [0.12, 0.54, 0.0]),
    ("shin_l", Some(14), [0.125, 0.32, 0.01]),
    ("foot_l", Some(15), [0.13, 0.11, 0.0]),
    ("thigh_r", Some(1), [-0.12, 0.54, 0.0]),
    ("shin_r", Some(17), [-0.125, 0.32, 0.01]),
    ("foot_r", Some(18), [-0.13, 0.11, 0.0]),
    ("scarf_1", Some(3), [0.10, 1.04, -0.20]),
    ("scarf_2", Some(20), [0.15, 0.86, -0.30]),
];

/// The position of a bone in the bind pose.
pub(super) fn head(bone: usize) -> Vec3 {
    Vec3::from(BONES[bone].2)
}

/// The bone of that name.
pub(super) fn bone(name: &str) -> u32 {
    let at = BONES.iter().position(|(known, ..)| *known == name).unwrap_or(0);
    u32::try_from(at).unwrap_or(0)
}

/// The skeleton in its bind pose.
pub(super) fn skeleton() -> Skeleton {
    let bones = BONES
        .iter()
        .enumerate()
        .map(|(index, (name, parent, _))| Bone {
            name: (*name).into(),
            parent: parent.map(BoneId::from_index),
            rest_local: LocalTransform::Trs(Trs {
                translation: head(index) - parent.map_or(Vec3::ZERO, head),
                ..Trs::IDENTITY
            }),
            ..Bone::default()
        })
        .collect();
    Skeleton::new(bones, true).unwrap_or_default()
}

/// The inverse bind matrix of every bone.
pub(super) fn inverse_binds() -> Vec<Mat4> {
    (0..BONES.len()).map(|bone| Mat4::from_translation(-head(bone))).collect()
}
