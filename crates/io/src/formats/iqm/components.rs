//! The nine number formats of vertex arrays.

use rigscope_core::model::{Number, Scalar};

/// The number format with the stored `code`.
pub(super) fn scalar_of(code: u32) -> Option<Scalar> {
    Some(match code {
        0 => Scalar::I8,
        1 => Scalar::U8,
        2 => Scalar::I16,
        3 => Scalar::U16,
        4 => Scalar::I32,
        5 => Scalar::U32,
        6 => Scalar::F16,
        7 => Scalar::F32,
        8 => Scalar::F64,
        _ => return None,
    })
}

/// The value that represents 1 if numbers are fractions.
pub(super) fn unit(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::I8 => f64::from(i8::MAX),
        Scalar::U8 => f64::from(u8::MAX),
        Scalar::I16 => f64::from(i16::MAX),
        Scalar::U16 => f64::from(u16::MAX),
        Scalar::I32 => f64::from(i32::MAX),
        Scalar::U32 => f64::from(u32::MAX),
        _ => 1.0,
    }
}

/// The field type for fractions in this number format.
pub(super) fn fraction_of(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 => Scalar::Snorm8,
        Scalar::U8 => Scalar::Unorm8,
        Scalar::I16 => Scalar::Snorm16,
        Scalar::U16 => Scalar::Unorm16,
        other => other,
    }
}

/// The number at the front of `bytes`; 0 past the end.
pub(super) fn read(scalar: Scalar, bytes: &[u8]) -> f64 {
    scalar.number(bytes).map_or(0.0, Number::to_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_type_reads_its_own_bytes_and_none_past_the_end() {
        let value = |code: u32, bytes: &[u8]| read(scalar_of(code).unwrap(), bytes);
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
        assert_eq!(scalar_of(9), None);
    }
}
