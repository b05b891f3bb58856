//! A test pose, for files without clips: faults of weights and inverse bind matrices may not show at rest.

use glam::{Affine3A, Quat, Vec3};

use crate::model::{BoneId, IdVec, Model};
use crate::pose::{Moment, Pose, PoseSpec, sample};

/// The angle by which bones are bent.
const ANGLE_RAD: f32 = 0.4;

/// The rest pose with each bone bent about its head, by a model axis that its number selects; bones without a number
/// follow their parents. The result doesn't depend on the axes of the bones.
pub(super) fn bent(model: &Model, number: impl Fn(BoneId) -> Option<usize>) -> Pose {
    let mut pose = sample(model, &PoseSpec { moment: Moment::Rest, ..PoseSpec::default() });
    let mut moved: IdVec<BoneId, Affine3A> =
        pose.model_from_bone.iter().map(|_| Affine3A::IDENTITY).collect();
    let bones = model.skeleton.bones();
    for &bone in model.skeleton.parents_first() {
        let Some(at) = pose.model_from_bone.get(bone).copied() else { continue };
        let parent = bones.get(bone).and_then(|bone| bone.parent);
        let above = parent.and_then(|parent| moved.get(parent)).copied();
        let above = above.unwrap_or(Affine3A::IDENTITY);
        let own = number(bone).map_or(Affine3A::IDENTITY, |number| {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][number % 3];
            let head = Vec3::from(at.translation);
            Affine3A::from_translation(head)
                * Affine3A::from_quat(Quat::from_axis_angle(axis, ANGLE_RAD))
                * Affine3A::from_translation(-head)
        });
        moved[bone] = above * own;
        pose.model_from_bone[bone] = above * own * at;
    }
    pose
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;

    #[test]
    fn bones_bend_about_their_heads() {
        let model = ModelBuilder::new().chain(&["a", "b", "c"]).build();
        let rest = sample(&model, &PoseSpec { moment: Moment::Rest, ..PoseSpec::default() });
        let pose = bent(&model, |bone| (bone.index() == 1).then_some(2));
        let head =
            |pose: &Pose, bone: u32| Vec3::from(pose.model_from_bone[BoneId(bone)].translation);
        assert_eq!(head(&pose, 0), head(&rest, 0));
        assert!(head(&pose, 1).abs_diff_eq(head(&rest, 1), 1e-6));
        let turn = Quat::from_rotation_z(ANGLE_RAD);
        let expected = head(&rest, 1) + turn * (head(&rest, 2) - head(&rest, 1));
        assert!(head(&pose, 2).abs_diff_eq(expected, 1e-5));
    }
}
