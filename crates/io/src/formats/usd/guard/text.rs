//! Text layers: how deeply blocks are nested, escapes in strings, and paths.

use super::Fault;
use super::names::{is_name, is_path};

/// The most brackets inside of one another; the library parses them by recursion.
const MAX_DEPTH: usize = 160;
/// The most escapes and quotes inside of a string; its lexer needs stack memory for each.
const MAX_ESCAPES: usize = 4096;

/// Checks a text layer.
pub(super) fn check(bytes: &[u8]) -> Result<(), Fault> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let fault = |what: String| Fault { offset: Some(at as u64), field: "text", what };
        let of_path = |what: &str| Fault { field: "path", ..fault(what.to_owned()) };
        at += match byte {
            b'#' => past(rest, 1, b"\n"),
            b'"' | b'\'' => {
                let is_long = rest.starts_with(&[byte; 3]);
                let quotes: &[u8] = if is_long { &[byte; 3] } else { &[byte] };
                string(rest, quotes).ok_or_else(|| {
                    fault(format!("a string has more than {MAX_ESCAPES} escapes or quotes"))
                })?
            }
            b'<' => {
                let length = past(rest, 1, b">");
                let path = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
                if !is_path(path) {
                    return Err(of_path("a path is nested too deeply or has an unmatched brace"));
                }
                length
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let length = word(rest);
                let after = rest.get(length..).unwrap_or_default();
                if name_after(rest.get(..length).unwrap_or_default(), after)
                    .is_some_and(|name| !is_name(name))
                {
                    return Err(of_path("the name of a prim contains a brace"));
                }
                length
            }
            b'@' if rest.starts_with(b"@@@") => past(rest, 3, b"@@@"),
            b'@' => past(rest, 1, b"@"),
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(fault(format!("more than {MAX_DEPTH} blocks are nested")));
                }
                1
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => 1,
        };
    }
    Ok(())
}

/// The length of the identifier at the start.
fn word(text: &[u8]) -> usize {
    let is_other = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'));
    text.iter().position(is_other).unwrap_or(text.len())
}

/// The name of a prim that a keyword introduces, if it is one; `after` is the text behind the keyword.
fn name_after<'a>(keyword: &[u8], after: &'a [u8]) -> Option<&'a [u8]> {
    let mut rest = after.trim_ascii_start();
    match keyword {
        // The type is optional.
        b"def" | b"over" | b"class" => {
            rest = rest.get(word(rest)..)?.trim_ascii_start();
        }
        b"defaultPrim" => rest = rest.strip_prefix(b"=")?.trim_ascii_start(),
        _ => return None,
    }
    let quote = *rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let length = string(rest, &[quote])?;
    rest.get(1..length.saturating_sub(1))
}

/// The length of a string with its quotes; `None` if it has too many escapes or quotes inside.
fn string(text: &[u8], quotes: &[u8]) -> Option<usize> {
    let (mut at, mut num) = (quotes.len(), 0);
    while let Some(&byte) = text.get(at) {
        if text.get(at..).is_some_and(|rest| rest.starts_with(quotes)) {
            return Some(at + quotes.len());
        }
        num += usize::from(byte == b'\\' || quotes.contains(&byte));
        if num > MAX_ESCAPES {
            return None;
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    Some(text.len())
}

/// The length up to and including `mark`, which isn't before `first`.
fn past(text: &[u8], first: usize, mark: &[u8]) -> usize {
    let rest = text.get(first..).unwrap_or_default();
    let found = rest.windows(mark.len()).position(|own| own == mark);
    found.map_or(text.len(), |found| first + found + mark.len())
}
