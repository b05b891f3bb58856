//! Interpolates between two matrices by translation, rotation and scale, where a sum of matrices
//! would shrink.
//!
//! Local matrices are decomposed at the bone's origin. Baked skinning matrices have no such point:
//! the transform from one to the other is decomposed about its own rotation axis (Chasles: every
//! rigid motion is a rotation about an axis and a translation along it), so that the choice of the
//! mesh's origin doesn't matter.

use glam::{Affine3A, Quat, Vec3, Vec3A};

use crate::model::{AdditiveRotation, RotationBlending, Trs};

/// A matrix with a smaller volume has no usable rotation: the bone is hidden.
const MIN_VOLUME: f32 = 1e-12;
/// Below this angle the position of the rotation axis can't be computed reliably, and isn't needed.
const MIN_TURN_RAD: f32 = 1e-3;

/// The weighted sum of both matrices, as in runtimes that blend stored matrices.
pub(super) fn sum(first: &Affine3A, second: &Affine3A, t: f32) -> Affine3A {
    Affine3A {
        matrix3: first.matrix3 * (1.0 - t) + second.matrix3 * t,
        translation: first.translation * (1.0 - t) + second.translation * t,
    }
}

/// Whether both have a rotation, and both or neither mirror.
fn are_decomposable(first: &Affine3A, second: &Affine3A) -> bool {
    let (a, b) = (first.matrix3.determinant(), second.matrix3.determinant());
    a.abs() > MIN_VOLUME && b.abs() > MIN_VOLUME && (a < 0.0) == (b < 0.0)
}

/// The one of `b` and `-b` that is less than half a turn from `a`.
fn nearest_sign(a: Quat, b: Quat) -> Quat {
    if a.dot(b) < 0.0 { -b } else { b }
}

/// The local matrix at fraction `t` between two. Falls back to [`sum`] if one of them has no
/// rotation or only one mirrors. Shear is lost between the ends.
pub(super) fn local(first: &Affine3A, second: &Affine3A, t: f32) -> Affine3A {
    blended(first, second, t, RotationBlending::Spherical)
}

/// The same, with rotations blended as in a runtime.
pub(super) fn blended(
    first: &Affine3A,
    second: &Affine3A,
    t: f32,
    rotations: RotationBlending,
) -> Affine3A {
    if t == 0.0 || first == second {
        return *first;
    }
    if !are_decomposable(first, second) {
        return sum(first, second, t);
    }
    let (a, b) = (Trs::from_affine(*first), Trs::from_affine(*second));
    let between = Trs {
        translation: a.translation.lerp(b.translation, t),
        rotation: match rotations {
            RotationBlending::Spherical => {
                a.rotation.slerp(nearest_sign(a.rotation, b.rotation), t)
            }
            // glam's `lerp` chooses the nearer sign, too, and normalizes.
            RotationBlending::Componentwise => a.rotation.lerp(b.rotation, t),
            RotationBlending::Replaced => b.rotation,
        },
        scale: a.scale.lerp(b.scale, t),
    };
    between.to_affine()
}

/// The baked skinning matrix at fraction `t` between two; see [`local`].
pub(super) fn baked(first: &Affine3A, second: &Affine3A, t: f32) -> Affine3A {
    if t == 0.0 || first == second {
        return *first;
    }
    if !are_decomposable(first, second) {
        return sum(first, second, t);
    }
    fraction_of(&(*second * first.inverse()), t) * *first
}

/// The fraction `t` of the transform `way`.
fn fraction_of(way: &Affine3A, t: f32) -> Affine3A {
    let parts = Trs::from_affine(*way);
    let turn = nearest_sign(Quat::IDENTITY, parts.rotation);
    let center = center_of(turn, parts.translation);
    let end = way.transform_point3(center);
    let rotated = Affine3A::from_scale_rotation_translation(
        Vec3::ONE.lerp(parts.scale, t),
        Quat::IDENTITY.slerp(turn, t),
        center.lerp(end, t),
    );
    rotated * Affine3A::from_translation(-center)
}

/// The point on the rotation axis that is nearest to the origin.
fn center_of(turn: Quat, translation: Vec3) -> Vec3 {
    let (axis, angle_rad) = turn.to_axis_angle();
    if angle_rad < MIN_TURN_RAD {
        return Vec3::ZERO;
    }
    let across = translation - axis * axis.dot(translation);
    (across + axis.cross(across) / (angle_rad * 0.5).tan()) * 0.5
}

/// Adds the fraction `weight` of the change from `reference` to `added` to the local matrix `base`.
pub(super) fn add_local(
    base: &Affine3A,
    added: &Affine3A,
    reference: &Affine3A,
    weight: f32,
    additive: AdditiveRotation,
) -> Affine3A {
    if weight == 0.0 || added == reference {
        return *base;
    }
    let [base, added, reference] = [base, added, reference].map(|m| Trs::from_affine(*m));
    let part = |turn: Quat| Quat::IDENTITY.slerp(nearest_sign(Quat::IDENTITY, turn), weight);
    let inverse = reference.rotation.conjugate();
    let rotation = match additive {
        AdditiveRotation::InParent => part(added.rotation * inverse) * base.rotation,
        AdditiveRotation::InBone => base.rotation * part(inverse * added.rotation),
    };
    let factor = |to: f32, from: f32| {
        if from.abs() > MIN_VOLUME { 1.0 + weight * (to / from - 1.0) } else { 1.0 }
    };
    let scale = Vec3A::new(
        factor(added.scale.x, reference.scale.x),
        factor(added.scale.y, reference.scale.y),
        factor(added.scale.z, reference.scale.z),
    );
    Trs {
        translation: base.translation + (added.translation - reference.translation) * weight,
        rotation,
        scale: base.scale * Vec3::from(scale),
    }
    .to_affine()
}

