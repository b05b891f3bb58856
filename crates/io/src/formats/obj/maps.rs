//! The statements of a material library that refer to images: options followed by a path up to the end of the
//! line.
//!
//! A path may contain spaces, so that the number of arguments of each option has to be known.
//!
//! Source: Wavefront, "MTL material format" (Lightwave, OBJ file format, version 4.2).

use super::statements::Statement;
use crate::formats::text::is_plain_number;

/// Options with their maximum number of numbers; the format allows omitting the last ones.
const NUMBERS: [(&[u8], usize); 3] = [(b"-o", 3), (b"-s", 3), (b"-t", 3)];
/// An option with exactly two arguments; all others have one.
const TWO_WORDS: &[u8] = b"-mm";

/// The use of the image in a statement with this first word: `Kd` in `map_Kd`; `None` for other statements.
pub(super) fn texture_use(word: &[u8]) -> Option<&[u8]> {
    let mapped = word.strip_prefix(b"map_").filter(|mapped| !mapped.is_empty());
    mapped.or_else(|| matches!(word, b"bump" | b"disp" | b"norm").then_some(word))
}

/// The path in a statement with arguments, without quotes.
pub(super) fn path(statement: &Statement, text: &[u8]) -> String {
    let mut path = Vec::new();
    let mut last_end = None;
    for range in statement.words.iter().skip(path_at(statement, text)) {
        // As many spaces as in the file; a line continuation counts as one.
        if let Some(between) = last_end.and_then(|end| text.get(end..range.start)) {
            let num = if between.iter().all(|&byte| byte == b' ') { between.len() } else { 1 };
            path.extend(std::iter::repeat_n(b' ', num));
        }
        path.extend_from_slice(text.get(range.clone()).unwrap_or_default());
        last_end = Some(range.end);
    }
    let path = String::from_utf8_lossy(&path).into_owned();
    let inner = path.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
    inner.map(str::to_owned).unwrap_or(path)
}

/// Index of the word at which the path begins; there always is one.
fn path_at(statement: &Statement, text: &[u8]) -> usize {
    let last = statement.words.len().saturating_sub(1);
    let mut at = 1;
    while at < last {
        let option = statement.word(text, at).unwrap_or_default();
        if !is_option(option) {
            break;
        }
        at += 1;
        let is_number = |at: &usize| statement.word(text, *at).is_some_and(is_plain_number);
        at += match NUMBERS.iter().find(|(name, _)| *name == option) {
            Some((_, most)) => (at..at + most).take_while(is_number).count(),
            None if option == TWO_WORDS => 2,
            None => 1,
        };
    }
    at.min(last)
}

/// A word like `-clamp`. File names contain a dot or match no option.
fn is_option(word: &[u8]) -> bool {
    let name = word.strip_prefix(b"-").unwrap_or_default();
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::super::statements::Statements;
    use super::*;

    fn path_of(text: &str) -> String {
        let (mut statements, mut statement) =
            (Statements::of(text.as_bytes()), Statement::default());
        assert!(statements.next(&mut statement, |_| true));
        path(&statement, text.as_bytes())
    }

    #[test]
    fn the_texture_path_follows_the_options() {
        for (text, expected) in [
            ("map_Kd a.png", "a.png"),
            ("map_Kd a  b c.png # x", "a  b c.png"),
            ("map_Kd \"a b.png\"", "a b.png"),
            ("map_Kd -s 1 1 1 a b.png", "a b.png"),
            ("map_Kd -o 1 -s 2 2 a b.png", "a b.png"),
            ("map_Kd -s 1 1 1 2 b.png", "2 b.png"),
            ("norm -mm 0 1 -clamp on a b.png", "a b.png"),
            ("bump -bm 0.5 a \\\n b.png", "a b.png"),
            ("map_Kd -x.png b.png", "-x.png b.png"),
            ("map_Kd -s 1 1 1", "1"),
            ("map_Kd -clamp", "-clamp"),
            ("map_Kd -clamp on", "on"),
        ] {
            assert_eq!(path_of(text), expected, "{text}");
        }
        assert_eq!(texture_use(b"map_Kd"), Some(b"Kd".as_slice()));
        assert_eq!(texture_use(b"norm"), Some(b"norm".as_slice()));
        assert!(texture_use(b"map_").is_none() && texture_use(b"Kd").is_none());
    }
}
