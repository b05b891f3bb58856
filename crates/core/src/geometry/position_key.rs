//! Positions as keys of maps.

use glam::Vec3;

/// A key that is equal for equal positions: -0 is 0.
#[must_use]
#[inline]
pub fn position_key(position: Vec3) -> [u32; 3] {
    // Adding 0 turns -0 into 0.
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_zeros_have_one_key() {
        assert_eq!(position_key(Vec3::new(-0.0, 1.0, 0.0)), position_key(Vec3::Y));
        assert_ne!(position_key(Vec3::X), position_key(Vec3::Y));
    }
}
