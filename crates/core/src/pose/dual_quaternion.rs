//! Rigid transforms as dual quaternions, whose sum preserves volume where a sum of matrices
//! doesn't.
//!
//! Kavan, Collins, Žára, O'Sullivan, "Geometric skinning with approximate dual quaternion
//! blending", ACM TOG 27(4), 2008. Scales are summed separately, as in
//! `ufbx_get_skin_vertex_matrix` of ufbx 0.23. Keep in sync with `shaders/skin_streams.wgsl`.

use glam::{Affine3A, Quat, Vec3, Vec4};

/// A rotation and a translation, and a scale applied before both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuaternion {
    /// The rotation as x, y, z, w.
    pub real: Vec4,
    /// Half the translation times the rotation.
    pub dual: Vec4,
    /// Scale factor per axis.
    pub scale: Vec3,
}

impl DualQuaternion {
    /// The start of a sum.
    pub const ZERO: Self = Self { real: Vec4::ZERO, dual: Vec4::ZERO, scale: Vec3::ZERO };

    /// The matrix without its shear.
    pub fn from_matrix(matrix: &Affine3A) -> Self {
        let trs = crate::model::LocalTransform::Matrix(*matrix).to_trs();
        let rotation = trs.rotation;
        let translation = Quat::from_vec4(trs.translation.extend(0.0));
        Self {
            real: rotation.into(),
            dual: Vec4::from(translation * rotation) * 0.5,
            scale: trs.scale,
        }
    }

    /// Adds a share of `other`, negated if it is on the other side of `first` (q and -q are the
    /// same rotation).
    pub fn add(&mut self, other: &Self, first: &Self, weight: f32) {
        let side = if first.real.dot(other.real) < 0.0 { -weight } else { weight };
        self.real += other.real * side;
        self.dual += other.dual * side;
        self.scale += other.scale * weight;
    }

    /// The matrix of this sum divided by the sum of the weights.
    pub fn to_matrix(self, sum: f32) -> Affine3A {
        let length = self.real.length();
        if length <= f32::MIN_POSITIVE {
            return Affine3A::IDENTITY;
        }
        let real = Quat::from_vec4(self.real / length);
        let dual = Quat::from_vec4(self.dual / length);
        let translation = Vec4::from(dual * real.conjugate()).truncate() * 2.0;
        Affine3A::from_scale_rotation_translation(self.scale / sum, real, translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_round_trips_through_a_dual_quaternion() {
        let matrix = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 0.5),
            Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.9),
            Vec3::new(4.0, -5.0, 6.0),
        );
        let quaternion = DualQuaternion::from_matrix(&matrix);
        let mut sum = DualQuaternion::ZERO;
        sum.add(&quaternion, &quaternion, 0.25);
        assert!(sum.to_matrix(0.25).abs_diff_eq(matrix, 1e-5));
    }

    #[test]
    fn half_way_between_opposite_twists_keeps_the_radius() {
        let rotated = |angle: f32| DualQuaternion::from_matrix(&Affine3A::from_rotation_x(angle));
        let (a, b) = (rotated(-1.5), rotated(1.5));
        let mut sum = DualQuaternion::ZERO;
        sum.add(&a, &a, 0.5);
        sum.add(&b, &a, 0.5);
        let moved = sum.to_matrix(1.0).transform_point3(Vec3::Y);
        assert!((moved.length() - 1.0).abs() < 1e-6, "matrices would give {}", 1.5f32.cos());
    }
}
