//! Numbers as stored in files: the only code that decodes bytes by type and byte order.

use half::f16;

/// The type of a number in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 64-bit integer.
    U64,
    /// Half-precision float.
    F16,
    /// Single-precision float.
    F32,
    /// Double-precision float.
    F64,
    /// Unsigned 8-bit integer, divided by 255.
    Unorm8,
    /// Signed 8-bit integer, divided by 127 and clamped to -1.
    Snorm8,
    /// Unsigned 16-bit integer, divided by 65535.
    Unorm16,
    /// Signed 16-bit integer, divided by 32767 and clamped to -1.
    Snorm16,
}

/// A decoded number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Unsigned integer.
    Unsigned(u64),
    /// Signed integer.
    Signed(i32),
    /// Single or half precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Normalized integer.
    Fraction(f32),
}

impl Number {
    /// The value in single precision, rounded.
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

    /// The value in double precision.
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
                // 16-bit steps are 0.00002 apart.
                let text = format!("{number:.5}");
                let short = text.trim_end_matches('0').trim_end_matches('.');
                f.write_str(if short == "-0" { "0" } else { short })
            }
        }
    }
}

impl Scalar {
    /// All types.
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

    /// Short name, such as `f32`.
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

    /// Size in bytes.
    pub const fn num_bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Unorm8 | Self::Snorm8 => 1,
            Self::U16 | Self::I16 | Self::F16 | Self::Unorm16 | Self::Snorm16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// Decodes the first bytes of `bytes`, little-endian; `None` if there are too few.
    // Inlined, so that loops over one type hoist the match.
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

    /// Encodes `value` into the first bytes of `bytes`, little-endian, rounded and clamped to what the type can
    /// store. Does nothing if there are too few bytes.
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "float casts saturate")]
    pub fn encode(self, value: f64, bytes: &mut [u8]) {
        fn put<const N: usize>(bytes: &mut [u8], value: [u8; N]) {
            if let Some(first) = bytes.first_chunk_mut() {
                *first = value;
            }
        }
        match self {
            Self::U8 => put(bytes, (value.round() as u8).to_le_bytes()),
            Self::I8 => put(bytes, (value.round() as i8).to_le_bytes()),
            Self::U16 => put(bytes, (value.round() as u16).to_le_bytes()),
            Self::I16 => put(bytes, (value.round() as i16).to_le_bytes()),
            Self::U32 => put(bytes, (value.round() as u32).to_le_bytes()),
            Self::I32 => put(bytes, (value.round() as i32).to_le_bytes()),
            Self::U64 => put(bytes, (value.round() as u64).to_le_bytes()),
            Self::F16 => put(bytes, f16::from_f64(value).to_bits().to_le_bytes()),
            Self::F32 => put(bytes, (value as f32).to_le_bytes()),
            Self::F64 => put(bytes, value.to_le_bytes()),
            Self::Unorm8 => put(bytes, ((value * 255.0).round() as u8).to_le_bytes()),
            Self::Snorm8 => {
                put(bytes, ((value.clamp(-1.0, 1.0) * 127.0).round() as i8).to_le_bytes());
            }
            Self::Unorm16 => put(bytes, ((value * 65535.0).round() as u16).to_le_bytes()),
            Self::Snorm16 => {
                put(bytes, ((value.clamp(-1.0, 1.0) * 32767.0).round() as i16).to_le_bytes());
            }
        }
    }

    /// Largest value of a normalized integer as it is stored; `None` for other types.
    pub const fn steps(self) -> Option<u32> {
        match self {
            Self::Unorm8 => Some(u8::MAX as u32),
            Self::Unorm16 => Some(u16::MAX as u32),
            Self::Snorm8 => Some(i8::MAX as u32),
            Self::Snorm16 => Some(i16::MAX as u32),
            _ => None,
        }
    }

    /// Decodes the first bytes of `bytes`, big-endian; `None` if there are too few.
    #[inline]
    pub fn number_be(self, bytes: &[u8]) -> Option<Number> {
        let mut reversed = [0; 8];
        let reversed = reversed.get_mut(..self.num_bytes())?;
        reversed.copy_from_slice(bytes.get(..self.num_bytes())?);
        reversed.reverse();
        self.number(reversed)
    }
}
