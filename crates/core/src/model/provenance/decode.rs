//! Decodes the bytes of a field to text.

use super::{Field, Layout, Number};
use crate::model::unpack_snorm1010102;

/// Longer text is truncated.
const MAX_CHARS: usize = 120;

/// A field's value as text, with numbers separated by spaces. If the bytes are truncated, only the
/// complete numbers are included.
#[must_use]
pub fn decode(field: &Field, bytes: &[u8]) -> String {
    match field.layout {
        Layout::Text(_) => text(bytes),
        Layout::Snorm10 { has_sign } => {
            let word = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
            word.map_or_else(String::new, |word| snorm10(word, has_sign))
        }
        Layout::Numbers { scalar, count, is_big_endian } => {
            let numbers = bytes.chunks_exact(scalar.num_bytes()).take(count.into());
            let texts = numbers.filter_map(|bytes| {
                if is_big_endian { scalar.number_be(bytes) } else { scalar.number(bytes) }
            });
            let texts: Vec<String> = texts.map(|number| number.to_string()).collect();
            texts.join(" ")
        }
    }
}

fn snorm10(word: u32, has_sign: bool) -> String {
    let value = unpack_snorm1010102(word);
    let xyz = value.truncate().to_array();
    let xyz = xyz.map(|part| Number::Fraction(part).to_string()).join(" ");
    if has_sign { format!("{xyz} {}", value.w) } else { xyz }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Scalar, pack_snorm1010102};

    fn decoded(layout: Layout, bytes: &[u8]) -> String {
        decode(&Field::new("field", 0, layout), bytes)
    }

    #[test]
    fn numbers_of_every_layout_are_decoded() {
        let floats: Vec<u8> = [0.5f32, -2.0, 1e-7].iter().flat_map(|f| f.to_le_bytes()).collect();
        assert_eq!(decoded(Scalar::F32.times(3), &floats), "0.5 -2 0.0000001");
        assert_eq!(decoded(Scalar::F32.times(3), &floats[..7]), "0.5", "cut off");
        assert_eq!(decoded(Scalar::U16.times(2), &[1, 0, 0xff, 0xff]), "1 65535");
        assert_eq!(decoded(Scalar::U16.times(2).big_endian(true), &[0, 1, 1, 0]), "1 256");
        assert_eq!(decoded(Scalar::F32.one().big_endian(true), &1.5f32.to_be_bytes()), "1.5");
        assert_eq!(decoded(Scalar::U8.times(4), &[1, 2, 3, 4]), "1 2 3 4");
        assert_eq!(decoded(Scalar::I8.one(), &[0xfe]), "-2");
        assert_eq!(decoded(Scalar::I16.one(), &[0xfe, 0xff]), "-2");
        assert_eq!(decoded(Scalar::I32.times(2), &[255, 255, 255, 255, 7, 0, 0, 0]), "-1 7");
        assert_eq!(decoded(Scalar::U64.one(), &u64::MAX.to_le_bytes()), "18446744073709551615");
        assert_eq!(decoded(Scalar::F16.times(2), &[0, 0x3c, 0, 0xc0]), "1 -2");
        assert_eq!(decoded(Scalar::F64.one(), &0.1f64.to_le_bytes()), "0.1");
        assert_eq!(decoded(Scalar::Unorm8.times(4), &[255, 0, 51, 1]), "1 0 0.2 0.00392");
        assert_eq!(decoded(Scalar::Snorm8.times(2), &[0x80, 127]), "-1 1");
        assert_eq!(decoded(Scalar::Unorm16.times(2), &[255, 255, 0, 0]), "1 0");
        assert_eq!(decoded(Scalar::Snorm16.one(), &[1, 0x80]), "-1");
    }

    #[test]
    fn packed_directions_and_texts_are_decoded() {
        let word = pack_snorm1010102(glam::Vec3::new(1.0, 0.0, -1.0), -1).to_le_bytes();
        assert_eq!(decoded(Layout::Snorm10 { has_sign: false }, &word), "1 0 -1");
        assert_eq!(decoded(Layout::Snorm10 { has_sign: true }, &word), "1 0 -1 -1");
        assert_eq!(decoded(Layout::chars(8), b"glTF\0\0\0\0"), "glTF");
        assert_eq!(decoded(Layout::TEXT, "Kn\u{f6}chel\r\n".as_bytes()), "Kn\u{f6}chel");
        assert_eq!(decoded(Layout::TEXT, &[b'a'; 500]).chars().count(), MAX_CHARS + 1);
    }

    #[test]
    fn only_complete_numbers_are_decoded() {
        for scalar in Scalar::ALL {
            let bytes = vec![0; scalar.num_bytes() * 3];
            for is_big_endian in [false, true] {
                let layout = scalar.times(3).big_endian(is_big_endian);
                assert_eq!(decoded(layout, &bytes), "0 0 0", "{layout}");
                assert_eq!(decoded(layout, &bytes[1..]), "0 0", "{layout}");
            }
        }
    }

    #[test]
    fn layouts_have_short_names() {
        for (layout, spelled) in [
            (Scalar::F32.one(), "f32"),
            (Scalar::Unorm8.times(4), "unorm8x4"),
            (Scalar::U16.times(2).big_endian(true), "be u16x2"),
            (Layout::Snorm10 { has_sign: true }, "snorm10x3 + sign2"),
            (Layout::chars(16), "char[16]"),
            (Layout::TEXT.big_endian(true), "text"),
        ] {
            assert_eq!(layout.to_string(), spelled);
        }
    }
}
