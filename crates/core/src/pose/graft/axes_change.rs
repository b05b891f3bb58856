//! Converts from the axes and unit of one file to those of another.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use crate::model::Model;

/// The change of axes and unit from one file's space to another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxesChange {
    /// A rotation, possibly with a mirror.
    pub(super) turn: Mat3A,
    /// Factor for lengths.
    pub(super) scale: f32,
}

impl AxesChange {
    pub(super) const NONE: Self = Self { turn: Mat3A::IDENTITY, scale: 1.0 };

    pub(super) fn between(from: &Model, to: &Model) -> Self {
        let change = from.axes.in_unit_of(&to.axes).change_to(&to.axes);
        let scale = change.matrix3.x_axis.length();
        let turn = change.matrix3 * scale.recip();
        if (scale - 1.0).abs() < 1e-6 && turn.abs_diff_eq(Mat3A::IDENTITY, 1e-6) {
            Self::NONE
        } else {
            Self { turn, scale }
        }
    }

    pub(super) fn point(&self, point: Vec3) -> Vec3 {
        (self.turn * Vec3A::from(point) * self.scale).into()
    }

    pub(super) fn rotation(&self, rotation: Quat) -> Quat {
        // A rotation axis is a pseudovector: a mirror flips it once more.
        let axis = self.turn * Vec3A::from(rotation.xyz()) * self.turn.determinant().signum();
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    pub(super) fn factors(&self, scale: Vec3) -> Vec3 {
        (self.turn.abs() * Vec3A::from(scale)).into()
    }

    pub(super) fn matrix(&self, matrix: Affine3A) -> Affine3A {
        Affine3A {
            matrix3: self.turn * matrix.matrix3 * self.turn.transpose(),
            translation: self.turn * matrix.translation * self.scale,
        }
    }
}
