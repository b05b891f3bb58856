//! Text from files as it can be shown: nothing in it steers a terminal, changes the order in which it
//! is read, or cannot be seen, and none of it is endless.
//!
//! For: everything that prints or lays out names and messages. The text itself stays as it is: it is
//! what is copied, compared and written, in JSON too.

use std::borrow::Cow;

/// A name is shown so far: more than fits into any column.
pub const MAX_NAME_CHARS: usize = 120;

/// Whether a character is not seen but does something: controls, marks that turn the direction of
/// text, line and paragraph separators, and what has no width at all.
///
/// Joiners and variation selectors (U+200C, U+200D, U+FE0x) are not among them: Persian and emoji need
/// them.
///
/// Source: Unicode 16, UnicodeData.txt (Cc, Zl, Zp), PropList.txt (`Bidi_Control`) and
/// DerivedCoreProperties.txt (`Default_Ignorable_Code_Point`).
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// `text` with what is unseen spelled out, as `\u{202e}` or `\n`.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unseen(c) {
            true => out.extend(spelled(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The characters that stand for one that is unseen.
pub fn spelled(c: char) -> impl Iterator<Item = char> {
    let short = matches!(c, '\n' | '\r' | '\t');
    let (short, long) = match short {
        true => (Some(c.escape_default()), None),
        false => (None, Some(c.escape_unicode())),
    };
    short.into_iter().flatten().chain(long.into_iter().flatten())
}

/// The same, and at most `max_chars` characters of `text`; an ellipsis stands for what is left out.
#[must_use]
pub fn short(text: &str, max_chars: usize) -> Cow<'_, str> {
    // Bytes are never fewer than characters, and known at once.
    if text.len() <= max_chars {
        return plain(text);
    }
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => {
            let mut out = plain(text.get(..end).unwrap_or_default()).into_owned();
            out.push('…');
            Cow::Owned(out)
        }
        None => plain(text),
    }
}

/// A name as it is shown in lists, tables and sentences.
pub fn name(text: &str) -> Cow<'_, str> {
    short(text, MAX_NAME_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unseen_is_spelled_out_and_all_else_stays() {
        assert_eq!(plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(plain("exe\u{202e}gnp"), "exe\\u{202e}gnp");
        for c in [
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{200b}',
            '\u{2028}',
            '\u{2066}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert_eq!(plain(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        for text in ["Haar – ö", "名前", "👩‍💻", "نمی‌خواهم", "❤\u{fe0f}", "a b"]
        {
            assert!(matches!(plain(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(short("äöü", 3), "äöü");
        assert_eq!(short("äöüß", 3), "äöü…");
        assert_eq!(short("a\nb", 2), "a\\n…");
        let endless = "x".repeat(5 << 20);
        assert_eq!(name(&endless).chars().count(), MAX_NAME_CHARS + 1);
    }
}
