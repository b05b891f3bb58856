//! Types of fields, and what their bytes say as text.
//!
//! | layout | bytes |
//! |---|---|
//! | `u8` … `u64`, `i8` … `i32`, `f16`, `f32`, `f64` | one number, little-endian |
//! | `unorm8`, `unorm16`, `snorm8`, `snorm16` | a fraction of the largest integer |
//! | any of these and `x3` | three of them |
//! | `be ` before any of these | big-endian |
//! | `snorm10x3`, `snorm10x3 + sign2` | 10-10-10-2 in a u32, the last with w as it is |
//! | `char[16]`, `text` | UTF-8 up to the first zero |

use super::Field;
use crate::model::{half, unpack_snorm1010102};

/// Text longer than this is cut off.
const MAX_CHARS: usize = 120;

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

macro_rules! scalars {
    ($($scalar:ident $word:literal $bytes:literal)+) => {
        /// All of them with word and bytes, longer words before those that they begin with.
        const SCALARS: &[(Scalar, &str, usize)] = &[$((Scalar::$scalar, $word, $bytes)),+];

        impl Scalar {
            /// `count` of it as a field's layout; `None` for counts that no format stores.
            #[must_use]
            pub const fn layout(self, count: usize) -> Option<&'static str> {
                match self {
                    $(Self::$scalar => Some(match count {
                        1 => $word,
                        2 => concat!($word, "x2"),
                        3 => concat!($word, "x3"),
                        4 => concat!($word, "x4"),
                        6 => concat!($word, "x6"),
                        9 => concat!($word, "x9"),
                        5 => concat!($word, "x5"),
                        7 => concat!($word, "x7"),
                        8 => concat!($word, "x8"),
                        10 => concat!($word, "x10"),
                        12 => concat!($word, "x12"),
                        16 => concat!($word, "x16"),
                        _ => return None,
                    }),)+
                }
            }

            /// The same, big-endian.
            #[must_use]
            pub const fn layout_be(self, count: usize) -> Option<&'static str> {
                match self {
                    $(Self::$scalar => Some(match count {
                        1 => concat!("be ", $word),
                        2 => concat!("be ", $word, "x2"),
                        3 => concat!("be ", $word, "x3"),
                        4 => concat!("be ", $word, "x4"),
                        5 => concat!("be ", $word, "x5"),
                        6 => concat!("be ", $word, "x6"),
                        7 => concat!("be ", $word, "x7"),
                        8 => concat!("be ", $word, "x8"),
                        12 => concat!("be ", $word, "x12"),
                        16 => concat!("be ", $word, "x16"),
                        _ => return None,
                    }),)+
                }
            }

            /// Bytes of one.
            #[must_use]
            pub const fn num_bytes(self) -> usize {
                match self {
                    $(Self::$scalar => $bytes,)+
                }
            }
        }
    };
}

scalars! {
    U8 "u8" 1 I8 "i8" 1 U16 "u16" 2 I16 "i16" 2 U32 "u32" 4 I32 "i32" 4 U64 "u64" 8
    F16 "f16" 2 F32 "f32" 4 F64 "f64" 8
    Unorm8 "unorm8" 1 Snorm8 "snorm8" 1 Unorm16 "unorm16" 2 Snorm16 "snorm16" 2
}

impl Scalar {
    /// One number, of as many bytes as it has, little-endian.
    fn text(self, bytes: &[u8]) -> Option<String> {
        fn array<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
            bytes.first_chunk().copied()
        }
        let u8 = || Some(u8::from_le_bytes(array(bytes)?));
        let i8 = || Some(i8::from_le_bytes(array(bytes)?));
        let u16 = || Some(u16::from_le_bytes(array(bytes)?));
        let i16 = || Some(i16::from_le_bytes(array(bytes)?));
        Some(match self {
            Self::U8 => u8()?.to_string(),
            Self::I8 => i8()?.to_string(),
            Self::U16 => u16()?.to_string(),
            Self::I16 => i16()?.to_string(),
            Self::U32 => u32::from_le_bytes(array(bytes)?).to_string(),
            Self::I32 => i32::from_le_bytes(array(bytes)?).to_string(),
            Self::U64 => u64::from_le_bytes(array(bytes)?).to_string(),
            Self::F16 => half(u16()?).to_string(),
            Self::F32 => f32::from_le_bytes(array(bytes)?).to_string(),
            Self::F64 => f64::from_le_bytes(array(bytes)?).to_string(),
            Self::Unorm8 => fraction(f32::from(u8()?) / 255.0),
            Self::Snorm8 => fraction((f32::from(i8()?) / 127.0).max(-1.0)),
            Self::Unorm16 => fraction(f32::from(u16()?) / 65535.0),
            Self::Snorm16 => fraction((f32::from(i16()?) / 32767.0).max(-1.0)),
        })
    }
}

