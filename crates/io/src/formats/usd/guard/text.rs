//! Text layers: how deeply blocks are nested, escapes in strings, and paths.

use super::Fault;
use super::lexer::{Lexer, Token};
use super::names::{is_name, is_path};

/// The most brackets inside of one another; the library parses them by recursion.
const MAX_DEPTH: usize = 160;
/// The most escapes and quotes inside of a string; its lexer needs stack memory for each.
const MAX_ESCAPES: usize = 4096;

/// Whether the next string is the name of a prim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Nothing,
    /// The type of a prim, or its name.
    TypeOrName,
    /// The equals sign before the name.
    Equals,
    Name,
}

/// Checks a text layer.
pub(super) fn check(bytes: &[u8]) -> Result<(), Fault> {
    let mut lexer = Lexer::new(bytes);
    let (mut depth, mut expected) = (0usize, Expected::Nothing);
    while let Some((at, token)) = lexer.next() {
        let fault = |field, what: String| Fault { offset: Some(at as u64), field, what };
        let before = std::mem::replace(&mut expected, Expected::Nothing);
        match token {
            Token::Word(b"def" | b"over" | b"class") => expected = Expected::TypeOrName,
            Token::Word(b"defaultPrim") => expected = Expected::Equals,
            Token::Word(_) if before == Expected::TypeOrName => expected = Expected::Name,
            Token::Mark(b'=') if before == Expected::Equals => expected = Expected::Name,
            Token::String(name, _)
                if matches!(before, Expected::TypeOrName | Expected::Name) && !is_name(name) =>
            {
                let what = "the name of a prim contains a brace";
                return Err(fault("path", what.to_owned()));
            }
            Token::Path(path) if !is_path(path) => {
                let what = "a path is nested too deeply or has an unmatched brace";
                return Err(fault("path", what.to_owned()));
            }
            Token::Mark(b'(' | b'[' | b'{') => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let what = format!("more than {MAX_DEPTH} blocks are nested");
                    return Err(fault("text", what));
                }
            }
            Token::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Token::String(text, quote) = token {
            let is_special = |byte: &&u8| **byte == b'\\' || **byte == quote;
            if text.iter().filter(is_special).count() > MAX_ESCAPES {
                let what = format!("a string has more than {MAX_ESCAPES} escapes or quotes");
                return Err(fault("text", what));
            }
        }
    }
    Ok(())
}