/// Like [`add_local`], for baked skinning matrices.
pub(super) fn add_baked(
    base: &Affine3A,
    added: &Affine3A,
    reference: &Affine3A,
    weight: f32,
) -> Affine3A {
    if weight == 0.0 || added == reference || !are_decomposable(added, reference) {
        return *base;
    }
    fraction_of(&(*added * reference.inverse()), weight) * *base
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn_about(point: Vec3, angle_rad: f32) -> Affine3A {
        let about = Affine3A::from_translation(point);
        about * Affine3A::from_rotation_z(angle_rad) * about.inverse()
    }

    #[test]
    fn decomposed_rotation_keeps_its_scale_and_summed_matrices_shrink() {
        let (first, second) = (Affine3A::IDENTITY, Affine3A::from_rotation_z(2.0));
        let half = local(&first, &second, 0.5);
        assert!(half.abs_diff_eq(Affine3A::from_rotation_z(1.0), 1e-6));
        let shrunk = sum(&first, &second, 0.5).transform_vector3(Vec3::X);
        assert!((shrunk.length() - 1.0f32.cos()).abs() < 1e-6);
    }

    #[test]
    fn baked_skinning_matrices_rotate_about_their_own_axis() {
        let point = Vec3::new(7.0, -3.0, 0.0);
        let (first, second) = (turn_about(point, 0.4), turn_about(point, 1.6));
        let lifted = Affine3A::from_translation(Vec3::Z * 2.0) * second;
        let quarter = baked(&first, &lifted, 0.25);
        let wanted = Affine3A::from_translation(Vec3::Z * 0.5) * turn_about(point, 0.7);
        assert!(quarter.abs_diff_eq(wanted, 1e-4), "{quarter} {wanted}");
        assert!(baked(&first, &lifted, 1.0).abs_diff_eq(lifted, 1e-4));
    }

    #[test]
    fn interpolation_reaches_both_ends() {
        let first = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 0.5),
            Quat::from_rotation_x(0.3),
            Vec3::X,
        );
        let second = Affine3A::from_scale_rotation_translation(
            Vec3::splat(3.0),
            Quat::from_rotation_y(2.0),
            Vec3::NEG_Y,
        );
        assert!(local(&first, &second, 1.0).abs_diff_eq(second, 1e-5));
        assert_eq!(local(&first, &second, 0.0), first);
    }

    #[test]
    fn zero_scale_and_mirrored_matrices_are_summed() {
        let hidden = Affine3A::from_scale(Vec3::ZERO);
        let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        for other in [hidden, mirror] {
            for way in [local, baked] {
                let half = way(&Affine3A::IDENTITY, &other, 0.5);
                assert_eq!(half, sum(&Affine3A::IDENTITY, &other, 0.5));
            }
        }
    }

    #[test]
    fn runtimes_blend_and_add_rotations_in_their_own_ways() {
        let turned = |turn: Quat| Affine3A::from_quat(turn);
        let (first, second) = (Quat::from_rotation_z(0.0), Quat::from_rotation_z(2.0));
        let blend = |rotations| {
            let between = blended(&turned(first), &turned(second), 0.25, rotations);
            Quat::from_mat3a(&between.matrix3).to_axis_angle().1
        };
        assert!((blend(RotationBlending::Spherical) - 0.5).abs() < 1e-5);
        // The angle of 0.75 * (1, 0) + 0.25 * (cos 1, sin 1), twice.
        let (sin, cos) = 1.0f32.sin_cos();
        let wanted = 2.0 * (0.25 * sin).atan2(0.75 + 0.25 * cos);
        assert!((blend(RotationBlending::Componentwise) - wanted).abs() < 1e-5);

        let (base, reference) = (Quat::from_rotation_x(1.0), Quat::from_rotation_y(0.3));
        let added = Quat::from_rotation_z(0.7);
        let add = |space| add_local(&turned(base), &turned(added), &turned(reference), 1.0, space);
        let in_parent = turned(added * reference.inverse() * base);
        let in_bone = turned(base * reference.inverse() * added);
        assert!(add(AdditiveRotation::InParent).abs_diff_eq(in_parent, 1e-5));
        assert!(add(AdditiveRotation::InBone).abs_diff_eq(in_bone, 1e-5));
    }

    #[test]
    fn additive_blending_adds_the_difference_from_the_reference() {
        let base = Affine3A::from_rotation_translation(Quat::from_rotation_x(0.5), Vec3::Y);
        let reference = Affine3A::from_translation(Vec3::X);
        let added = Affine3A::from_translation(Vec3::X * 3.0);
        for space in [AdditiveRotation::InParent, AdditiveRotation::InBone] {
            let half = add_local(&base, &added, &reference, 0.5, space);
            assert!(half.abs_diff_eq(Affine3A::from_translation(Vec3::X) * base, 1e-6));
            assert_eq!(add_local(&base, &reference, &reference, 1.0, space), base);
        }
        let half = add_baked(&base, &added, &reference, 0.5);
        assert!(half.abs_diff_eq(Affine3A::from_translation(Vec3::X) * base, 1e-6));
    }
}
