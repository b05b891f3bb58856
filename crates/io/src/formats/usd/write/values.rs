//! Vectors and quaternions of USD.

use glam::{Quat, Vec3};
use openusd::gf::{Quatf, Vec3f, Vec3h, f16};

pub(super) fn vec3(value: &Vec3) -> Vec3f {
    Vec3f { x: value.x, y: value.y, z: value.z }
}

/// Unit quaternions, unless the length only differs by rounding.
pub(super) fn quat(value: &Quat) -> Quatf {
    const ROUNDING: f32 = 1e-6;
    let value = rigscope_core::model::unit(*value, ROUNDING);
    Quatf { w: value.w, x: value.x, y: value.y, z: value.z }
}

pub(super) fn half(value: &Vec3) -> Vec3h {
    let [x, y, z] = value.to_array().map(f16::from_f32);
    Vec3h { x, y, z }
}
