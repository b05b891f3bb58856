//! Turns the rest pose of a human into a T-pose that faces +Z.
//!
//! Each bone of a limb is turned along with its parent, and then by the smallest rotation to the wanted direction, which
//! is how the transfer of clips turns a rest pose into another ([`crate::pose::transfer`]), so that a clip that returns
//! to the same model is unchanged.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, Quat, Vec3};

use crate::model::{BoneId, IdVec};
use crate::rig::VrmBone;

/// Arms that are nearer to a T-pose are left as they are. The transfer of clips ignores the same angle.
const ARM_TOLERANCE_RAD: f32 = 0.05;
/// Legs of most models aren't quite vertical.
const LEG_TOLERANCE_RAD: f32 = 0.26;
/// Hips that are nearer to the origin than this fraction of their height above the feet were left there by motion
/// capture.
const AT_ORIGIN: f32 = 0.2;

/// The T-pose; lists are in the order of the bones.
pub(super) struct TPose {
    /// The turn to +Z, applied to the source before anything else.
    pub(super) yaw_rad: f32,
    /// Turns of the bones into the T-pose, in model space.
    pub(super) turns: Vec<Quat>,
    pub(super) positions: Vec<Vec3>,
    pub(super) largest: Option<(BoneId, f32)>,
}

impl TPose {
    pub(super) fn of(bones: &[VrmBone], rest: &IdVec<BoneId, Affine3A>) -> Self {
        let at = |name: &str| bones.iter().position(|own| own.name == name);
        let raw: Vec<Vec3> = bones.iter().map(|own| rest[own.bone].translation.into()).collect();
        let yaw_rad = match (at("leftUpperLeg"), at("rightUpperLeg")) {
            (Some(left), Some(right)) => yaw_to_front(raw[left] - raw[right]),
            _ => 0.0,
        };
        let facing = Quat::from_rotation_y(yaw_rad);
        let raw: Vec<Vec3> = raw.into_iter().map(|place| facing * place).collect();
        let child_of = |name: &str| {
            let (side, part) = sided(name)?;
            let next = match part {
                "UpperArm" => "LowerArm",
                "LowerArm" => "Hand",
                "UpperLeg" => "LowerLeg",
                "LowerLeg" => "Foot",
                "Foot" => "Toes",
                _ => return None,
            };
            at(&format!("{side}{next}"))
        };
        let direction = |own: usize| {
            let offset = raw[child_of(&bones[own].name)?] - raw[own];
            offset.try_normalize()
        };
        let angle = |own: usize| {
            let wanted = wanted(&bones[own].name, ARM).or_else(|| wanted(&bones[own].name, LEG))?;
            Some(direction(own)?.angle_between(wanted))
        };
        let is_off = |limb: Limb| {
            let mut angles = (0..bones.len())
                .filter(|own| wanted(&bones[*own].name, limb).is_some())
                .filter_map(angle);
            angles.any(|angle| angle > limb.tolerance_rad)
        };
        let limbs = [ARM, LEG].map(|limb| Some(limb).filter(|limb| is_off(*limb)));
        let mut turns: Vec<Quat> = Vec::with_capacity(bones.len());
        let mut largest: Option<(BoneId, f32)> = None;
        for (number, own) in bones.iter().enumerate() {
            let inherited = own.parent.map_or(Quat::IDENTITY, |parent| turns[parent]);
            let mut limbs = limbs.iter().flatten();
            let wanted = limbs.find_map(|limb| wanted(&own.name, *limb));
            let direction = direction(number);
            // Feet stay on the ground below legs that are turned.
            let is_foot = own.name.ends_with("Foot") && inherited != Quat::IDENTITY;
            let wanted = wanted.or(direction.filter(|_| is_foot));
            let turn = match (direction, wanted) {
                (Some(direction), Some(wanted)) => {
                    let arc = Quat::from_rotation_arc(
                        (inherited * direction).normalize_or(wanted),
                        wanted,
                    );
                    (arc * inherited).normalize()
                }
                _ => inherited,
            };
            let angle = turn.angle_between(Quat::IDENTITY);
            if angle > 0.0 && largest.is_none_or(|(_, most)| angle > most) {
                largest = Some((own.bone, angle));
            }
            turns.push(turn);
        }
        let lift = lift(bones, &raw);
        let mut positions: Vec<Vec3> = Vec::with_capacity(bones.len());
        for (number, own) in bones.iter().enumerate() {
            positions.push(match own.parent {
                Some(parent) => positions[parent] + turns[parent] * (raw[number] - raw[parent]),
                None => raw[number] + lift,
            });
        }
        Self { yaw_rad, turns, positions, largest }
    }

    pub(super) fn facing(&self) -> Quat {
        Quat::from_rotation_y(self.yaw_rad)
    }
}

/// A kind of limb.
#[derive(Clone, Copy)]
struct Limb {
    is_arm: bool,
    tolerance_rad: f32,
}

const ARM: Limb = Limb { is_arm: true, tolerance_rad: ARM_TOLERANCE_RAD };
const LEG: Limb = Limb { is_arm: false, tolerance_rad: LEG_TOLERANCE_RAD };

fn sided(name: &str) -> Option<(&str, &str)> {
    let side = ["left", "right"].into_iter().find(|side| name.starts_with(side))?;
    Some(name.split_at(side.len()))
}

/// The direction of a bone of a limb in a T-pose.
fn wanted(name: &str, limb: Limb) -> Option<Vec3> {
    let (side, part) = sided(name)?;
    match part {
        "UpperArm" | "LowerArm" if limb.is_arm => {
            Some(if side == "left" { Vec3::X } else { Vec3::NEG_X })
        }
        "UpperLeg" | "LowerLeg" if !limb.is_arm => Some(Vec3::NEG_Y),
        _ => None,
    }
}

/// The turn about Y, by a multiple of 90 degrees, that brings the left of a human to +X.
fn yaw_to_front(to_left: Vec3) -> f32 {
    let steps = (to_left.z.atan2(to_left.x) / FRAC_PI_2).round();
    if steps.is_finite() && steps.abs() < 2.5 { steps * FRAC_PI_2 } else { 0.0 }
}

/// How far hips at the origin are below their height.
fn lift(bones: &[VrmBone], places: &[Vec3]) -> Vec3 {
    let named = |name: &str| bones.iter().position(|own| own.name == name).map(|at| places[at]);
    let ends = ["leftToes", "rightToes", "leftFoot", "rightFoot"];
    let lowest = ends.iter().filter_map(|name| named(name)).map(|foot| foot.y).reduce(f32::min);
    let (Some(hips), Some(lowest)) = (named("hips"), lowest) else { return Vec3::ZERO };
    let height = hips.y - lowest;
    if hips.length() < AT_ORIGIN * height { Vec3::Y * (height - hips.y) } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_turned_by_right_angles_to_the_front() {
        let degrees = |to_left| yaw_to_front(to_left).to_degrees().round();
        assert_eq!(degrees(Vec3::X), 0.0);
        assert_eq!(degrees(Vec3::new(1.0, 0.5, 0.6)), 0.0);
        assert_eq!(degrees(Vec3::NEG_X).abs(), 180.0);
        for to_left in [Vec3::Z, Vec3::NEG_Z, Vec3::NEG_X] {
            let turned = Quat::from_rotation_y(yaw_to_front(to_left)) * to_left;
            assert!(turned.abs_diff_eq(Vec3::X, 1e-6), "{to_left} {turned}");
        }
        assert_eq!(degrees(Vec3::ZERO), 0.0);
    }
}
