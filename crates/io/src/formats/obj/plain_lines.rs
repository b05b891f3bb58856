//! Fast path for nearly all lines of a file: complete statements that are recognized by their first
//! characters.
//!
//! Not for: other lines, for which `None` is returned and `statements` is used.

/// Index of faces in the list of kinds.
const FACE: usize = 3;

/// A line that is one statement.
pub(super) enum Line<'a> {
    /// Index in the list of kinds, and the text after the keyword.
    Numbered(usize, &'a [u8]),
    /// Another statement.
    Other,
}

impl<'a> Line<'a> {
    /// Classifies a line without its line feed.
    pub(super) fn of(line: &'a [u8]) -> Option<Self> {
        Some(match line.strip_suffix(b"\r").unwrap_or(line) {
            // It may continue in the next line.
            [.., b'\\' | b'\r'] => return None,
            [b'v', b' ', rest @ ..] => Self::Numbered(0, rest),
            [b'v', b't', b' ', rest @ ..] => Self::Numbered(1, rest),
            [b'v', b'n', b' ', rest @ ..] => Self::Numbered(2, rest),
            [b'f', b' ', rest @ ..] => Self::Numbered(FACE, rest),
            [] | [b'#' | b'g' | b'o' | b's' | b'u', ..] => Self::Other,
            _ => return None,
        })
    }
}

pub(super) fn is_face(kind: usize) -> bool {
    kind == FACE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::obj::line_spans::KINDS;

    #[test]
    fn line_kinds_match_their_index_in_the_table() {
        for (at, (word, _)) in KINDS.iter().enumerate() {
            let line = [word, b" 1 2\r".as_slice()].concat();
            let Some(Line::Numbered(kind, b"1 2")) = Line::of(&line) else { panic!("{at}") };
            assert_eq!((kind, is_face(kind)), (at, *word == b"f"));
        }
    }

    #[test]
    fn continued_or_unusually_formatted_lines_are_not_plain_lines() {
        for line in ["v 1 2 3 \\", "v 1 2 3 \\\r", "# \\", "v\t1", " v 1", "v", "f", "vp 1", "v\\"]
        {
            assert!(Line::of(line.as_bytes()).is_none(), "{line:?}");
        }
    }
}