/// A fraction that is stored in steps.
fn fraction(value: f32) -> String {
    // The steps of 16 bits are 0.00002 apart.
    let text = format!("{value:.5}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

/// What a field's bytes say, as text; numbers are separated by blanks. Of bytes that are cut off,
/// what is whole. A layout that is none of those known gives bytes.
#[must_use]
pub fn decode(field: &Field, bytes: &[u8]) -> String {
    let layout = field.layout;
    if layout == "text" || layout.starts_with("char[") {
        return text(bytes);
    }
    if let Some(rest) = layout.strip_prefix("snorm10x3") {
        let words = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
        return words
            .map(|word| snorm10(word, !rest.is_empty()))
            .unwrap_or_default();
    }
    let (is_big_endian, layout) = match layout.strip_prefix("be ") {
        Some(rest) => (true, rest),
        None => (false, layout),
    };
    let (word, count) = layout.split_once('x').unwrap_or((layout, "1"));
    let known = SCALARS.iter().find(|(_, known, _)| *known == word);
    let (Some((scalar, _, num_bytes)), Ok(count)) = (known, count.parse::<usize>()) else {
        return hex(bytes);
    };
    let numbers = bytes.chunks_exact(*num_bytes).take(count);
    let texts: Vec<String> = numbers
        .filter_map(|number| match is_big_endian {
            true => scalar.text(&number.iter().rev().copied().collect::<Vec<u8>>()),
            false => scalar.text(number),
        })
        .collect();
    texts.join(" ")
}

fn snorm10(word: u32, has_sign: bool) -> String {
    let value = unpack_snorm1010102(word);
    let xyz = value.truncate().to_array().map(fraction).join(" ");
    match has_sign {
        true => format!("{xyz} {}", value.w),
        false => xyz,
    }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0);
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]);
    let text = text.trim_end_matches(['\r', '\n']);
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes
        .iter()
        .take(MAX_CHARS)
        .map(|b| format!("{b:02x}"))
        .collect();
    bytes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::pack_snorm1010102;

    fn said(layout: &'static str, bytes: &[u8]) -> String {
        decode(&Field::new("field", 0, 0, layout), bytes)
    }

    #[test]
    fn numbers_of_every_layout_are_spelled_out() {
        let floats: Vec<u8> = [0.5f32, -2.0, 1e-7]
            .iter()
            .flat_map(|f| f.to_le_bytes())
            .collect();
        assert_eq!(said("f32x3", &floats), "0.5 -2 0.0000001");
        assert_eq!(said("f32x3", &floats[..7]), "0.5", "cut off");
        assert_eq!(said("u16x2", &[1, 0, 0xff, 0xff]), "1 65535");
        assert_eq!(said("be u16x2", &[0, 1, 1, 0]), "1 256");
        assert_eq!(said("be f32", &1.5f32.to_be_bytes()), "1.5");
        assert_eq!(said("u8x4", &[1, 2, 3, 4]), "1 2 3 4");
        assert_eq!(said("i8", &[0xfe]), "-2");
        assert_eq!(said("i16", &[0xfe, 0xff]), "-2");
        assert_eq!(said("i32x2", &[255, 255, 255, 255, 7, 0, 0, 0]), "-1 7");
        assert_eq!(said("u64", &u64::MAX.to_le_bytes()), "18446744073709551615");
        assert_eq!(said("f16x2", &[0, 0x3c, 0, 0xc0]), "1 -2");
        assert_eq!(said("f64", &0.1f64.to_le_bytes()), "0.1");
        assert_eq!(said("unorm8x4", &[255, 0, 51, 1]), "1 0 0.2 0.00392");
        assert_eq!(said("snorm8x2", &[0x80, 127]), "-1 1");
        assert_eq!(said("unorm16x2", &[255, 255, 0, 0]), "1 0");
        assert_eq!(said("snorm16", &[1, 0x80]), "-1");
    }

    #[test]
    fn packed_directions_and_texts_are_spelled_out() {
        let word = pack_snorm1010102(glam::Vec3::new(1.0, 0.0, -1.0), -1).to_le_bytes();
        assert_eq!(said("snorm10x3", &word), "1 0 -1");
        assert_eq!(said("snorm10x3 + sign2", &word), "1 0 -1 -1");
        assert_eq!(said("char[8]", b"glTF\0\0\0\0"), "glTF");
        assert_eq!(said("text", "Kn\u{f6}chel\r\n".as_bytes()), "Kn\u{f6}chel");
        assert_eq!(said("text", &[b'a'; 500]).chars().count(), MAX_CHARS + 1);
        assert_eq!(said("?", &[0xab, 1]), "ab 01");
    }

    #[test]
    fn a_layout_is_as_long_as_its_numbers() {
        for (scalar, word, num_bytes) in SCALARS {
            assert_eq!(scalar.layout(1), Some(*word));
            assert_eq!(scalar.num_bytes(), *num_bytes);
            let bytes = vec![0; num_bytes * 3];
            for layout in [scalar.layout(3), scalar.layout_be(3)] {
                assert_eq!(said(layout.unwrap(), &bytes), "0 0 0", "{layout:?}");
            }
        }
        assert_eq!(Scalar::F32.layout(11), None);
    }
}
