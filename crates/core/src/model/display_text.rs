//! Makes text from files safe to display: without terminal control sequences, text direction
//! changes and invisible characters, and of limited length.
//!
//! For: code that prints or lays out names and messages. Text that is copied, compared or
//! written (also in JSON) isn't changed.

use std::borrow::Cow;

/// Longest displayed name, more than fits into any column.
pub const MAX_NAME_CHARS: usize = 120;

/// Whether a character is invisible but has an effect: control characters, bidirectional
/// formatting, line and paragraph separators, and characters without width.
///
/// Joiners and variation selectors (U+200C, U+200D, U+FE0x) aren't included: Persian and emoji need
/// them.
///
/// Source: Unicode 16, UnicodeData.txt (Cc, Zl, Zp), PropList.txt (`Bidi_Control`) and
/// DerivedCoreProperties.txt (`Default_Ignorable_Code_Point`).
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// `text` with invisible characters escaped, as `\u{202e}` or `\n`.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_invisible(c) { out.extend(escape(c)) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// The escape sequence of an invisible character.
pub fn escape(c: char) -> impl Iterator<Item = char> {
    let short = matches!(c, '\n' | '\r' | '\t');
    let (short, long) =
        if short { (Some(c.escape_default()), None) } else { (None, Some(c.escape_unicode())) };
    short.into_iter().flatten().chain(long.into_iter().flatten())
}

/// [`escaped`] text of at most `max_chars` characters; an ellipsis marks omitted text.
#[must_use]
pub fn shortened(text: &str, max_chars: usize) -> Cow<'_, str> {
    // The length in bytes is known at once and never below the number of characters.
    if text.len() <= max_chars {
        return escaped(text);
    }
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => {
            let mut out = escaped(text.get(..end).unwrap_or_default()).into_owned();
            out.push('…');
            Cow::Owned(out)
        }
        None => escaped(text),
    }
}

/// A name as displayed in lists, tables and sentences.
pub fn name(text: &str) -> Cow<'_, str> {
    shortened(text, MAX_NAME_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_invisible_characters_are_escaped() {
        assert_eq!(escaped("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(escaped("exe\u{202e}gnp"), "exe\\u{202e}gnp");
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
            assert_eq!(escaped(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        for text in ["Haar – ö", "名前", "👩‍💻", "نمی‌خواهم", "❤\u{fe0f}", "a b"]
        {
            assert!(matches!(escaped(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
        assert_eq!(shortened("a\nb", 2), "a\\n…");
        let endless = "x".repeat(5 << 20);
        assert_eq!(name(&endless).chars().count(), MAX_NAME_CHARS + 1);
    }
}
