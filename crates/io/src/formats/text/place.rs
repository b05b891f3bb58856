//! Lines and columns of a text, and the corresponding bytes of the file.

use std::ops::Range;

use super::encoding::{is_utf16, mark_len, plain};
use rigscope_core::model::{Place, as_u32};

/// The line and column, both from 1, of the character at offset `at` of `text`.
#[must_use]
pub fn line_and_column(text: &[u8], at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line_end = before.iter().rposition(|&byte| byte == b'\n');
    let line = before.get(line_end.map_or(0, |end| end + 1)..);
    let num_lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let number = |num: usize| as_u32(num).saturating_add(1);
    Place::Line {
        line: number(num_lines),
        column: Some(number(num_chars(line.unwrap_or_default()))),
    }
}

/// Number of characters in part of a line; without valid UTF-8, every byte counts as one.
fn num_chars(part: &[u8]) -> usize {
    match std::str::from_utf8(part) {
        Ok(part) => part.chars().count(),
        Err(_) => part.len(),
    }
}

/// The byte range in `file` of a line, counted from 1, without its line end. With a column, the
/// range of the word there. Past the last line, the end of the file.
#[must_use]
pub fn line_bytes(file: &[u8], line: u32, column: Option<u32>) -> Option<Range<u64>> {
    let text = plain(file);
    let before = usize::try_from(line).ok()?.checked_sub(1)?;
    let mut line_ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let mut start = match before.checked_sub(1) {
        None => 0,
        Some(at) => line_ends.nth(at).map_or(text.len(), |(end, _)| end + 1),
    };
    let rest = text.get(start..)?;
    let len = rest.iter().position(|&byte| byte == b'\n');
    let line = rest.get(..len.unwrap_or(rest.len()))?.trim_ascii_end();
    let mut end = start + line.len();
    if let Some(column) = column {
        let skipped = bytes_before_column(line, column);
        let word = line.get(skipped..).unwrap_or_default();
        let len = word.iter().position(u8::is_ascii_whitespace);
        start += skipped;
        end = start + len.unwrap_or(word.len());
    }
    Some(in_file(file, &text, start)..in_file(file, &text, end))
}

/// Bytes of a line before a column, which is counted in characters.
fn bytes_before_column(line: &[u8], column: u32) -> usize {
    let num = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
    match std::str::from_utf8(line) {
        Ok(line) => line.char_indices().nth(num).map_or(line.len(), |(at, _)| at),
        Err(_) => num.min(line.len()),
    }
}

/// Offset in `file` of a byte of its plain text.
fn in_file(file: &[u8], text: &[u8], at: usize) -> u64 {
    let before = text.get(..at).unwrap_or(text);
    let len = if is_utf16(file) {
        2 * String::from_utf8_lossy(before).encode_utf16().count()
    } else {
        before.len()
    };
    (mark_len(file) + len) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_number() {
        let file = b"one\r\n\ntwo  \nend";
        let found = |line| line_bytes(file, line, None);
        assert_eq!(found(1), Some(0..3));
        assert_eq!(found(2), Some(5..5));
        assert_eq!(found(3), Some(6..9));
        assert_eq!(found(4), Some(12..15));
        assert_eq!(found(5), Some(15..15));
        assert_eq!(found(0), None);
    }

    #[test]
    fn a_word_is_found_by_its_column_in_every_encoding() {
        let text = "o Na\u{ef}ve\rv 1 two 3\r";
        let found = |file: &[u8]| {
            let range = line_bytes(file, 2, Some(5)).unwrap();
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            file[range].to_vec()
        };
        assert_eq!(found(text.as_bytes()), b"two");
        assert_eq!(found(b"\xef\xbb\xbfo\rv 1 two 3"), b"two");
        let marked = format!("\u{feff}{text}");
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(found(&wide), b"t\0w\0o\0");
        assert_eq!(line_bytes(text.as_bytes(), 2, Some(99)), Some(18..18));
    }

    #[test]
    fn a_place_is_counted_in_characters_from_1() {
        let text = "a\nna\u{ef}ve x\n";
        let at = |at| line_and_column(text.as_bytes(), at).to_string();
        assert_eq!(at(0), "line 1, column 1");
        assert_eq!(at(9), "line 2, column 7");
        assert_eq!(at(text.len()), "line 3, column 1");
        assert_eq!(at(1000), "line 3, column 1");
    }
}
