//! Types of fields.

use super::Scalar;

/// What the bytes of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// So many numbers, one behind the other.
    Numbers {
        /// Each of them.
        scalar: Scalar,
        /// How many.
        count: u16,
        /// The highest byte first.
        is_big_endian: bool,
    },
    /// Three fractions of 10 bits in a u32, and with w as it is in the last two.
    Snorm10 {
        /// Whether w is a sign.
        has_sign: bool,
    },
    /// UTF-8 up to the first zero, in so many bytes where that is fixed.
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

    /// Bytes of the field; 0 for all that is left of the record.
    pub const fn num_bytes(self) -> u16 {
        match self {
            Self::Numbers { scalar, count, .. } => {
                let num_bytes = scalar.num_bytes() * count as usize;
                #[expect(clippy::cast_possible_truncation, reason = "checked before")]
                match num_bytes <= u16::MAX as usize {
                    true => num_bytes as u16,
                    false => 0,
                }
            }
            Self::Snorm10 { .. } => 4,
            Self::Text(Some(num_bytes)) => num_bytes,
            Self::Text(None) => 0,
        }
    }

    /// The same numbers in that byte order.
    #[must_use]
    pub const fn big_endian(self, is_big_endian: bool) -> Self {
        match self {
            Self::Numbers { scalar, count, .. } => Self::Numbers { scalar, count, is_big_endian },
            other => other,
        }
    }
}

impl Scalar {
    /// One of it as a field's layout.
    pub const fn one(self) -> Layout {
        self.times(1)
    }

    /// So many of it as a field's layout.
    pub const fn times(self, count: u16) -> Layout {
        Layout::Numbers { scalar: self, count, is_big_endian: false }
    }
}

impl std::fmt::Display for Layout {
    /// As in `f32x3`, `be u16`, `snorm10x3 + sign2`, `char[16]` and `text`.
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
