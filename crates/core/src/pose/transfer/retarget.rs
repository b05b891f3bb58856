//! Motion capture on a skeleton with oriented bones or of another size.
//!
//! The skeletons of motion capture files (BVH) consist of offsets; no bone is rotated in their rest pose. Rigs of
//! modelling programs usually rotate each bone to point at the next one, so that copied rotations would fold them. Here
//! each bone is rotated, in model space, by as much as its counterpart: both rest poses are taken for the same pose.
//! Only bones without a matched ancestor follow positions, scaled by the ratio of the bone lengths.

use glam::{Affine3A, Quat};

use crate::model::{BoneId, Clip, IdVec, Model, Motion, Skeleton, SpaceChange};
use crate::pose::base_pose::from_locals;

/// Bone lengths that differ by less than this fraction are equal.
const SAME_LENGTH: f32 = 0.01;
/// Rest rotations up to this angle are rounding errors.
const SAME_ANGLE_RAD: f32 = 1e-3;

/// How the bones of a model follow those of an animation with another rest pose.
#[derive(Clone, Debug)]
pub(super) struct Retarget {
    /// Rotation of each bone of the model at rest, model space.
    rest_rotations: IdVec<BoneId, Quat>,
    /// Whether a bone follows its counterpart's position.
    follows_position: IdVec<BoneId, bool>,
    /// Factor for positions, after the change of axes and unit.
    pub(super) length_ratio: f32,
}

impl Retarget {
    /// `None` if keys can be copied: if the rest pose of `animation` has rotations or no lengths, or if both have no
    /// rotations and equal lengths. `source_of` is the bone of `animation` that each bone of `model` follows.
    pub(super) fn of(
        animation: &Model,
        model: &Model,
        source_of: &IdVec<BoneId, Option<BoneId>>,
        change: &SpaceChange,
    ) -> Option<Self> {
        let rest = |skeleton: &Skeleton| {
            from_locals(skeleton, skeleton.rest_locals().clone()).model_from_bone
        };
        let (there, here) = (rest(&animation.skeleton), rest(&model.skeleton));
        let rotation = |matrix: &Affine3A| matrix.to_scale_rotation_translation().1;
        let is_turned =
            |matrix: &Affine3A| rotation(matrix).angle_between(Quat::IDENTITY) > SAME_ANGLE_RAD;
        if there.iter().any(is_turned) {
            return None;
        }
        let (mut own_length, mut length) = (0.0, 0.0);
        for (bone, source) in source_of.iter_enumerated() {
            if let Some(source) = *source
                && let Some(parent) = matched_ancestor(&model.skeleton, source_of, bone)
                && let Some(source_parent) = source_of[parent]
            {
                own_length += here[bone].translation.distance(here[parent].translation);
                length += there[source].translation.distance(there[source_parent].translation);
            }
        }
        let length_ratio = own_length / (length * change.factor());
        if !length_ratio.is_normal() {
            return None;
        }
        if !here.iter().any(is_turned) && (length_ratio - 1.0).abs() < SAME_LENGTH {
            return None;
        }
        let is_first = |bone| matched_ancestor(&model.skeleton, source_of, bone).is_none();
        let firsts = source_of.iter_enumerated();
        let firsts = firsts.map(|(bone, source)| source.is_some() && is_first(bone));
        Some(Self {
            rest_rotations: here.iter().map(rotation).collect::<Vec<_>>().into(),
            follows_position: firsts.collect::<Vec<_>>().into(),
            length_ratio,
        })
    }

    /// Without positions of bones that `clip` doesn't move, whose rest position may just be 0.
    pub(super) fn for_clip(&self, clip: &Clip, source_of: &IdVec<BoneId, Option<BoneId>>) -> Self {
        let mut own = self.clone();
        if let Motion::Tracks(tracks) = &clip.motion {
            for (follows, source) in own.follows_position.iter_mut().zip(source_of) {
                let mut tracks = tracks.iter().filter(|track| Some(track.bone) == *source);
                *follows &= tracks.any(|track| track.translation.is_some());
            }
        }
        own
    }

    /// `model_from_bone` of `bone` if its counterpart is at `source` in the animation's space. `unmoved` is the matrix
    /// that it would have without keys.
    pub(super) fn place(
        &self,
        bone: BoneId,
        source: Affine3A,
        unmoved: Affine3A,
        change: &SpaceChange,
    ) -> Affine3A {
        let (_, turn, position) = source.to_scale_rotation_translation();
        let (scale, _, own_position) = unmoved.to_scale_rotation_translation();
        let rotation = change.rotation(turn) * self.rest_rotations[bone];
        let position = if self.follows_position[bone] {
            change.point(position) * self.length_ratio
        } else {
            own_position
        };
        Affine3A::from_scale_rotation_translation(scale, rotation, position)
    }
}

