//! Field types.

use super::Scalar;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Consecutive numbers.
    Numbers {
        /// Type of each number.
        scalar: Scalar,
        /// How many numbers there are.
        count: u16,
        /// Whether the most significant byte is first.
        is_big_endian: bool,
    },
    /// Three 10-bit fractions in a u32, with an optional integer w in the top two bits.
    Snorm10 {
        /// Whether w is used, as a sign.
        has_sign: bool,
    },
    /// UTF-8 up to the first zero, in a field of this many bytes if the size is fixed.
    Text(Option<u16>),
}

impl Layout {
    /// Text of any length.
    pub const TEXT: Self = Self::Text(None);

    /// Text in a field of `num_bytes`.
    #[must_use]
    pub const fn chars(num_bytes: u16) -> Self {
        Self::Text(Some(num_bytes))
    }

    /// Size of the field in bytes; 0 if it extends to the end of the record.
    pub const fn num_bytes(self) -> u16 {
        match self {
            Self::Numbers { scalar, count, .. } => {
                let num_bytes = scalar.num_bytes() * count as usize;
                #[expect(clippy::cast_possible_truncation, reason = "checked before")]
                if num_bytes <= u16::MAX as usize { num_bytes as u16 } else { 0 }
            }
            Self::Snorm10 { .. } => 4,
            Self::Text(Some(num_bytes)) => num_bytes,
            Self::Text(None) => 0,
        }
    }

    /// The same layout with the given byte order.
    #[must_use]
    pub const fn big_endian(self, is_big_endian: bool) -> Self {
        match self {
            Self::Numbers { scalar, count, .. } => Self::Numbers { scalar, count, is_big_endian },
            other => other,
        }
    }
}

impl Scalar {
    /// A field with one number of this type.
    pub const fn one(self) -> Layout {
        self.times(1)
    }

    /// A field with `count` numbers of this type.
    pub const fn times(self, count: u16) -> Layout {
        Layout::Numbers { scalar: self, count, is_big_endian: false }
    }
}

impl std::fmt::Display for Layout {
    /// Short form, such as `f32x3`, `be u16`, `snorm10x3 + sign2`, `char[16]` or `text`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Numbers { scalar, count, is_big_endian } => {
                let order = if *is_big_endian { "be " } else { "" };
                match count {
                    1 => write!(f, "{order}{}", scalar.word()),
                    count => write!(f, "{order}{}x{count}", scalar.word()),
                }
            }
            Self::Snorm10 { has_sign: false } => f.write_str("snorm10x3"),
            Self::Snorm10 { has_sign: true } => f.write_str("snorm10x3 + sign2"),
            Self::Text(Some(num_bytes)) => write!(f, "char[{num_bytes}]"),
            Self::Text(None) => f.write_str("text"),
        }
    }
}
