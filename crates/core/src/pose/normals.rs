//! How normals and tangents follow a matrix, by the rule of the format or of the user.
//!
//! Keep in sync with `shaders/common.wgsl` and, for bone-local skins, `skin_streams.wgsl`.

use std::str::FromStr;

use glam::{Affine3A, Mat3A, Vec3A};

use crate::model::{Model, NormalMatrix};

/// The rule for transforming normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normals {
    /// As in the format's own runtime: the result in an engine.
    #[default]
    Runtime,
    /// Perpendicular to the deformed surface.
    Exact,
}

impl FromStr for Normals {
    type Err = String;

    /// Parses the name on the command line.
    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "runtime" => Ok(Self::Runtime),
            "exact" => Ok(Self::Exact),
            _ => Err(format!("unknown normals `{name}`; valid names are runtime and exact")),
        }
    }
}

impl Normals {
    /// The matrix that transforms the directions of `model`.
    pub fn matrix_of(self, model: &Model) -> NormalMatrix {
        match self {
            Self::Runtime => model.normal_matrix,
            Self::Exact => NormalMatrix::InverseTranspose,
        }
    }
}

/// `v` scaled to unit length, or zero if it has no length. Handles lengths whose square would
/// overflow.
#[inline]
#[must_use]
pub fn unit_or_zero(v: Vec3A) -> Vec3A {
    let largest = v.abs().max_element();
    if largest > 0.0 && largest.is_finite() {
        (v / largest).normalize_or_zero()
    } else {
        Vec3A::ZERO
    }
}

/// `normal` and `tangent` transformed for positions moved by `matrix`, of unit length or zero.
///
/// For a single matrix, [`NormalMatrix::InverseTransposePerBone`] is [`NormalMatrix::InverseTranspose`].
///
/// Uses the cofactor matrix as the inverse transpose, to avoid dividing by a determinant that may
/// be zero.
#[inline]
#[must_use]
pub fn transformed_normal(
    matrix: &Mat3A,
    by: NormalMatrix,
    normal: Vec3A,
    tangent: Vec3A,
) -> (Vec3A, Vec3A) {
    let tangent = match by {
        NormalMatrix::Cofactor => cofactor(matrix) * tangent,
        _ => *matrix * tangent,
    };
    (unit_or_zero(scaled_normal(matrix, by, normal)), unit_or_zero(tangent))
}

/// The `normal` of a bone-local influence as it enters the weighted sum over bones. Runtimes sum
/// the results of their matrices; exact normals count only by their weights.
pub(super) fn share_of_normal(matrix: &Mat3A, by: NormalMatrix, normal: Vec3A) -> Vec3A {
    let rotated = scaled_normal(matrix, by, normal);
    match by {
        NormalMatrix::InverseTranspose | NormalMatrix::InverseTransposePerBone => {
            unit_or_zero(rotated)
        }
        NormalMatrix::Same | NormalMatrix::Cofactor | NormalMatrix::SameIfSkinned => rotated,
    }
}

fn scaled_normal(matrix: &Mat3A, by: NormalMatrix, normal: Vec3A) -> Vec3A {
    match by {
        NormalMatrix::Same | NormalMatrix::SameIfSkinned => *matrix * normal,
        NormalMatrix::Cofactor => cofactor(matrix) * normal,
        NormalMatrix::InverseTranspose | NormalMatrix::InverseTransposePerBone => {
            let cofactor = cofactor(matrix);
            let rotated = cofactor * normal;
            // Cofactors are the inverse transpose times the determinant, whose sign a mirror flips.
            let is_mirrored = matrix.x_axis.dot(cofactor.x_axis) < 0.0;
            if is_mirrored { -rotated } else { rotated }
        }
    }
}

/// The inverse transpose, or zero for a matrix without one: the contribution of a bone to
/// [`NormalMatrix::InverseTransposePerBone`].
pub(super) fn inverse_transpose(Affine3A { matrix3, .. }: &Affine3A) -> Affine3A {
    let cofactor = cofactor(matrix3);
    let determinant = matrix3.x_axis.dot(cofactor.x_axis);
    let inverse = cofactor * determinant.recip();
    let matrix3 = if inverse.is_finite() { inverse } else { Mat3A::ZERO };
    Affine3A { matrix3, translation: Vec3A::ZERO }
}

fn cofactor(m: &Mat3A) -> Mat3A {
    Mat3A::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMAL: Vec3A = Vec3A::new(0.6, 0.8, 0.0);
    const TANGENT: Vec3A = Vec3A::new(0.8, -0.6, 0.0);
    const ALL: [NormalMatrix; 3] =
        [NormalMatrix::InverseTranspose, NormalMatrix::Same, NormalMatrix::Cofactor];

    fn is_near(found: (Vec3A, Vec3A), normal: Vec3A, tangent: Vec3A) -> bool {
        found.0.distance(normal.normalize_or_zero()) < 1e-6
            && found.1.distance(tangent.normalize_or_zero()) < 1e-6
    }

    #[test]
    fn normal_matrices_differ_for_nonuniform_scale() {
        let scale = Mat3A::from_diagonal(glam::Vec3::new(2.0, 1.0, 1.0));
        let by = |by| transformed_normal(&scale, by, NORMAL, TANGENT);
        let (upright, along) = (Vec3A::new(0.3, 0.8, 0.0), Vec3A::new(1.6, -0.6, 0.0));
        assert!(is_near(by(NormalMatrix::InverseTranspose), upright, along));
        let matrix = Vec3A::new(1.2, 0.8, 0.0);
        assert!(is_near(by(NormalMatrix::Same), matrix, along));
        let cofactors = Vec3A::new(0.4, -0.6, 0.0);
        assert!(is_near(by(NormalMatrix::Cofactor), upright, cofactors));
    }

    #[test]
    fn all_normal_matrices_agree_for_rotation_and_uniform_scale() {
        let rotation = Mat3A::from_rotation_y(0.7) * Mat3A::from_rotation_x(-1.9);
        for scale in [1e-3, 1.0, 40.0] {
            for by in ALL {
                let found = transformed_normal(&(rotation * scale), by, NORMAL, TANGENT);
                assert!(is_near(found, rotation * NORMAL, rotation * TANGENT), "{by:?}");
            }
        }
    }

    #[test]
    fn only_cofactor_normals_flip_under_mirroring() {
        let mirror = Mat3A::from_diagonal(glam::Vec3::new(-1.0, 1.0, 1.0));
        let seen = (mirror * NORMAL, mirror * TANGENT);
        for by in [NormalMatrix::InverseTranspose, NormalMatrix::Same] {
            assert!(is_near(transformed_normal(&mirror, by, NORMAL, TANGENT), seen.0, seen.1));
        }
        let found = transformed_normal(&mirror, NormalMatrix::Cofactor, NORMAL, TANGENT);
        assert!(is_near(found, -seen.0, -seen.1));
    }

    #[test]
    fn singular_matrices_give_zero_or_valid_normals() {
        for by in ALL {
            let (normal, tangent) = transformed_normal(&Mat3A::ZERO, by, NORMAL, TANGENT);
            assert_eq!((normal, tangent), (Vec3A::ZERO, Vec3A::ZERO));
        }
        let flat = Mat3A::from_diagonal(glam::Vec3::new(1.0, 0.0, 1.0));
        let (normal, _) =
            transformed_normal(&flat, NormalMatrix::InverseTranspose, NORMAL, TANGENT);
        assert!(normal.distance(Vec3A::Y) < 1e-6, "flattened, it faces up");
    }
}
