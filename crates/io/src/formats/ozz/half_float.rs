//! Half floats for writing, which are never infinite.

use half::f16;

/// The nearest half float, rounding ties to even; larger values are clamped.
pub(super) fn half_of(value: f32) -> u16 {
    let (least, largest) = (f16::MIN.to_f32(), f16::MAX.to_f32());
    f16::from_f32(value.clamp(least, largest)).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(bits: u16) -> f32 {
        f16::from_bits(bits).to_f32()
    }

    #[test]
    fn half_floats_round_trip_and_other_values_round_to_nearest() {
        for bits in 0..=u16::MAX {
            let value = half(bits);
            if value.is_finite() {
                assert_eq!(half_of(value), bits, "{value}");
            }
        }
        let (one, next) = (1.0f32, half(0x3c01));
        assert_eq!(half_of((one + next) / 2.0), 0x3c00, "even");
        assert_eq!(half_of(((one + next) / 2.0).next_up()), 0x3c01);
        assert_eq!(half_of((next + half(0x3c02)) / 2.0), 0x3c02, "even");
        assert_eq!(half_of(65519.9), 0x7bff);
        assert_eq!(half_of(-1e9), 0xfbff);
        assert_eq!(half_of(2.9e-8), 0);
        assert_eq!(half_of(3.0e-8), 1);
    }
}