/// The nearest ancestor that follows a bone.
fn matched_ancestor(
    skeleton: &Skeleton,
    source_of: &IdVec<BoneId, Option<BoneId>>,
    bone: BoneId,
) -> Option<BoneId> {
    let parent_of = |bone: &BoneId| skeleton.bones()[*bone].parent;
    std::iter::successors(parent_of(&bone), parent_of).find(|bone| source_of[*bone].is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::pose::transfer::add_clips;
    use crate::pose::{PoseSpec, sample};
    use glam::Vec3;

    /// A chain with these distances between its bones, which point along `direction` at rest.
    fn chain(distance: f32, orientation: Quat) -> Skeleton {
        let bone = |at: u32| Bone {
            name: ["hips", "spine", "head"][at as usize].to_owned(),
            parent: at.checked_sub(1).map(BoneId),
            rest_local: LocalTransform::Trs(Trs {
                translation: if at == 0 {
                    Vec3::Y * distance
                } else {
                    orientation.inverse() * (Vec3::Y * distance)
                },
                rotation: if at == 0 { orientation } else { Quat::IDENTITY },
                scale: Vec3::ONE,
            }),
            ..Bone::default()
        };
        Skeleton::new((0..3).map(bone).collect(), true).unwrap()
    }

    /// Hips that move and turn, and a spine that bends.
    fn capture(distance: f32) -> Model {
        let clip = ModelBuilder::new().clip("walk", 1.0);
        let steps = linear([(0.0, Vec3::Y * distance), (1.0, Vec3::new(0.0, distance, 2.0))]);
        let rotations = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
        let bends = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(0.5))]);
        let clip = clip.translation(0, steps).rotation(0, rotations).rotation(1, bends).into_clip();
        Model {
            skeleton: chain(distance, Quat::IDENTITY),
            clips: vec![clip].into(),
            ..Model::default()
        }
    }

    fn heads(model: &Model, time_secs: f64) -> Vec<Vec3> {
        let pose = sample(model, &PoseSpec::linear(ClipId(0), time_secs));
        pose.model_from_bone.iter().map(|matrix| matrix.translation.into()).collect()
    }

    #[test]
    fn oriented_bones_bend_like_their_counterparts() {
        let animation = capture(1.0);
        let orientation = Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.0, 2.0);
        let mut model = Model { skeleton: chain(1.0, orientation), ..Model::default() };
        add_clips(&mut model, &animation, "walk", &Report::new());
        for time_secs in [0.0, 0.5, 1.0] {
            for (own, expected) in heads(&model, time_secs).iter().zip(heads(&animation, time_secs))
            {
                assert!(own.abs_diff_eq(expected, 1e-5), "{time_secs}: {own} {expected}");
            }
        }
    }

    #[test]
    fn steps_are_as_long_as_the_legs() {
        let animation = capture(40.0);
        let mut model = Model { skeleton: chain(0.4, Quat::IDENTITY), ..Model::default() };
        add_clips(&mut model, &animation, "walk", &Report::new());
        for (own, expected) in heads(&model, 1.0).iter().zip(heads(&animation, 1.0)) {
            assert!(own.abs_diff_eq(expected * 0.01, 1e-5), "{own} {expected}");
        }
    }

    #[test]
    fn hips_without_positions_stay_where_the_model_has_them() {
        let mut animation = capture(1.0);
        if let Motion::Tracks(tracks) = &mut animation.clips[ClipId(0)].motion {
            tracks[0].translation = None;
        }
        let mut model = Model { skeleton: chain(2.0, Quat::IDENTITY), ..Model::default() };
        add_clips(&mut model, &animation, "walk", &Report::new());
        assert!(heads(&model, 1.0)[0].abs_diff_eq(Vec3::Y * 2.0, 1e-6));
    }

    #[test]
    fn keys_for_the_same_rest_pose_are_copied() {
        let animation = capture(1.0);
        let mut model = Model { skeleton: animation.skeleton.clone(), ..Model::default() };
        add_clips(&mut model, &animation, "walk", &Report::new());
        assert_eq!(model.clips[ClipId(0)].motion, animation.clips[ClipId(0)].motion);
        // Keys of oriented bones aren't relative to a rest pose without rotations.
        let turned = Quat::from_rotation_z(0.5);
        let oriented = Model { skeleton: chain(1.0, turned), ..animation };
        let mut model = Model { skeleton: chain(1.0, turned), ..Model::default() };
        add_clips(&mut model, &oriented, "walk", &Report::new());
        assert_eq!(model.clips[ClipId(0)].motion, oriented.clips[ClipId(0)].motion);
    }
}
