//! Walks the tokens of a text file to find the first misplaced one: the library reports an error
//! without its place.
//!
//! A file consists of nodes: a name with a colon, values separated by commas, and optionally nodes
//! in braces. `;` starts a comment, and strings are quoted.
//! Only locates errors; the values aren't read.

use super::FbxFault;
use crate::formats::text::{is_not_finite, line_and_column, shortened};
use crate::formats::ufbx_scene::MAX_NODE_DEPTH;

/// The first fault in a text, or its end if something is unclosed.
pub(super) fn first_fault(text: &[u8]) -> Option<FbxFault> {
    let mut walk = TokenWalker { text, at: 0, open: Vec::new(), previous: Token::Open };
    loop {
        match walk.step() {
            Ok(true) => {}
            Ok(false) => return walk.end(),
            Err(fault) => return Some(fault),
        }
    }
}

/// Type of a token, in the detail needed to check its successor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    /// A name with a colon.
    Name,
    Comma,
    Value,
}

struct TokenWalker<'a> {
    text: &'a [u8],
    at: usize,
    /// Offsets of the open braces.
    open: Vec<usize>,
    previous: Token,
}

impl TokenWalker<'_> {
    fn fault(&self, at: usize, what: impl Into<String>) -> FbxFault {
        FbxFault { place: line_and_column(self.text, at), field: "text", what: what.into() }
    }

    /// Skips one token; `false` at the end.
    fn step(&mut self) -> Result<bool, FbxFault> {
        let Some(&byte) = self.text.get(self.at) else { return Ok(false) };
        let start = self.at;
        self.at += 1;
        match byte {
            _ if byte.is_ascii_whitespace() => {}
            b';' => self.at += self.len_until(b'\n'),
            b'"' => {
                let len = self.len_until(b'"');
                self.at += len + 1;
                if self.at > self.text.len() {
                    return Err(self.fault(start, "a quoted string isn't closed"));
                }
                self.value(start)?;
            }
            b'{' => {
                if matches!(self.previous, Token::Open | Token::Close) {
                    return Err(self.fault(start, "a brace opens without a name before it"));
                }
                if self.open.len() >= MAX_NODE_DEPTH as usize {
                    let what = format!("nodes are nested deeper than {MAX_NODE_DEPTH}");
                    return Err(self.fault(start, what));
                }
                self.open.push(start);
                self.previous = Token::Open;
            }
            b'}' => {
                if self.open.pop().is_none() {
                    return Err(self.fault(start, "a closing brace has no opening one"));
                }
                self.previous = Token::Close;
            }
            b',' => {
                if matches!(self.previous, Token::Open | Token::Close) {
                    return Err(self.fault(start, "expected a name, found a comma"));
                }
                self.previous = Token::Comma;
            }
            _ if byte.is_ascii_control() => {
                let what = format!("byte {byte:#04x} isn't text");
                return Err(self.fault(start, what));
            }
            _ => self.word(start)?,
        }
        Ok(true)
    }

    fn len_until(&self, end: u8) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == end);
        len.unwrap_or(rest.len())
    }

    /// A name, a number, or a word like `Y` or `*12`.
    fn word(&mut self, start: usize) -> Result<(), FbxFault> {
        let rest = self.text.get(start..).unwrap_or_default();
        let is_end = |byte: &u8| {
            byte.is_ascii_whitespace() || byte.is_ascii_control() || b",{}\";:".contains(byte)
        };
        let len = rest.iter().position(is_end).unwrap_or(rest.len()).max(1);
        let word = rest.get(..len).unwrap_or_default();
        self.at = start + len;
        if rest.get(len) == Some(&b':') {
            self.at += 1;
            self.previous = Token::Name;
            return Ok(());
        }
        let text = String::from_utf8_lossy(word);
        let begins_number =
            word.first().is_some_and(|&byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
        if begins_number && text.parse::<f64>().is_err() && !is_not_finite(&text) {
            let what = format!("{} isn't a number", shortened(&text));
            return Err(self.fault(start, what));
        }
        self.value(start)
    }

    fn value(&mut self, start: usize) -> Result<(), FbxFault> {
        if matches!(self.previous, Token::Open | Token::Close) {
            return Err(self.fault(start, "expected a name, found a value"));
        }
        self.previous = Token::Value;
        Ok(())
    }

    /// The fault at the end if something is unclosed.
    fn end(&self) -> Option<FbxFault> {
        let end = self.text.len();
        if let Some(&brace) = self.open.last() {
            let opened = line_and_column(self.text, brace);
            let what = format!("the text ends while the brace at {opened} is open");
            return Some(self.fault(end, what));
        }
        match self.previous {
            Token::Comma => Some(self.fault(end, "the text ends after a comma")),
            Token::Name => Some(self.fault(end, "the text ends after a name")),
            Token::Open if end > 0 => Some(self.fault(end, "the text ends before its first node")),
            _ => None,
        }
    }
}
