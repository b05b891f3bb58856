//! Decodes bytes to characters, for all text formats.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The byte order mark of UTF-8, which is optional.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
/// The byte order marks of UTF-16.
const UTF16_MARKS: [(&[u8], &Encoding); 2] = [(b"\xff\xfe", UTF_16LE), (b"\xfe\xff", UTF_16BE)];

/// Decodes a text file: as its byte order mark specifies, otherwise as UTF-8 if it is valid,
/// otherwise as Windows-1252, which maps every byte to a character. The result has no byte order
/// mark, and every line ends in LF or CR LF.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    characters(plain(bytes), |bytes| std::str::from_utf8(bytes).is_ok())
}

/// Like [`decode`], for formats whose text is Windows-1252 unless it has a byte order mark.
#[must_use]
pub fn windows_1252_text(bytes: &[u8]) -> Cow<'_, str> {
    let is_marked = mark_len(bytes) > 0;
    characters(plain(bytes), |bytes| is_marked && std::str::from_utf8(bytes).is_ok())
}

/// Decodes every byte as Windows-1252.
#[must_use]
pub fn windows_1252(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

/// The text without byte order mark, with lines that end in LF or CR LF, in an encoding that is a
/// superset of ASCII: UTF-16 becomes UTF-8, everything else stays unchanged.
#[must_use]
pub fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = bytes.get(mark_len(bytes)..).unwrap_or_default();
    let text = match utf16(bytes) {
        Some(encoding) => {
            let (text, _) = encoding.decode_without_bom_handling(text);
            Cow::Owned(text.into_owned().into_bytes())
        }
        None => Cow::Borrowed(text),
    };
    with_line_feeds(text)
}

/// Whether a text starts with the byte order mark of UTF-16.
pub fn is_utf16(bytes: &[u8]) -> bool {
    utf16(bytes).is_some()
}

/// The encoding of a text with a byte order mark of UTF-16.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut marks = UTF16_MARKS.into_iter();
    marks.find_map(|(mark, encoding)| bytes.starts_with(mark).then_some(encoding))
}

/// Length of a text's byte order mark in bytes.
#[must_use]
pub fn mark_len(bytes: &[u8]) -> usize {
    match utf16(bytes) {
        Some(_) => 2,
        None if bytes.starts_with(UTF8_MARK) => UTF8_MARK.len(),
        None => 0,
    }
}

fn characters(text: Cow<'_, [u8]>, is_utf8: impl Fn(&[u8]) -> bool) -> Cow<'_, str> {
    if !is_utf8(&text) {
        return match text {
            Cow::Borrowed(bytes) => windows_1252(bytes),
            Cow::Owned(bytes) => Cow::Owned(windows_1252(&bytes).into_owned()),
        };
    }
    match text {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Replaces each CR that ends a line without LF by LF.
///
/// Any number of CRs before an LF form one line end: files from a bad transfer have CR CR LF.
fn with_line_feeds(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !text.contains(&b'\r') {
        return text;
    }
    // The end of a text also ends its last line.
    let mut is_before_end = true;
    let is_lone = |&byte: &u8| {
        is_before_end = byte == b'\n' || (byte == b'\r' && is_before_end);
        byte == b'\r' && !is_before_end
    };
    if !text.iter().rev().any(is_lone) {
        return text;
    }
    let mut text = text.into_owned();
    let mut is_before_end = true;
    for byte in text.iter_mut().rev() {
        is_before_end = *byte == b'\n' || (*byte == b'\r' && is_before_end);
        if *byte == b'\r' && !is_before_end {
            *byte = b'\n';
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(to_bytes).collect()
    }

    #[test]
    fn bytes_that_are_not_utf8_are_windows_1252() {
        assert_eq!(decode(b"\xef\xbb\xbfNa\xc3\xafve"), "Na\u{ef}ve");
        assert_eq!(decode(b"Na\xefve \x80"), "Na\u{ef}ve \u{20ac}");
        assert_eq!(windows_1252_text(b"Na\xc3\xafve"), "Na\u{c3}\u{af}ve");
        assert_eq!(windows_1252_text(b"\xef\xbb\xbfNa\xc3\xafve"), "Na\u{ef}ve");
    }

    #[test]
    fn utf16_is_recognized_by_its_byte_order_mark() {
        let text = "v 1 2 3\r\no na\u{ef}ve \u{1f980}\n";
        for bytes in [utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes)] {
            assert_eq!(decode(&bytes), text);
            assert_eq!(windows_1252_text(&bytes), text);
            assert_eq!(&*plain(&bytes), text.as_bytes());
            // Cut anywhere it is a text still.
            for end in 0..bytes.len() {
                let _ = decode(&bytes[..end]);
            }
        }
    }

    #[test]
    fn a_carriage_return_ends_a_line_unless_a_line_feed_follows() {
        assert_eq!(decode(b"a\rb\r\rc\r"), "a\nb\n\nc\r");
        assert_eq!(decode(b"a\rb\r\nc\r\r\nd\n\re"), "a\nb\r\nc\r\r\nd\n\ne");
        assert!(matches!(decode(b"a\r\nb\r\r\n\r"), Cow::Borrowed(_)));
        let all = utf16("a\rb", u16::to_le_bytes);
        assert_eq!(decode(&all), "a\nb");
    }
}
