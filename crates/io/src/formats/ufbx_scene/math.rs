//! Converts the library's f64 values to glam's f32.

use glam::{Affine2, Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

use rigscope_core::model::{Trs, color_from_srgb};

/// Nearest f32, with -0 as 0 and a single NaN, so that equal values have equal bits.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(super) fn real(value: f64) -> f32 {
    let value = value as f32;
    if value.is_nan() { f32::NAN } else { value + 0.0 }
}

pub(super) fn vec3(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(real(v.x), real(v.y), real(v.z))
}

pub(super) fn vec4(v: ufbx::Vec4) -> Vec4 {
    Vec4::new(real(v.x), real(v.y), real(v.z), real(v.w))
}

/// Linear RGBA of a colour encoded as sRGB.
pub(super) fn color(v: ufbx::Vec4) -> Vec4 {
    // As in `real`: -0 becomes 0, and there is a single NaN.
    let color = color_from_srgb([v.x, v.y, v.z, v.w]);
    color.to_array().map(|value| real(f64::from(value))).into()
}

pub(super) fn trs(t: &ufbx::Transform) -> Trs {
    let r = t.rotation;
    Trs {
        translation: vec3(t.translation),
        rotation: Quat::from_xyzw(real(r.x), real(r.y), real(r.z), real(r.w)),
        scale: vec3(t.scale),
    }
}

/// The library computes the matrix in f64.
pub(super) fn affine(m: &ufbx::Matrix) -> Affine3A {
    Affine3A::from_cols_array(&[
        real(m.m00),
        real(m.m10),
        real(m.m20),
        real(m.m01),
        real(m.m11),
        real(m.m21),
        real(m.m02),
        real(m.m12),
        real(m.m22),
        real(m.m03),
        real(m.m13),
        real(m.m23),
    ])
}

pub(super) fn mat4(m: &ufbx::Matrix) -> Mat4 {
    Mat4::from(affine(m))
}

/// Converts a transform of UV coordinates with v up to one with v down.
pub(super) fn uv_down(m: &ufbx::Matrix) -> Affine2 {
    Affine2::from_cols(
        Vec2::new(real(m.m00), real(-m.m10)),
        Vec2::new(real(-m.m01), real(m.m11)),
        Vec2::new(real(m.m01 + m.m03), real(1.0 - m.m11 - m.m13)),
    )
}
