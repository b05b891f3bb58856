//! Processes four vertices at once, one per lane, with the same arithmetic in the same order as [`glam`] for
//! a single one, so that the results are identical to the bit.
//!
//! Not for: how directions follow a matrix and why (`normals`), or the inputs of skinning (`skin`, `packed`).

use glam::{Affine3A, BVec4A, Mat4, Vec3, Vec3A, Vec4};

use crate::model::NormalMatrix;

/// Vertices per batch.
pub(super) const LANES: usize = 4;

/// Four vectors; each [`Vec4`] holds one component of all four.
///
/// Everything is written out and force-inlined: compilers leave closures over arrays as calls, which take
/// most of the time, and inlined code stays in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vec3x4 {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Vec3x4 {
    #[inline(always)]
    pub(super) fn from_array([a, b, c, d]: [Vec3; LANES]) -> Self {
        let [x, y, z, _] = transposed([a.extend(0.0), b.extend(0.0), c.extend(0.0), d.extend(0.0)]);
        Self { x, y, z }
    }

    /// The first three components of each vector, and the fourth ones separately.
    #[inline(always)]
    pub(super) fn from_xyzw(vectors: [Vec4; LANES]) -> (Self, Vec4) {
        let [x, y, z, w] = transposed(vectors);
        (Self { x, y, z }, w)
    }

    #[inline(always)]
    pub(super) fn to_array(self) -> [Vec3; LANES] {
        let [a, b, c, d] = self.with_w(Vec4::ZERO);
        [a.truncate(), b.truncate(), c.truncate(), d.truncate()]
    }

    /// Adds a fourth component from `w` to each vector.
    #[inline(always)]
    pub(super) fn with_w(self, w: Vec4) -> [Vec4; LANES] {
        transposed([self.x, self.y, self.z, w])
    }

    /// Decodes packed vectors: see [`crate::model::unpack_snorm1010102`].
    #[inline(always)]
    pub(super) fn unpack_snorm1010102(words: [u32; LANES]) -> Self {
        let x = snorm10(words, 22);
        let y = snorm10(words, 12);
        let z = snorm10(words, 2);
        Self { x, y, z }
    }

    /// Scales each to unit length, or to zero: see [`super::normals::unit_or_zero`].
    #[inline(always)]
    pub(super) fn unit_or_zero(self) -> Self {
        let Self { x, y, z } = self;
        // If a component is NaN, either result of `max` is fine: the reciprocal is NaN too.
        let largest = x.abs().max(y.abs()).max(z.abs());
        let (x, y, z) = (x / largest, y / largest, z / largest);
        let reciprocal = Vec4::ONE / (x * x + y * y + z * z).sqrt();
        let is_sound = is_positive(largest) & is_positive(reciprocal);
        Self {
            x: Vec4::select(is_sound, x * reciprocal, Vec4::ZERO),
            y: Vec4::select(is_sound, y * reciprocal, Vec4::ZERO),
            z: Vec4::select(is_sound, z * reciprocal, Vec4::ZERO),
        }
    }

    /// Multiplies each by its own factor.
    #[inline(always)]
    fn scaled(self, factors: Vec4) -> Self {
        Self { x: self.x * factors, y: self.y * factors, z: self.z * factors }
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

/// Four matrices without translation, by columns.
#[derive(Clone, Copy, Debug)]
struct Mat3x4 {
    x_axis: Vec3x4,
    y_axis: Vec3x4,
    z_axis: Vec3x4,
}

impl Mat3x4 {
    #[inline(always)]
    fn times(&self, v: Vec3x4) -> Vec3x4 {
        let Self { x_axis: a, y_axis: b, z_axis: c } = self;
        Vec3x4 {
            x: a.x * v.x + b.x * v.y + c.x * v.z,
            y: a.y * v.x + b.y * v.y + c.y * v.z,
            z: a.z * v.x + b.z * v.y + c.z * v.z,
        }
    }

    #[inline(always)]
    fn cofactor(&self) -> Self {
        Self {
            x_axis: self.y_axis.cross(self.z_axis),
            y_axis: self.z_axis.cross(self.x_axis),
            z_axis: self.x_axis.cross(self.y_axis),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Affine3x4 {
    matrix: Mat3x4,
    translation: Vec3x4,
}

impl Affine3x4 {
    /// From matrices by rows.
    #[inline(always)]
    pub(super) fn from_rows([a, b, c, d]: [Rows; LANES]) -> Self {
        let [x0, y0, z0, w0] = transposed([a.x, b.x, c.x, d.x]);
        let [x1, y1, z1, w1] = transposed([a.y, b.y, c.y, d.y]);
        let [x2, y2, z2, w2] = transposed([a.z, b.z, c.z, d.z]);
        Self {
            matrix: Mat3x4 {
                x_axis: Vec3x4 { x: x0, y: x1, z: x2 },
                y_axis: Vec3x4 { x: y0, y: y1, z: y2 },
                z_axis: Vec3x4 { x: z0, y: z1, z: z2 },
            },
            translation: Vec3x4 { x: w0, y: w1, z: w2 },
        }
    }

    #[inline(always)]
    pub(super) fn from_array(matrices: &[Affine3A; LANES]) -> Self {
        let [a, b, c, d] = matrices;
        let column = |get: fn(&Affine3A) -> Vec3A| {
            Vec3x4::from_array([get(a).into(), get(b).into(), get(c).into(), get(d).into()])
        };
        Self {
            matrix: Mat3x4 {
                x_axis: column(|m| m.matrix3.x_axis),
                y_axis: column(|m| m.matrix3.y_axis),
                z_axis: column(|m| m.matrix3.z_axis),
            },
            translation: column(|m| m.translation),
        }
    }

    #[inline(always)]
    pub(super) fn transform_points(&self, points: Vec3x4) -> Vec3x4 {
        self.matrix.times(points).plus(self.translation)
    }

    /// Transforms normals and tangents for positions moved by these matrices, to unit length or zero: see
    /// [`super::normals::transformed_normal`].
    #[inline(always)]
    pub(super) fn transformed_normal(
        &self,
        by: NormalMatrix,
        normals: Vec3x4,
        tangents: Vec3x4,
    ) -> (Vec3x4, Vec3x4) {
        let matrix = &self.matrix;
        let (normals, tangents) = match by {
            NormalMatrix::Same | NormalMatrix::SameIfSkinned => {
                (matrix.times(normals), matrix.times(tangents))
            }
            NormalMatrix::Cofactor => {
                let cofactor = matrix.cofactor();
                (cofactor.times(normals), cofactor.times(tangents))
            }
            NormalMatrix::InverseTranspose | NormalMatrix::InverseTransposePerBone => {
                let cofactor = matrix.cofactor();
                let is_mirrored = matrix.x_axis.dot(cofactor.x_axis).cmplt(Vec4::ZERO);
                let signs = Vec4::select(is_mirrored, Vec4::NEG_ONE, Vec4::ONE);
                (cofactor.times(normals).scaled(signs), matrix.times(tangents))
            }
        };
        (normals.unit_or_zero(), tangents.unit_or_zero())
    }
}

/// An affine matrix by rows, each with its component of the translation: a quarter less to sum than by
/// columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Rows {
    pub(super) const ZERO: Self = Self { x: Vec4::ZERO, y: Vec4::ZERO, z: Vec4::ZERO };

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self, weight: f32) {
        self.x += other.x * weight;
        self.y += other.y * weight;
        self.z += other.z * weight;
    }
}

impl From<&Affine3A> for Rows {
    fn from(matrix: &Affine3A) -> Self {
        let rows = Mat4::from(*matrix).transpose();
        Self { x: rows.x_axis, y: rows.y_axis, z: rows.z_axis }
    }
}

#[inline(always)]
fn is_positive(v: Vec4) -> BVec4A {
    v.cmpgt(Vec4::ZERO) & v.cmplt(Vec4::INFINITY)
}

/// The ten bits of each word above `shift`, decoded as in [`crate::model::unpack_snorm1010102`].
///
/// Uses two products, because dividing takes longer. The first product is exact, since its factor has two
/// bits, and the sum rounds to the quotient for all ten-bit values.
#[inline(always)]
fn snorm10([a, b, c, d]: [u32; LANES], shift: u32) -> Vec4 {
    const HIGH: f32 = 1.0 / 512.0 + 1.0 / 262_144.0;
    const LOW: f32 = 7.465_161e-9;
    #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
    let steps = |word: u32| ((word << shift) as i32 >> 22) as f32;
    let steps = Vec4::new(steps(a), steps(b), steps(c), steps(d));
    (steps * HIGH + steps * LOW).max(Vec4::NEG_ONE)
}

#[inline(always)]
fn transposed([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let matrix = Mat4::from_cols(a, b, c, d).transpose();
    [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis]
}

#[cfg(test)]
mod tests {
    use std::array;

    use glam::Mat3A;

    use super::*;
    use crate::model::testing::Random;
    use crate::model::unpack_snorm1010102;
    use crate::pose::normals::{transformed_normal, unit_or_zero};

    /// A number of any size, or NaN or infinity.
    fn any(random: &mut Random) -> f32 {
        let few = [0.0, -0.0, 1.0, -1.5, 1e-30, -1e-45, 3e38, f32::MAX, 7e-20, f32::INFINITY];
        match random.below(16) {
            0..4 => few[random.below(few.len())],
            4 => f32::NAN,
            _ => f32::from_bits(random.bits()),
        }
    }

    fn bits(v: Vec3) -> [u32; 3] {
        v.to_array().map(f32::to_bits)
    }

    #[test]
    fn unpacking_matches_the_scalar_version() {
        // All ten-bit values of each component, with varying other bits.
        for bits in 0..1024_u32 {
            let rest = bits.wrapping_mul(620_001);
            let word = |shift: u32| (rest & !(0x3ff << shift)) | bits << shift;
            let words = [word(0), word(10), word(20), rest];
            let all = Vec3x4::unpack_snorm1010102(words).to_array();
            for (found, word) in all.into_iter().zip(words) {
                assert_eq!(found, unpack_snorm1010102(word).truncate(), "{word:x}");
            }
        }
    }

    #[test]
    fn normalisation_matches_the_scalar_version_bit_for_bit() {
        let mut random = Random(1);
        for _ in 0..40_000 {
            let wanted: [Vec3; LANES] =
                array::from_fn(|_| Vec3::from_array(array::from_fn(|_| any(&mut random))));
            let found = Vec3x4::from_array(wanted).unit_or_zero().to_array();
            for (found, wanted) in found.into_iter().zip(wanted) {
                assert_eq!(bits(found), bits(unit_or_zero(wanted.into()).into()), "{wanted}");
            }
        }
    }

    #[test]
    fn transforms_match_the_scalar_version_bit_for_bit() {
        const ALL: [NormalMatrix; 3] =
            [NormalMatrix::InverseTranspose, NormalMatrix::Same, NormalMatrix::Cofactor];
        let mut random = Random(7);
        for round in 0..4000 {
            let by = ALL[round % ALL.len()];
            let mut vector = || random.vec3() * 2.0;
            let matrices: [Affine3A; LANES] = array::from_fn(|_| Affine3A {
                matrix3: Mat3A::from_cols(vector().into(), vector().into(), vector().into()),
                translation: vector().into(),
            });
            let [points, normals, tangents]: [[Vec3; LANES]; 3] =
                array::from_fn(|_| array::from_fn(|_| vector()));
            for at_once in [
                Affine3x4::from_array(&matrices),
                Affine3x4::from_rows(matrices.map(|matrix| Rows::from(&matrix))),
            ] {
                let moved = at_once.transform_points(Vec3x4::from_array(points)).to_array();
                let (found_normals, found_tangents) = at_once.transformed_normal(
                    by,
                    Vec3x4::from_array(normals),
                    Vec3x4::from_array(tangents),
                );
                for (lane, matrix) in matrices.iter().enumerate() {
                    let (normal, tangent): (Vec3A, Vec3A) =
                        (normals[lane].into(), tangents[lane].into());
                    let (normal, tangent) =
                        transformed_normal(&matrix.matrix3, by, normal, tangent);
                    assert_eq!(bits(moved[lane]), bits(matrix.transform_point3(points[lane])));
                    assert_eq!(bits(found_normals.to_array()[lane]), bits(normal.into()), "{by:?}");
                    assert_eq!(bits(found_tangents.to_array()[lane]), bits(tangent.into()));
                }
            }
        }
    }
}
