//! The nine number formats that a vertex array may have.

/// Format of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F16,
    F32,
    F64,
}

impl Component {
    /// The format that a file means by `code`.
    pub(super) fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => Self::I8,
            1 => Self::U8,
            2 => Self::I16,
            3 => Self::U16,
            4 => Self::I32,
            5 => Self::U32,
            6 => Self::F16,
            7 => Self::F32,
            8 => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a component.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// What stands for 1 where numbers are fractions.
    pub(super) fn unit(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::I32 => f64::from(i32::MAX),
            Self::U32 => f64::from(u32::MAX),
            Self::F16 | Self::F32 | Self::F64 => 1.0,
        }
    }

    /// The number that the first bytes of `bytes` hold; 0 past the end.
    pub(super) fn read(self, bytes: &[u8]) -> f64 {
        match self {
            Self::I8 => first(bytes).map_or(0.0, |b| f64::from(i8::from_le_bytes(b))),
            Self::U8 => first(bytes).map_or(0.0, |b| f64::from(u8::from_le_bytes(b))),
            Self::I16 => first(bytes).map_or(0.0, |b| f64::from(i16::from_le_bytes(b))),
            Self::U16 => first(bytes).map_or(0.0, |b| f64::from(u16::from_le_bytes(b))),
            Self::I32 => first(bytes).map_or(0.0, |b| f64::from(i32::from_le_bytes(b))),
            Self::U32 => first(bytes).map_or(0.0, |b| f64::from(u32::from_le_bytes(b))),
            Self::F16 => first(bytes).map_or(0.0, |b| f64::from(half(u16::from_le_bytes(b)))),
            Self::F32 => first(bytes).map_or(0.0, |b| f64::from(f32::from_le_bytes(b))),
            Self::F64 => first(bytes).map_or(0.0, f64::from_le_bytes),
        }
    }
}

fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.first_chunk::<N>().copied()
}

/// An IEEE 754 half: 1 sign bit, 5 exponent bits, 10 fraction bits.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, f32::from(bits & 0x3ff) / 1024.0);
    let magnitude = match exponent {
        0 => fraction * 2.0f32.powi(-14),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction) * 2.0f32.powi(i32::from(exponent) - 15),
    };
    match bits >> 15 {
        0 => magnitude,
        _ => -magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_decoded_from_denormals_to_infinity() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 2.0f32.powi(-24)),
            (0x03ff, 1023.0 * 2.0f32.powi(-24)),
            (0x0400, 2.0f32.powi(-14)),
            (0x3555, 0.333_251_95),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn every_format_reads_its_own_bytes_and_none_past_the_end() {
        let value = |code: u32, bytes: &[u8]| Component::from_code(code).unwrap().read(bytes);
        assert_eq!(value(0, &[0xff]), -1.0);
        assert_eq!(value(1, &[0xff]), 255.0);
        assert_eq!(value(2, &(-2i16).to_le_bytes()), -2.0);
        assert_eq!(value(3, &[0xff, 0xff]), 65535.0);
        assert_eq!(value(4, &(-3i32).to_le_bytes()), -3.0);
        assert_eq!(value(5, &u32::MAX.to_le_bytes()), f64::from(u32::MAX));
        assert_eq!(value(6, &[0, 0x3c]), 1.0);
        assert_eq!(value(7, &0.5f32.to_le_bytes()), 0.5);
        assert_eq!(value(8, &0.1f64.to_le_bytes()), 0.1);
        assert_eq!(value(8, &[1, 2, 3]), 0.0);
        assert_eq!(Component::from_code(9), None);
    }
}
