//! Transforms as translation, rotation and scale, or as matrices.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// A shorter axis has no direction.
const NO_LENGTH: f32 = 1e-12;
/// The square of a greater length overflows single precision.
const LONG: f32 = 1e18;

/// `rotation` with unit length: unchanged if its squared length is within `tolerance` of 1, and the
/// identity if it has no length or isn't finite.
#[must_use]
pub fn unit(rotation: Quat, tolerance: f32) -> Quat {
    let squared = rotation.length_squared();
    if (squared - 1.0).abs() <= tolerance {
        rotation
    } else if squared >= f32::MIN_POSITIVE && squared.is_finite() {
        rotation * squared.sqrt().recip()
    } else {
        Quat::IDENTITY
    }
}

/// Translation, rotation and scale, applied in reverse order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// File units.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factor per axis.
    pub scale: Vec3,
}

impl Trs {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Decomposes `matrix`. Shear is lost; a mirroring becomes a negative scale along x; an axis
    /// without length gets scale 0, and the rotation is determined by the others. The result is
    /// finite: a non-finite matrix, such as an overflowed product, becomes the identity.
    pub fn from_affine(matrix: Affine3A) -> Self {
        if !matrix.is_finite() {
            return Self::IDENTITY;
        }
        let m = matrix.matrix3;
        let columns = [m.x_axis, m.y_axis, m.z_axis];
        let largest = columns.map(|column| column.abs().max_element()).into_iter();
        let largest = largest.fold(0.0, f32::max);
        if largest > LONG {
            let [x, y, z] = columns.map(|column| column / largest);
            let short = Affine3A { matrix3: Mat3A::from_cols(x, y, z), ..matrix };
            let parts = Self::from_affine(short);
            let most = Vec3::splat(f32::MAX);
            return Self { scale: (parts.scale * largest).clamp(-most, most), ..parts };
        }
        let mut scale = Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        if m.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let axis = |axis: Vec3A, length: f32| {
            (length.abs() > NO_LENGTH).then(|| axis / length.abs() * length.signum())
        };
        let axes = [axis(m.x_axis, scale.x), axis(m.y_axis, scale.y), axis(m.z_axis, scale.z)];
        let turn = match axes {
            [Some(x), Some(y), Some(z)] => Mat3A::from_cols(x, y, z),
            [Some(x), Some(y), None] => Mat3A::from_cols(x, y, x.cross(y)),
            [Some(x), None, Some(z)] => Mat3A::from_cols(x, z.cross(x), z),
            [None, Some(y), Some(z)] => Mat3A::from_cols(y.cross(z), y, z),
            [Some(x), None, None] => around(Vec3A::X, x),
            [None, Some(y), None] => around(Vec3A::Y, y),
            [None, None, Some(z)] => around(Vec3A::Z, z),
            [None, None, None] => Mat3A::IDENTITY,
        };
        let rotation = Quat::from_mat3a(&turn);
        let length = rotation.length();
        Self {
            translation: matrix.translation.into(),
            rotation: if length > 0.5 && length.is_finite() {
                rotation / length
            } else {
                Quat::IDENTITY
            },
            scale,
        }
    }

    /// The same transform as a matrix.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A transform in the form that its file stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation and scale.
    Trs(Trs),
    /// A matrix, which may shear.
    Matrix(Affine3A),
}

impl Default for LocalTransform {
    fn default() -> Self {
        Self::Trs(Trs::IDENTITY)
    }
}

impl LocalTransform {
    /// The transform as a matrix.
    pub fn to_affine(self) -> Affine3A {
        match self {
            Self::Trs(trs) => trs.to_affine(),
            Self::Matrix(matrix) => matrix,
        }
    }

    /// The transform as translation, rotation and scale; see [`Trs::from_affine`].
    pub fn to_trs(self) -> Trs {
        match self {
            Self::Trs(trs) => trs,
            Self::Matrix(matrix) => Trs::from_affine(matrix),
        }
    }
}

/// The shortest rotation from one axis to another.
fn around(from: Vec3A, to: Vec3A) -> Mat3A {
    Mat3A::from_quat(Quat::from_rotation_arc(from.into(), to.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_recompose_mirrored_flat_and_zero_scale_matrices() {
        let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0);
        for scale in [
            Vec3::new(1.0, 2.0, 0.5),
            Vec3::new(-1.0, 2.0, 0.5),
            Vec3::new(1.0, -2.0, 1.0),
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::new(0.0, 0.0, 3.0),
            Vec3::ZERO,
        ] {
            let matrix = Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::X);
            let again = Trs::from_affine(matrix).to_affine();
            assert!(again.abs_diff_eq(matrix, 1e-5), "{scale}: {again} {matrix}");
        }
    }

    #[test]
    fn decomposition_of_any_matrix_is_finite() {
        let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0);
        let far = Vec3::splat(f32::MAX);
        for scale in [1e20, 1e-30, 3e38] {
            let matrix = Affine3A::from_scale_rotation_translation(
                Vec3::new(scale, 1.0, 1.0),
                rotation,
                far,
            );
            let parts = Trs::from_affine(matrix);
            assert!(parts.scale.is_finite() && parts.rotation.is_finite(), "{parts:?}");
            assert_eq!(parts.translation, far);
        }
        let columns = [Vec3::splat(f32::MAX); 3];
        let full = glam::Mat3::from_cols_array_2d(&columns.map(|column| column.to_array()));
        assert_eq!(Trs::from_affine(Affine3A::from_mat3(full)).scale, Vec3::splat(f32::MAX));
        let broken = Affine3A::from_translation(Vec3::new(f32::INFINITY, 0.0, 0.0));
        assert_eq!(Trs::from_affine(broken), Trs::IDENTITY);
    }
}
