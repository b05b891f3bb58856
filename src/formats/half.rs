//! Half floats: the numbers of 16 bits that several formats store.

pub(super) use crate::model::half;

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
