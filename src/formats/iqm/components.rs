//! The nine number formats that a vertex array may have.

use crate::formats::half::half;
use crate::model::Scalar;

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

    /// As the type of a field; integers that are fractions as such.
    pub(super) fn scalar(self, is_fraction: bool) -> Scalar {
        match (self, is_fraction) {
            (Self::I8, true) => Scalar::Snorm8,
            (Self::I8, false) => Scalar::I8,
            (Self::U8, true) => Scalar::Unorm8,
            (Self::U8, false) => Scalar::U8,
            (Self::I16, true) => Scalar::Snorm16,
            (Self::I16, false) => Scalar::I16,
            (Self::U16, true) => Scalar::Unorm16,
            (Self::U16, false) => Scalar::U16,
            (Self::I32, _) => Scalar::I32,
            (Self::U32, _) => Scalar::U32,
            (Self::F16, _) => Scalar::F16,
            (Self::F32, _) => Scalar::F32,
            (Self::F64, _) => Scalar::F64,
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

#[cfg(test)]
mod tests {
    use super::*;

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
