//! Clips on a skeleton with another rest pose, other bone axes or other proportions.
//!
//! Each bone moves, in model space, as far from a reference pose as its counterpart. If both skeletons have the same
//! shape, apart from their size, the whole transform is carried over, and the surface moves exactly as in the
//! source. Otherwise only rotations are, and the hips move in proportion to the legs. The reference pose is the rest pose
//! of the source: if bones of the model have other directions at rest ([`super::alignment`]), it is first turned into
//! that pose.

use glam::{Affine3A, Quat, Vec3};

use super::alignment::{Alignment, matched_ancestors};
use super::feet::{Leg, legs};
use super::rigs::{Rigs, up_of};
use crate::model::{BoneId, Clip, IdVec, Model, Motion, Skeleton, SpaceChange};
use crate::pose::base_pose::from_locals;
use crate::rig::{BodyPart, Side};

/// Bone lengths that differ by less than this fraction are equal.
const SAME_LENGTH: f32 = 0.01;
/// Positions that differ by less than this fraction of the size are equal.
const SAME_PLACE: f32 = 1e-3;
/// Rest rotations up to this angle are rounding errors.
const SAME_ANGLE_RAD: f32 = 1e-3;
/// Hips that are nearer to the origin than this fraction of their height above the feet were left there by motion
/// capture; their keys are heights above the ground.
const AT_ORIGIN: f32 = 0.2;

/// The motion of the hips, and of other bones without a matched ancestor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// In proportion to the lengths of the legs.
    #[default]
    Scale,
    /// As far as in the source.
    Keep,
    /// None: they stay at their rest position.
    None,
}

/// How clips are carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetargetOptions {
    /// The motion of the hips.
    pub root: RootMotion,
    /// Keeps feet where those of the source are, by bending the legs.
    pub feet: bool,
}

/// How the bones of a model follow those of an animation with another rest pose.
#[derive(Clone, Debug)]
pub(super) struct Retarget {
    /// One entry per bone of the model; `None` if it follows no bone.
    bones: IdVec<BoneId, Option<Followed>>,
    /// If both skeletons have the same shape: the place of the source's origin.
    origin: Option<Vec3>,
    /// Factor for positions, after the change of axes and unit.
    pub(super) length_ratio: f32,
    /// Factor for the motion of the hips.
    root_ratio: f32,
    /// Legs that bend so that the feet are where those of the source are.
    pub(super) legs: Vec<Leg>,
    /// The bone whose direction at rest differs most, and the angle in radians, if the poses were aligned.
    pub(super) turned: Option<(BoneId, f32)>,
}

#[derive(Clone, Copy, Debug)]
struct Followed {
    /// The inverse of the source's rest matrix, in its own space.
    bone_from_source: Affine3A,
    /// The rest matrix.
    rest: Affine3A,
    /// The rotation in the reference pose.
    reference: Quat,
    /// The position of the source at rest, in the space of the model.
    source_position: Vec3,
    follows_position: bool,
}

impl Retarget {
    /// `None` if keys can be copied: if the rest pose of `animation` has rotations or no lengths, or if both have no
    /// rotations and equal lengths.
    pub(super) fn of(rigs: Rigs<'_>) -> Option<Self> {
        let rest = |model: &Model| rest_of(&model.skeleton);
        let rotation = |matrix: &Affine3A| matrix.to_scale_rotation_translation().1;
        let is_turned =
            |matrix: &Affine3A| rotation(matrix).angle_between(Quat::IDENTITY) > SAME_ANGLE_RAD;
        if rest(rigs.animation).iter().any(is_turned) {
            return None;
        }
        let own = Self::new(rigs, RetargetOptions::default())?;
        let is_same = (own.length_ratio - 1.0).abs() < SAME_LENGTH;
        (rest(rigs.model).iter().any(is_turned) || !is_same).then_some(own)
    }

