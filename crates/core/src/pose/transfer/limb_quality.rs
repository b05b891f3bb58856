//! Hands, knees and elbows of a clip on another skeleton, compared with those of its source.

use glam::{Affine3A, Vec3};

use crate::model::{BoneId, IdVec, Model, SpaceChange};
use crate::rig::{BodyBones, BodyPart, Side};

/// A joint that is bent less has no direction, in radians.
const BENT_RAD: f32 = 0.35;

/// `model_from_bone` of the source and of the model.
pub(super) type Poses = [IdVec<BoneId, Affine3A>; 2];

/// The distance of a hand from the line between hips and head, in arms: hands reach into a body that is wider than that
/// of the clip, or don't reach it.
#[derive(Clone, Copy, Debug)]
pub struct HandQuality {
    /// Its side.
    pub side: Side,
    /// The smallest distance in the source.
    pub source_nearest: f32,
    /// The smallest distance of the model.
    pub nearest: f32,
    /// When the model's is smallest, on the clock of the file.
    pub time_secs: f64,
}

/// A knee or elbow that bends to another side than in the source.
#[derive(Clone, Copy, Debug)]
pub struct BentJoint {
    /// The bone of the model below the joint.
    pub bone: BoneId,
    /// When it is bent most, on the clock of the file.
    pub time_secs: f64,
    /// The angle between the axes about which both bend, in radians; above a right angle.
    pub angle_rad: f32,
}

/// The limbs of both skeletons.
pub(super) struct Limbs<'a> {
    pub(super) body: BodyBones,
    pub(super) source_of: &'a IdVec<BoneId, Option<BoneId>>,
    pub(super) poses: &'a [Poses],
    pub(super) moments: &'a [f64],
    pub(super) change: &'a SpaceChange,
}

impl<'a> Limbs<'a> {
    pub(super) fn new(
        model: &Model,
        source_of: &'a IdVec<BoneId, Option<BoneId>>,
        poses: &'a [Poses],
        moments: &'a [f64],
        change: &'a SpaceChange,
    ) -> Self {
        let body = BodyBones::of(&model.skeleton, model.avatar.as_deref());
        Self { body, source_of, poses, moments, change }
    }

    /// A bone of the model with the one of the source that moves it.
    fn pair(&self, part: BodyPart, side: Option<Side>) -> Option<[BoneId; 2]> {
        let own = self.body.part(part, side)?;
        Some([self.source_of[own]?, own])
    }

    /// Where the bones of a pair are, in the model's space.
    fn places(&self, pose: &Poses, [source, own]: [BoneId; 2]) -> [Vec3; 2] {
        let place =
            |pose: &IdVec<BoneId, Affine3A>, bone: BoneId| Vec3::from(pose[bone].translation);
        [self.change.point(place(&pose[0], source)), place(&pose[1], own)]
    }

    pub(super) fn hand(&self, side: Side) -> Option<HandQuality> {
        let [hips, head] = [self.pair(BodyPart::Hips, None)?, self.pair(BodyPart::Head, None)?];
        let side_of = |part| self.pair(part, Some(side));
        let arm = [BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand].map(side_of);
        let [Some(upper), Some(lower), Some(hand)] = arm else { return None };
        let mut found: Option<HandQuality> = None;
        for (pose, time_secs) in self.poses.iter().zip(self.moments) {
            let places = [hips, head, upper, lower, hand].map(|pair| self.places(pose, pair));
            let distance = [0, 1].map(|of: usize| {
                let [hips, head, upper, lower, hand] = places.map(|both| both[of]);
                let length = upper.distance(lower) + lower.distance(hand);
                distance_from_segment(hand, hips, head) / length
            });
            if !distance.iter().all(|distance| distance.is_finite()) {
                return None;
            }
            let found = found.get_or_insert(HandQuality {
                side,
                source_nearest: distance[0],
                nearest: distance[1],
                time_secs: *time_secs,
            });
            found.source_nearest = found.source_nearest.min(distance[0]);
            if distance[1] < found.nearest {
                (found.nearest, found.time_secs) = (distance[1], *time_secs);
            }
        }
        found
    }

    /// The moment at which a knee or elbow is bent most to the wrong side.
    pub(super) fn bent_joint(&self, parts: [BodyPart; 3], side: Side) -> Option<BentJoint> {
        let [Some(upper), Some(joint), Some(end)] = parts.map(|part| self.pair(part, Some(side)))
        else {
            return None;
        };
        let mut worst: Option<(f32, BentJoint)> = None;
        for (pose, time_secs) in self.poses.iter().zip(self.moments) {
            let places = [upper, joint, end].map(|pair| self.places(pose, pair));
            let bends = [0, 1].map(|of: usize| {
                let [upper, joint, end] = places.map(|both| both[of]);
                let (above, below) = (joint - upper, end - joint);
                (above.cross(below), above.angle_between(below))
            });
            let [(source_axis, source_bend), (axis, bend)] = bends;
            if !(source_bend > BENT_RAD && bend > BENT_RAD) {
                continue;
            }
            let angle_rad = source_axis.angle_between(axis);
            let is_worse = worst.as_ref().is_none_or(|(known, _)| bend > *known);
            if angle_rad > std::f32::consts::FRAC_PI_2 && is_worse {
                let found = BentJoint { bone: joint[1], time_secs: *time_secs, angle_rad };
                worst = Some((bend, found));
            }
        }
        worst.map(|(_, found)| found)
    }
}

fn distance_from_segment(point: Vec3, from: Vec3, to: Vec3) -> f32 {
    let way = to - from;
    let share = (point - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
    point.distance(from + way * share.clamp(0.0, 1.0))
}
