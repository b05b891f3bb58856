//! Text layers: how deeply blocks are nested.

use super::Fault;

/// The most brackets inside of one another; the library parses them by recursion.
const MAX_DEPTH: usize = 160;

/// Checks a text layer.
pub(super) fn check(bytes: &[u8]) -> Result<(), Fault> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        at += match byte {
            b'#' => until(rest, b"\n", false),
            b'"' | b'\'' if rest.starts_with(&[byte; 3]) => 3 + end(rest, &[byte; 3], 3),
            b'"' | b'\'' => 1 + end(rest, &[byte], 1),
            b'@' if rest.starts_with(b"@@@") => {
                3 + until(rest.get(3..).unwrap_or_default(), b"@@@", false)
            }
            b'@' => 1 + until(rest.get(1..).unwrap_or_default(), b"@", false),
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let what = format!("more than {MAX_DEPTH} blocks are nested");
                    return Err(Fault { offset: Some(at as u64), field: "text", what });
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

/// The length of a string's content with its closing quotes.
fn end(text: &[u8], quotes: &[u8], first: usize) -> usize {
    until(text.get(first..).unwrap_or_default(), quotes, true)
}

/// The length up to and including `mark`, before which a backslash may hide it.
fn until(text: &[u8], mark: &[u8], has_escapes: bool) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if has_escapes && byte == b'\\' {
            at += 2;
        } else if text.get(at..).is_some_and(|rest| rest.starts_with(mark)) {
            return at + mark.len();
        } else {
            at += 1;
        }
    }
    text.len()
}
