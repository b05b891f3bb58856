//! The change from one space to another: other axes, another unit, another size.
//!
//! With `D` from old to new coordinates, a position becomes `D p` and every matrix `D M D⁻¹`, bones included, so that
//! posing and changing can be done in either order. `D` is a rotation by right angles, possibly with a mirror, and a
//! uniform scale: scales of bones stay scales.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};

use super::{Axes, LocalTransform, Trs};

/// The change from old to new coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceChange {
    new_from_old: Affine3A,
    old_from_new: Affine3A,
    /// `new_from_old` without the factor: entries are exactly 0, 1 or -1, which preserves the length of directions to
    /// the last bit.
    unscaled: Mat3A,
    factor: f32,
    is_mirror: bool,
}

impl SpaceChange {
    /// No change.
    pub const IDENTITY: Self = Self {
        new_from_old: Affine3A::IDENTITY,
        old_from_new: Affine3A::IDENTITY,
        unscaled: Mat3A::IDENTITY,
        factor: 1.0,
        is_mirror: false,
    };

    /// `new_from_old` must be a rotation by right angles, possibly mirrored, times a factor above 0.
    #[must_use]
    pub fn new(new_from_old: Affine3A) -> Self {
        let factor = new_from_old.matrix3.x_axis.length();
        let unscaled = Mat3A::from_cols_array(
            &new_from_old.matrix3.to_cols_array().map(|entry| (entry / factor).round()),
        );
        // Squares of tiny and huge factors aren't representable.
        let unscaled = if unscaled.is_finite() { unscaled } else { Mat3A::IDENTITY };
        let is_mirror = unscaled.determinant() < 0.0;
        Self { new_from_old, old_from_new: new_from_old.inverse(), unscaled, factor, is_mirror }
    }

    /// The change between the spaces of two files, which have the same unit unless both state theirs; exactly
    /// [`Self::IDENTITY`] within rounding errors.
    #[must_use]
    pub fn between(old: &Axes, new: &Axes) -> Self {
        let change = Self::new(old.in_unit_of(new).change_to(new));
        let is_same = (change.factor - 1.0).abs() < 1e-6 && change.unscaled == Mat3A::IDENTITY;
        if is_same { Self::IDENTITY } else { change }
    }

    /// The change back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self::new(self.old_from_new)
    }

    /// New units per old unit.
    #[must_use]
    pub fn factor(&self) -> f32 {
        self.factor
    }

    /// Transforms old coordinates to new ones.
    #[must_use]
    pub fn new_from_old(&self) -> Affine3A {
        self.new_from_old
    }

    /// Whether the change mirrors, which reverses rotations and bitangents.
    #[must_use]
    pub fn is_mirror(&self) -> bool {
        self.is_mirror
    }

    /// A position.
    #[inline]
    #[must_use]
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.new_from_old.transform_point3(point)
    }

    /// The difference of two positions.
    #[inline]
    #[must_use]
    pub fn offset(&self, offset: Vec3) -> Vec3 {
        self.new_from_old.transform_vector3(offset)
    }

    /// A direction; preserves its length.
    #[inline]
    #[must_use]
    pub fn direction(&self, direction: Vec3) -> Vec3 {
        self.unscaled * direction
    }

    /// A tangent with the sign of its bitangent in w, which a mirror flips.
    #[inline]
    #[must_use]
    pub fn tangent(&self, tangent: Vec4) -> Vec4 {
        let sign = if self.is_mirror { -tangent.w } else { tangent.w };
        self.direction(tangent.truncate()).extend(sign)
    }

    /// A transform within the space.
    #[must_use]
    pub fn matrix(&self, matrix: Affine3A) -> Affine3A {
        // Infinite entries would become NaN.
        if self.new_from_old == Affine3A::IDENTITY {
            return matrix;
        }
        self.new_from_old * matrix * self.old_from_new
    }

    /// A rotation, or its derivative; a mirror reverses it.
    #[must_use]
    pub fn rotation(&self, rotation: Quat) -> Quat {
        let axis = self.direction(rotation.xyz());
        let axis = if self.is_mirror { -axis } else { axis };
        Quat::from_vec4(axis.extend(rotation.w))
    }

    /// Factors along the axes, which are permuted.
    #[must_use]
    pub fn scale(&self, scale: Vec3) -> Vec3 {
        (self.unscaled.abs() * Vec3A::from(scale)).into()
    }

    /// The transform of a bone relative to its parent.
    #[must_use]
    pub fn local(&self, local: LocalTransform) -> LocalTransform {
        match local {
            LocalTransform::Matrix(matrix) => LocalTransform::Matrix(self.matrix(matrix)),
            LocalTransform::Trs(trs) => LocalTransform::Trs(Trs {
                translation: self.offset(trs.translation),
                rotation: self.rotation(trs.rotation),
                scale: self.scale(trs.scale),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Handedness, UpAxis};

    #[test]
    fn changing_commutes_with_posing() {
        let axes = |up, handedness, unit_meters| Axes {
            up,
            handedness,
            unit_meters: Some(unit_meters),
            ..Axes::default()
        };
        let old = axes(UpAxis::Z, Handedness::Left, 0.3048);
        let new = axes(UpAxis::Y, Handedness::Right, 0.01);
        let change = SpaceChange::between(&old, &new);
        assert!(change.is_mirror() && (change.factor() - 30.48).abs() < 1e-4);
        let trs = Trs {
            translation: Vec3::new(1.0, -2.0, 0.5),
            rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7),
            scale: Vec3::new(1.0, 2.0, 0.5),
        };
        let changed = change.local(LocalTransform::Trs(trs)).to_affine();
        assert!(changed.abs_diff_eq(change.matrix(trs.to_affine()), 1e-4));
        let point = Vec3::new(0.1, 0.2, 0.3);
        let posed = trs.to_affine().transform_point3(point);
        let here = changed.transform_point3(change.point(point));
        assert!(here.distance(change.point(posed)) < 1e-4);
        let there = old.display_from_file().transform_point3(posed);
        assert!(there.distance(new.display_from_file().transform_point3(here)) < 1e-5);
        assert!(change.inverse().point(change.point(point)).distance(point) < 1e-6);
        assert_eq!(change.direction(Vec3::new(0.6, 0.0, 0.8)).length(), 1.0);
    }

    #[test]
    fn the_same_axes_need_no_change() {
        let unit = |unit_meters| Axes { unit_meters, ..Axes::default() };
        let change = |old, new| SpaceChange::between(&unit(old), &unit(new));
        assert_eq!(change(Some(0.0254), Some(0.0254)), SpaceChange::IDENTITY);
        assert_eq!(change(None, Some(0.01)), SpaceChange::IDENTITY);
        assert_ne!(change(Some(1.0), Some(0.01)), SpaceChange::IDENTITY);
    }
}