    /// `None` if the bones have no lengths to compare.
    pub(super) fn new(
        rigs: Rigs<'_>,
        RetargetOptions { root, feet }: RetargetOptions,
    ) -> Option<Self> {
        let Rigs { animation, model, source_of, change, bodies } = rigs;
        let [there, here] = [animation, model].map(|model| rest_of(&model.skeleton));
        let length_ratio = length_ratio(rigs, [&there, &here])?;
        // Files that state which bone is which state their rest pose too: VRM's is a T. Their bones only turn.
        let are_stated = bodies.iter().all(|body| body.is_stated);
        let origin = common_origin(rigs, [&there, &here], length_ratio).filter(|_| !are_stated);
        let alignment = match origin {
            Some(_) => None,
            None if are_stated => None,
            None => Some(Alignment::of(rigs, [&there, &here])),
        };
        let heights = are_stated.then(|| height_ratio(rigs, [&there, &here])).flatten();
        let hips = bodies[1].part(BodyPart::Hips, None);
        let lift = lift(rigs, &there);
        let ancestors = matched_ancestors(&model.skeleton, source_of);
        let bones = source_of.iter_enumerated().map(|(bone, source)| {
            let source = (*source)?;
            let is_first = ancestors[bone].is_none();
            let own_rotation = here[bone].to_scale_rotation_translation().1;
            let turn = alignment.as_ref().map_or(Quat::IDENTITY, |own| own.turns[bone]);
            Some(Followed {
                bone_from_source: there[source].inverse(),
                rest: here[bone],
                reference: (turn * own_rotation).normalize(),
                source_position: change.point(there[source].translation.into()) + lift,
                follows_position: (is_first || hips == Some(bone)) && root != RootMotion::None,
            })
        });
        Some(Self {
            bones: bones.collect::<Vec<_>>().into(),
            origin: origin.filter(|_| root == RootMotion::Scale),
            length_ratio,
            root_ratio: match root {
                RootMotion::Scale => heights.unwrap_or(length_ratio),
                RootMotion::Keep | RootMotion::None => 1.0,
            },
            legs: if feet {
                let turn =
                    |bone: BoneId| alignment.as_ref().map_or(Quat::IDENTITY, |own| own.turns[bone]);
                let places = reference_places(&model.skeleton, &here, turn);
                legs(rigs, &there, &places, length_ratio, lift)
            } else {
                Vec::new()
            },
            turned: alignment.and_then(|own| own.largest),
        })
    }

