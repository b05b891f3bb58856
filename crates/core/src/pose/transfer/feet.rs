//! Keeps feet where those of the source are, relative to the length of the legs: two-bone inverse kinematics.

use glam::{Affine3A, Quat, Vec3};

use super::rigs::Rigs;
use crate::model::{BoneId, IdVec, Skeleton, SpaceChange};
use crate::rig::{BodyPart, Side};

/// A leg never becomes straighter than this fraction of its length, because the knee would flip.
const LONGEST: f32 = 0.9999;

/// A leg of the model, and the place of its foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    upper: BoneId,
    lower: BoneId,
    foot: BoneId,
    source_foot: BoneId,
    /// In the reference pose.
    place: Vec3,
    /// Of the source at rest, in the space of the model.
    source_place: Vec3,
    length_ratio: f32,
}

/// The legs that both have. `places` are those of the bones in the reference pose.
pub(super) fn legs(
    rigs: Rigs<'_>,
    there: &IdVec<BoneId, Affine3A>,
    places: &IdVec<BoneId, Vec3>,
    length_ratio: f32,
    lift: Vec3,
) -> Vec<Leg> {
    let Rigs { source_of, change, .. } = rigs;
    let body = &rigs.bodies[1];
    let sides = [Side::Left, Side::Right].into_iter();
    let leg = |side: Side| {
        let part = |part| body.part(part, Some(side));
        let foot = part(BodyPart::Foot)?;
        let source_foot = source_of[foot]?;
        Some(Leg {
            upper: part(BodyPart::UpperLeg)?,
            lower: part(BodyPart::LowerLeg)?,
            foot,
            source_foot,
            place: places[foot],
            source_place: change.point(there[source_foot].translation.into()) + lift,
            length_ratio,
        })
    };
    sides.filter_map(leg).collect()
}

impl Leg {
    /// Moves the foot to its place for this pose of the source, and changes the transforms of the leg.
    pub(super) fn place_foot(
        &self,
        skeleton: &Skeleton,
        source: &IdVec<BoneId, Affine3A>,
        change: &SpaceChange,
        model_from_bone: &IdVec<BoneId, Affine3A>,
        parent_from_bone: &mut IdVec<BoneId, Affine3A>,
    ) {
        let source = change.point(source[self.source_foot].translation.into());
        let goal = self.place + (source - self.source_place) * self.length_ratio;
        let at = |bone: BoneId| Vec3::from(model_from_bone[bone].translation);
        let (hip, knee, ankle) = (at(self.upper), at(self.lower), at(self.foot));
        let Some((swing, bend)) = bent([hip, knee, ankle], goal) else { return };
        let of_upper = about(hip, swing);
        let of_lower = of_upper * about(knee, bend);
        let foot = model_from_bone[self.foot];
        let ankle = of_lower.transform_point3(ankle);
        let moved = [
            (self.upper, Affine3A::IDENTITY, of_upper * model_from_bone[self.upper]),
            (self.lower, of_upper, of_lower * model_from_bone[self.lower]),
            // The foot keeps its direction.
            (self.foot, of_lower, Affine3A { translation: ankle.into(), ..foot }),
        ];
        for (bone, parent_moved, moved) in moved {
            let parent = skeleton.bones()[bone].parent;
            let parent = parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent]);
            parent_from_bone[bone] = (parent_moved * parent).inverse() * moved;
        }
    }
}

/// The swing of a leg about its hip and the bend of its knee that bring the ankle to `goal`, or near it if the leg is too
/// short; `None` for a leg without length.
fn bent([hip, knee, ankle]: [Vec3; 3], goal: Vec3) -> Option<(Quat, Quat)> {
    let (thigh, shin) = (knee - hip, ankle - knee);
    let [a, b] = [thigh.length(), shin.length()];
    let way = goal - hip;
    if !(a.is_normal() && b.is_normal() && way.length().is_normal()) {
        return None;
    }
    let distance = way.length().clamp((a - b).abs() * 1.001, (a + b) * LONGEST);
    let inner = ((a * a + b * b - distance * distance) / (2.0 * a * b)).clamp(-1.0, 1.0).acos();
    let angle = std::f32::consts::PI - inner;
    // A straight leg has no axis; any keeps it nearly straight.
    let axis = thigh.cross(shin);
    let is_straight = axis.length() < 1e-4 * a * b;
    let axis = if is_straight { thigh.any_orthogonal_vector() } else { axis }.normalize_or_zero();
    let bend = Quat::from_axis_angle(axis, angle - thigh.angle_between(shin));
    let bent = thigh + bend * shin;
    let swing = Quat::from_rotation_arc(bent.normalize_or_zero(), way.normalize_or_zero());
    Some((swing, bend))
}

/// A rotation about a point.
fn about(point: Vec3, rotation: Quat) -> Affine3A {
    Affine3A::from_rotation_translation(rotation, point - rotation * point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ankle_reaches_its_goal_if_the_leg_is_long_enough() {
        let leg = [Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.55, 0.05), Vec3::new(0.0, 0.1, 0.0)];
        let ends = |goal: Vec3| {
            let (swing, bend) = bent(leg, goal).unwrap();
            let [hip, knee, ankle] = leg;
            let knee_after = hip + swing * (knee - hip);
            [knee_after, knee_after + swing * (bend * (ankle - knee))]
        };
        for goal in [Vec3::new(0.2, 0.3, 0.1), Vec3::new(0.0, 0.12, 0.2), Vec3::new(0.0, 0.5, 0.3)]
        {
            let [knee, ankle] = ends(goal);
            assert!(ankle.distance(goal) < 1e-4, "{ankle} {goal}");
            assert!((knee.distance(leg[0]) - leg[1].distance(leg[0])).abs() < 1e-5);
        }
        let far = Vec3::new(0.0, -2.0, 0.0);
        assert!(ends(far)[1].distance(leg[0]) < 0.91, "as far as the leg is long");
    }
}
