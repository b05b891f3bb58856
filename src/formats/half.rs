//! Half floats: the numbers of 16 bits that several formats store.

/// A half float of IEEE 754 as single precision.
pub(super) fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match exponent {
        // Subnormal: fraction x 2^-24.
        0 => f32::from_bits(sign | 0x3f80_0000) * (bits & 0x3ff) as f32 / 16_777_216.0,
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The nearest half float, even ones where two are as near; what is beyond the largest is that.
pub(super) fn half_of(value: f32) -> u16 {
    const LARGEST: u16 = 0x7bff;
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16 & 0x8000) as u16, bits & 0x7fff_ffff);
    let rounded = |fraction: u32, shift: u32| {
        let (kept, rest) = (fraction >> shift, fraction & ((1 << shift) - 1));
        let middle = 1u32 << (shift - 1);
        kept + u32::from(rest > middle || (rest == middle && kept & 1 == 1))
    };
    let magnitude = match magnitude >> 23 {
        // Below half of the smallest.
        0..=101 => 0,
        exponent @ 102..=112 => rounded(magnitude & 0x7f_ffff | 0x80_0000, 126 - exponent),
        113..=142 => rounded(magnitude - (112 << 23), 13),
        _ => u32::from(LARGEST),
    };
    sign | u16::try_from(magnitude).map_or(LARGEST, |m| m.min(LARGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_every_kind_are_read() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn every_half_is_written_as_itself_and_others_as_the_nearest() {
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
