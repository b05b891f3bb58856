//! Transforms as translation, rotation and scale, or as matrices.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// An axis this short has no direction.
const NO_LENGTH: f32 = 1e-12;
/// The square of what is longer exceeds single precision.
const LONG: f32 = 1e18;

/// The rotation of unit length that is meant: as it stands where its squared length is 1 within
/// `tolerance`, and none where it has no length or is not finite.
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

/// Translation, rotation, scale, applied in reverse order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// File units.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factor an axis.
    pub scale: Vec3,
}

impl Trs {
    /// Moves nothing.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The three parts of `matrix`. Shear is lost; a mirror is a negative scale along x; an axis
    /// without length has scale 0, and the turn is that of the others. The parts are finite: a matrix
    /// that is not, as where a product exceeded single precision, moves nothing.
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
            rotation: match length > 0.5 && length.is_finite() {
                true => rotation / length,
                false => Quat::IDENTITY,
            },
            scale,
        }
    }

    /// As a matrix.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A transform as its file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// As three parts.
    Trs(Trs),
    /// As a matrix, which may shear.
    Matrix(Affine3A),
}

impl Default for LocalTransform {
    fn default() -> Self {
        Self::Trs(Trs::IDENTITY)
    }
}

impl LocalTransform {
    /// As a matrix.
    pub fn to_affine(self) -> Affine3A {
        match self {
            Self::Trs(trs) => trs.to_affine(),
            Self::Matrix(matrix) => matrix,
        }
    }

    /// As three parts, see [`Trs::from_affine`].
    pub fn to_trs(self) -> Trs {
        match self {
            Self::Trs(trs) => trs,
            Self::Matrix(matrix) => Trs::from_affine(matrix),
        }
    }
}

/// The shortest turn from one axis to another.
fn around(from: Vec3A, to: Vec3A) -> Mat3A {
    Mat3A::from_quat(Quat::from_rotation_arc(from.into(), to.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_matrix_again_mirrored_flat_or_hidden() {
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
    fn parts_are_finite_whatever_the_matrix_is() {
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
