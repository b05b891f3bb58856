//! Numbers that animations store in 16 bits: half floats and quaternions of three components.

use glam::{Quat, Vec3};

use crate::formats::half::half;

pub(super) fn half3(bits: [u16; 3]) -> Vec3 {
    Vec3::from_array(bits.map(half))
}

/// A quaternion out of the three components that are not `largest`, and that one's sign.
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

/// Version 7: from the lowest bit on 2 bits largest, 1 bit sign, 3 x 15 bits.
pub(super) fn quat_48([low, middle, high]: [u16; 3]) -> Quat {
    const HALF_SQRT_2: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const STEP: f32 = std::f32::consts::SQRT_2 / 32767.0;
    let bits = u64::from(low) | u64::from(middle) << 16 | u64::from(high) << 32;
    let component = |shift: u32| (bits >> shift & 0x7fff) as f32 * STEP - HALF_SQRT_2;
    let largest = (low & 3) as u8;
    let components = [component(3), component(18), component(33)];
    restored(largest, low & 4 != 0, components)
}

/// Versions 4 to 6: largest and sign are bytes, components 16 bits with a sign.
pub(super) fn quat_of_bytes(largest: u8, sign: u8, components: [i16; 3]) -> Quat {
    const STEP: f32 = std::f32::consts::FRAC_1_SQRT_2 / 32767.0;
    let components = components.map(|component| f32::from(component) * STEP);
    restored(largest & 3, sign != 0, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dropped_component_goes_back_to_its_place() {
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
