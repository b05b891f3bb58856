//! The 16-bit encodings of animations: half floats and three-component quaternions.

use glam::{Quat, Vec3};
use half::f16;

use super::half_float::half_of;

pub(super) fn half3(bits: [u16; 3]) -> Vec3 {
    Vec3::from_array(bits.map(|bits| f16::from_bits(bits).to_f32()))
}

/// Restores a quaternion from three components, the index of the largest one and its sign.
fn restored(largest: u8, is_negative: bool, [a, b, c]: [f32; 3]) -> Quat {
    let dot = a * a + b * b + c * c;
    let mut left = (1.0 - dot).max(0.0).sqrt();
    if is_negative {
        left = -left;
    }
    match largest {
        0 => Quat::from_xyzw(left, a, b, c),
        1 => Quat::from_xyzw(a, left, b, c),
        2 => Quat::from_xyzw(a, b, left, c),
        _ => Quat::from_xyzw(a, b, c, left),
    }
}

/// Version 7: from the lowest bit, 2 bits for the largest component, 1 bit for its sign, 3 x 15 bits.
pub(super) fn quat_48([low, middle, high]: [u16; 3]) -> Quat {
    const HALF_SQRT_2: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const STEP: f32 = std::f32::consts::SQRT_2 / 32767.0;
    let bits = u64::from(low) | u64::from(middle) << 16 | u64::from(high) << 32;
    let component = |shift: u32| (bits >> shift & 0x7fff) as f32 * STEP - HALF_SQRT_2;
    let largest = (low & 3) as u8;
    let components = [component(3), component(18), component(33)];
    restored(largest, low & 4 != 0, components)
}

/// Versions 4 to 6: largest component and sign are bytes, the other components are signed 16-bit numbers.
pub(super) fn quat_of_bytes(largest: u8, sign: u8, components: [i16; 3]) -> Quat {
    const STEP: f32 = std::f32::consts::FRAC_1_SQRT_2 / 32767.0;
    let components = components.map(|component| f32::from(component) * STEP);
    restored(largest & 3, sign != 0, components)
}

pub(super) fn bits_of_vec(value: Vec3) -> [u16; 3] {
    value.to_array().map(half_of)
}

/// Encodes a unit quaternion as in version 7.
///
/// The largest component is omitted. Among components that are nearly as large, the one is chosen with which
/// decoding returns exactly the same quaternion, so that keys that were read are written unchanged.
pub(super) fn bits_of_quat(value: Quat) -> [u16; 3] {
    /// Rounding may have changed the order of components that differ by less.
    const NEAR: f32 = 2e-4;
    let all = value.to_array();
    let largest = all.into_iter().fold(0.0, |most: f32, c| most.max(c.abs()));
    let near = (0..4usize).zip(all).filter(|(_, c)| c.abs() >= largest - NEAR);
    let mut exact =
        near.map(|(at, _)| bits_without(at, all)).filter(|bits| quat_48(*bits) == value);
    let first = || all.iter().position(|c| c.abs() == largest);
    exact.next().unwrap_or_else(|| bits_without(first().unwrap_or(0), all))
}

/// The encoding without component `dropped`.
fn bits_without(dropped: usize, all: [f32; 4]) -> [u16; 3] {
    const HALF_SQRT_2: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const STEPS: f32 = 32767.0;
    const SCALE: f32 = STEPS / std::f32::consts::SQRT_2;
    let is_negative = all.get(dropped).is_some_and(|left| *left < 0.0);
    let mut bits = dropped as u64 | u64::from(is_negative) << 2;
    let others = (0..).zip(all).filter(|(at, _)| *at != dropped);
    for ((_, component), shift) in others.zip([3u32, 18, 33]) {
        let steps = ((component + HALF_SQRT_2) * SCALE).round();
        #[expect(clippy::cast_possible_truncation, reason = "clamped to 15 bits")]
        #[expect(clippy::cast_sign_loss, reason = "clamped to 15 bits")]
        let steps = steps.clamp(0.0, STEPS) as u64;
        bits |= steps << shift;
    }
    [0, 16, 32].map(|shift| (bits >> shift & 0xffff) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_round_trip_within_one_quantization_step() {
        let mut worst = 0.0f32;
        for number in 0..2000u16 {
            let angle = f32::from(number) * 0.1;
            let axis = Vec3::new(angle.sin(), (angle * 1.7).cos(), (angle * 0.3).sin() + 0.1);
            let rotation = Quat::from_axis_angle(axis.normalize_or_zero(), angle);
            let bits = bits_of_quat(rotation);
            let read = quat_48(bits);
            assert!(read.dot(rotation) > 0.0, "the sign is kept");
            worst = worst.max((read - rotation).length());
            assert_eq!(bits_of_quat(read), bits);
        }
        assert!(worst < 8e-5, "{worst}");
        assert!(quat_48(bits_of_quat(Quat::IDENTITY)).angle_between(Quat::IDENTITY) < 1e-3);
    }

    #[test]
    fn the_dropped_component_is_restored_at_its_index() {
        for largest in 0..4u8 {
            let [x, y, z, w] = quat_of_bytes(largest, 1, [0, 0, 0]).to_array();
            let mut expected = [0.0; 4];
            expected[usize::from(largest)] = -1.0;
            assert_eq!([x, y, z, w], expected);
        }
        let q = quat_of_bytes(1, 0, [100, 200, 300]);
        assert!(q.x < q.z && q.z < q.w && q.w < q.y && q.is_normalized());
    }
}