    /// Without positions of bones that `clip` doesn't move, whose rest position may just be 0.
    pub(super) fn for_clip(&self, clip: &Clip, source_of: &IdVec<BoneId, Option<BoneId>>) -> Self {
        let mut own = self.clone();
        if let Motion::Tracks(tracks) = &clip.motion {
            for (bone, source) in own.bones.iter_mut().zip(source_of) {
                let Some(bone) = bone else { continue };
                let mut tracks = tracks.iter().filter(|track| Some(track.bone) == *source);
                bone.follows_position &= tracks.any(|track| track.translation.is_some());
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
        let Some(own) = &self.bones[bone] else { return unmoved };
        let moved = change.matrix(source * own.bone_from_source);
        if let Some(origin) = self.origin {
            let translation = Vec3::from(moved.translation) * self.length_ratio
                + (origin - moved.transform_vector3(origin));
            let moved = Affine3A { translation: translation.into(), ..moved };
            return moved * own.rest;
        }
        let (_, turn, _) = moved.to_scale_rotation_translation();
        let (scale, _, own_position) = unmoved.to_scale_rotation_translation();
        let position = if own.follows_position {
            let position = change.point(source.translation.into());
            Vec3::from(own.rest.translation) + (position - own.source_position) * self.root_ratio
        } else {
            own_position
        };
        Affine3A::from_scale_rotation_translation(scale, turn * own.reference, position)
    }
}

pub(super) fn rest_of(skeleton: &Skeleton) -> IdVec<BoneId, Affine3A> {
    from_locals(skeleton, skeleton.rest_locals().clone()).model_from_bone
}

/// The ratio of the heights of the hips above the origin, by which VRM scales their motion.
///
/// Source: `VRMC_vrm_animation-1.0`, `how_to_transform_human_pose.md`.
fn height_ratio(rigs: Rigs<'_>, [there, here]: [&IdVec<BoneId, Affine3A>; 2]) -> Option<f32> {
    let [source, own] = [0, 1].map(|side: usize| rigs.bodies[side].part(BodyPart::Hips, None));
    let up = up_of(rigs.model);
    let source = up.dot(rigs.change.point(there[source?].translation.into()));
    let ratio = up.dot(here[own?].translation.into()) / source;
    (ratio.is_normal() && ratio > 0.0).then_some(ratio)
}

/// The places of the bones in the reference pose.
fn reference_places(
    skeleton: &Skeleton,
    here: &IdVec<BoneId, Affine3A>,
    turn: impl Fn(BoneId) -> Quat,
) -> IdVec<BoneId, Vec3> {
    let mut places: IdVec<BoneId, Vec3> =
        here.iter().map(|matrix| Vec3::from(matrix.translation)).collect::<Vec<_>>().into();
    for &bone in skeleton.parents_first() {
        if let Some(parent) = skeleton.bones()[bone].parent {
            let offset = here[bone].translation - here[parent].translation;
            places[bone] = places[parent] + turn(parent) * Vec3::from(offset);
        }
    }
    places
}

/// The ratio of the legs, or of all matched bones, after the change of unit.
fn length_ratio(rigs: Rigs<'_>, [there, here]: [&IdVec<BoneId, Affine3A>; 2]) -> Option<f32> {
    let Rigs { model, source_of, change, .. } = rigs;
    let body = &rigs.bodies[1];
    let is_leg = |bone: BoneId| {
        let part = body.of_bone(bone).map(|own| own.part);
        matches!(part, Some(BodyPart::LowerLeg | BodyPart::Foot))
    };
    let ancestors = matched_ancestors(&model.skeleton, source_of);
    let sums = |is_counted: &dyn Fn(BoneId) -> bool| {
        let (mut own_length, mut length) = (0.0, 0.0);
        for (bone, source) in source_of.iter_enumerated().filter(|(bone, _)| is_counted(*bone)) {
            if let Some(source) = *source
                && let Some(parent) = ancestors[bone]
                && let Some(source_parent) = source_of[parent]
            {
                own_length += here[bone].translation.distance(here[parent].translation);
                length += there[source].translation.distance(there[source_parent].translation);
            }
        }
        let ratio = own_length / (length * change.factor());
        Some(ratio).filter(|ratio| ratio.is_normal() && *ratio > 0.0)
    };
    sums(&is_leg).or_else(|| sums(&|_| true))
}

/// The place of the source's origin in the model if all matched bones are where the source has them, apart from a common
/// factor.
fn common_origin(
    rigs: Rigs<'_>,
    [there, here]: [&IdVec<BoneId, Affine3A>; 2],
    ratio: f32,
) -> Option<Vec3> {
    let places = rigs.source_of.iter_enumerated().filter_map(|(bone, source)| {
        let source = rigs.change.point(there[(*source)?].translation.into()) * ratio;
        Some((Vec3::from(here[bone].translation), source))
    });
    let places: Vec<(Vec3, Vec3)> = places.collect();
    let (first, rest) = places.split_first()?;
    let origin = first.0 - first.1;
    let size = places.iter().map(|own| own.0.distance(first.0)).fold(0.0, f32::max);
    let is_same =
        |(own, source): &(Vec3, Vec3)| own.distance(*source + origin) <= SAME_PLACE * size;
    (!rest.is_empty() && size > 0.0 && rest.iter().all(is_same)).then_some(origin)
}

/// How far hips at the origin are below their place above the ground, in the space of the model.
fn lift(rigs: Rigs<'_>, there: &IdVec<BoneId, Affine3A>) -> Vec3 {
    let body = &rigs.bodies[0];
    let place = |bone: BoneId| rigs.change.point(there[bone].translation.into());
    let hips = body.part(BodyPart::Hips, None).map(place);
    let feet = [Side::Left, Side::Right].iter().filter_map(|side| {
        let end = body.part(BodyPart::Toes, Some(*side));
        end.or(body.part(BodyPart::Foot, Some(*side))).map(place)
    });
    let (Some(hips), Some(foot)) = (hips, feet.reduce(Vec3::min)) else { return Vec3::ZERO };
    let up = up_of(rigs.model);
    let height = up.dot(hips - foot);
    let is_at_origin = hips.length() < AT_ORIGIN * height;
    if is_at_origin { up * (height - up.dot(hips)) } else { Vec3::ZERO }
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
