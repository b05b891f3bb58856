//! The statements of a material library that refer to images: options followed by a path up to the end of the
//! line.
//!
//! A path may contain spaces, but ufbx treats all words except the last as arguments of the preceding option.
//! Therefore the options are parsed here according to the format, and the path is passed to ufbx as one word.
//!
//! Source: Wavefront, "MTL material format" (Lightwave, OBJ file format, version 4.2).

use super::statements::Statement;
use crate::formats::text::is_plain_number;
use rigscope_core::model::Model;

/// Replacement for spaces in a path. For ufbx it's part of a word, and it can't occur in a parsed path
/// because it separates words in files.
const BLANK: u8 = 0x0b;
/// Options with their maximum number of numbers; the format allows omitting the last ones.
const NUMBERS: [(&[u8], usize); 3] = [(b"-o", 3), (b"-s", 3), (b"-t", 3)];
/// An option with exactly two arguments; all others have one.
const TWO_WORDS: &[u8] = b"-mm";

/// Whether a statement with this first word refers to an image.
pub(super) fn is_map(word: &[u8]) -> bool {
    let is_map = word.strip_prefix(b"map_").is_some_and(|use_| !use_.is_empty());
    is_map || matches!(word, b"bump" | b"disp" | b"norm")
}

/// Writes a statement that refers to an image in a form that ufbx reads correctly.
pub(super) fn respelled(statement: &Statement, text: &[u8], out: &mut Vec<u8>) {
    let path_at = path_at(statement, text);
    let mut last_end = None;
    for (number, range) in statement.words.iter().enumerate() {
        let word = text.get(range.clone()).unwrap_or_default();
        if number > path_at {
            // As many spaces as in the file; a line continuation counts as one.
            let between = last_end.and_then(|end| text.get(end..range.start));
            let between = between.unwrap_or_default();
            let num = if between.iter().all(|&byte| byte == b' ') { between.len() } else { 1 };
            out.extend(std::iter::repeat_n(BLANK, num));
        } else if number > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(word);
        last_end = Some(range.end);
    }
    out.push(b'\n');
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

/// Restores spaces in the paths of a model, and removes quotes.
pub(super) fn restore_paths(model: &mut Model) {
    let textures = model.materials.iter_mut().flat_map(|m| &mut m.textures);
    for texture in textures {
        let path = texture.path.replace(char::from(BLANK), " ");
        let inner = path.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
        texture.path = inner.unwrap_or(&path).into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::Statements;
    use super::*;

    fn respelled_text(text: &str) -> String {
        let (mut statements, mut statement) =
            (Statements::of(text.as_bytes()), Statement::default());
        assert!(statements.next(&mut statement, |_| true));
        let mut out = Vec::new();
        respelled(&statement, text.as_bytes(), &mut out);
        String::from_utf8(out).unwrap().replace('\u{b}', "~")
    }

    #[test]
    fn the_path_is_one_word_behind_the_options() {
        for (text, expected) in [
            ("map_Kd a.png", "map_Kd a.png\n"),
            ("map_Kd a  b c.png # x", "map_Kd a~~b~c.png\n"),
            ("map_Kd -s 1 1 1 a b.png", "map_Kd -s 1 1 1 a~b.png\n"),
            ("map_Kd -o 1 -s 2 2 a b.png", "map_Kd -o 1 -s 2 2 a~b.png\n"),
            ("map_Kd -s 1 1 1 2 b.png", "map_Kd -s 1 1 1 2~b.png\n"),
            ("norm -mm 0 1 -clamp on a b.png", "norm -mm 0 1 -clamp on a~b.png\n"),
            ("bump -bm 0.5 a \\\n b.png", "bump -bm 0.5 a~b.png\n"),
            ("map_Kd -x.png b.png", "map_Kd -x.png~b.png\n"),
            ("map_Kd -s 1 1 1", "map_Kd -s 1 1 1\n"),
            ("map_Kd -clamp", "map_Kd -clamp\n"),
            ("map_Kd -clamp on", "map_Kd -clamp on\n"),
            ("map_Kd", "map_Kd\n"),
        ] {
            assert_eq!(respelled_text(text), expected, "{text}");
        }
        assert!(is_map(b"map_Kd") && is_map(b"norm") && !is_map(b"map_") && !is_map(b"Kd"));
    }
}
