//! Numbers as files store them: the one place where bytes become numbers by type and byte order.

use half::f16;

/// What one number of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Whole, 8 bits.
    U8,
    /// Whole with a sign, 8 bits.
    I8,
    /// Whole, 16 bits.
    U16,
    /// Whole with a sign, 16 bits.
    I16,
    /// Whole, 32 bits.
    U32,
    /// Whole with a sign, 32 bits.
    I32,
    /// Whole, 64 bits.
    U64,
    /// Half float.
    F16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// Fraction of 255.
    Unorm8,
    /// Fraction of 127, not below -1.
    Snorm8,
    /// Fraction of 65535.
    Unorm16,
    /// Fraction of 32767, not below -1.
    Snorm16,
}

/// A number out of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Whole.
    Unsigned(u64),
    /// Whole with a sign.
    Signed(i32),
    /// Single precision, or half.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Stored in steps.
    Fraction(f32),
}

impl Number {
    /// In single precision.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "as asked for")]
    pub fn to_f32(self) -> f32 {
        match self {
            Self::Unsigned(number) => number as f32,
            Self::Signed(number) => number as f32,
            Self::F32(number) | Self::Fraction(number) => number,
            Self::F64(number) => number as f32,
        }
    }

    /// In double precision.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Unsigned(number) => number as f64,
            Self::Signed(number) => f64::from(number),
            Self::F32(number) | Self::Fraction(number) => f64::from(number),
            Self::F64(number) => number,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsigned(number) => number.fmt(f),
            Self::Signed(number) => number.fmt(f),
            Self::F32(number) => number.fmt(f),
            Self::F64(number) => number.fmt(f),
            Self::Fraction(number) => {
                // The steps of 16 bits are 0.00002 apart.
                let text = format!("{number:.5}");
                let short = text.trim_end_matches('0').trim_end_matches('.');
                f.write_str(if short == "-0" { "0" } else { short })
            }
        }
    }
}

impl Scalar {
    /// All of them.
    #[cfg(test)]
    pub(super) const ALL: [Self; 14] = [
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::U64,
        Self::F16,
        Self::F32,
        Self::F64,
        Self::Unorm8,
        Self::Snorm8,
        Self::Unorm16,
        Self::Snorm16,
    ];

    /// As in `f32`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Unorm8 => "unorm8",
            Self::Snorm8 => "snorm8",
            Self::Unorm16 => "unorm16",
            Self::Snorm16 => "snorm16",
        }
    }

    /// Bytes of one.
    pub const fn num_bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Unorm8 | Self::Snorm8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Unorm16 | Self::Snorm16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// The number that the first bytes of `bytes` hold, little-endian; `None` where they are cut off.
    // Where a loop asks with one and the same type, the choice is made once before it.
    #[inline]
    pub fn number(self, bytes: &[u8]) -> Option<Number> {
        fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
            bytes.first_chunk().copied()
        }
        let u8 = || Some(u8::from_le_bytes(first(bytes)?));
        let i8 = || Some(i8::from_le_bytes(first(bytes)?));
        let u16 = || Some(u16::from_le_bytes(first(bytes)?));
        let i16 = || Some(i16::from_le_bytes(first(bytes)?));
        Some(match self {
            Self::U8 => Number::Unsigned(u8()?.into()),
            Self::I8 => Number::Signed(i8()?.into()),
            Self::U16 => Number::Unsigned(u16()?.into()),
            Self::I16 => Number::Signed(i16()?.into()),
            Self::U32 => Number::Unsigned(u32::from_le_bytes(first(bytes)?).into()),
            Self::I32 => Number::Signed(i32::from_le_bytes(first(bytes)?)),
            Self::U64 => Number::Unsigned(u64::from_le_bytes(first(bytes)?)),
            Self::F16 => Number::F32(f16::from_bits(u16()?).to_f32()),
            Self::F32 => Number::F32(f32::from_le_bytes(first(bytes)?)),
            Self::F64 => Number::F64(f64::from_le_bytes(first(bytes)?)),
            Self::Unorm8 => Number::Fraction(f32::from(u8()?) / 255.0),
            Self::Snorm8 => Number::Fraction((f32::from(i8()?) / 127.0).max(-1.0)),
            Self::Unorm16 => Number::Fraction(f32::from(u16()?) / 65535.0),
            Self::Snorm16 => Number::Fraction((f32::from(i16()?) / 32767.0).max(-1.0)),
        })
    }

    /// The same, big-endian.
    pub fn number_be(self, bytes: &[u8]) -> Option<Number> {
        let mut turned = [0; 8];
        let turned = turned.get_mut(..self.num_bytes())?;
        turned.copy_from_slice(bytes.get(..self.num_bytes())?);
        turned.reverse();
        self.number(turned)
    }
}
