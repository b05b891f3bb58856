//! Text layers: how deeply blocks are nested, and escapes in strings.

use super::Fault;

/// The most brackets inside of one another; the library parses them by recursion.
const MAX_DEPTH: usize = 160;
/// The most escapes and quotes inside of a string; its lexer needs stack memory for each.
const MAX_ESCAPES: usize = 4096;

/// Checks a text layer.
pub(super) fn check(bytes: &[u8]) -> Result<(), Fault> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let fault = |what| Fault { offset: Some(at as u64), field: "text", what };
        at += match byte {
            b'#' => past(rest, 1, b"\n"),
            b'"' | b'\'' => {
                let is_long = rest.starts_with(&[byte; 3]);
                let quotes: &[u8] = if is_long { &[byte; 3] } else { &[byte] };
                string(rest, quotes).ok_or_else(|| {
                    fault(format!("a string has more than {MAX_ESCAPES} escapes or quotes"))
                })?
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
