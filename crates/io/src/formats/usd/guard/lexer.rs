//! The tokens of a text layer, as the library's lexer splits it.
//!
//! Source: the crate `openusd` 0.6, `usda/token.rs`. Of several patterns that match, the longest applies. If none
//! matches, the library's parser ends with an error; this lexer continues behind the byte.

/// A token, as far as the guard distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier or keyword.
    Word(&'a [u8]),
    /// The contents of a string, and its quote.
    String(&'a [u8], u8),
    /// The contents of a path in angle brackets.
    Path(&'a [u8]),
    /// A number or a reference to a file.
    Value,
    /// Punctuation, and bytes that no token has.
    Mark(u8),
}

pub(super) struct Lexer<'a> {
    text: &'a [u8],
    /// The offset of the next token.
    at: usize,
    /// Marks that don't occur any more, so that none is looked for again and again.
    absent: Vec<&'static [u8]>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, absent: Vec::new() }
    }

    /// The next token and its offset.
    pub(super) fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let start = self.at;
            let Some(skipped) = self.skipped(rest) else {
                let (token, length) = self
                    .token(rest)
                    .unwrap_or_else(|| (Token::Mark(rest.first().copied().unwrap_or_default()), 1));
                self.at += length;
                return Some((start, token));
            };
            self.at += skipped;
        }
    }

    /// The length of white space or a comment.
    fn skipped(&mut self, rest: &[u8]) -> Option<usize> {
        match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0x0c, ..] => Some(1),
            [b'#', ..] => {
                let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                Some(end.unwrap_or(rest.len()))
            }
            [b'/', b'*', ..] => self.end_of(rest, 2, b"*/"),
            _ => None,
        }
    }

    fn token(&mut self, rest: &'a [u8]) -> Option<(Token<'a>, usize)> {
        let inside = |length: usize, quotes: usize| {
            rest.get(quotes..length.saturating_sub(quotes)).unwrap_or_default()
        };
        match *rest.first()? {
            quote @ (b'"' | b'\'') => {
                let marks: &[u8] = if quote == b'"' { b"\"\"\"" } else { b"'''" };
                if let Some(length) = self.long(rest, marks) {
                    return Some((Token::String(inside(length, 3), quote), length));
                }
                let length = short_string(rest, quote)?;
                Some((Token::String(inside(length, 1), quote), length))
            }
            b'<' => {
                let length = self.end_of(rest, 1, b">")?;
                Some((Token::Path(inside(length, 1)), length))
            }
            b'@' => {
                let length = match self.long(rest, b"@@@") {
                    Some(length) => length,
                    None => self.end_of(rest, 1, b"@")?,
                };
                Some((Token::Value, length))
            }
            b'0'..=b'9' => Some((Token::Value, number(rest))),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let is_other =
                    |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'));
                let length = rest.iter().position(is_other).unwrap_or(rest.len());
                Some((Token::Word(rest.get(..length)?), length))
            }
            _ => None,
        }
    }

    /// The length of a text between three marks, which has no escapes.
    fn long(&mut self, rest: &[u8], marks: &'static [u8]) -> Option<usize> {
        rest.starts_with(marks).then(|| self.end_of(rest, 3, marks)).flatten()
    }

    /// The offset behind `mark`, which doesn't begin before `first`.
    fn end_of(&mut self, rest: &[u8], first: usize, mark: &'static [u8]) -> Option<usize> {
        if self.absent.contains(&mark) {
            return None;
        }
        let found = memchr::memmem::find(rest.get(first..)?, mark);
        if found.is_none() {
            self.absent.push(mark);
        }
        Some(first + found? + mark.len())
    }
}

/// The length of a string between single marks. An escaped character may have several bytes, none of which is a quote.
fn short_string(rest: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *rest.get(at)? {
            byte if byte == quote => return Some(at + 1),
            b'\\' if matches!(rest.get(at + 1), None | Some(b'\n')) => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn number(rest: &[u8]) -> usize {
    let digits = |from: usize| {
        let digits = rest.get(from..).unwrap_or_default();
        digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len())
    };
    let mut end = digits(0);
    if rest.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| lexer.next()).map(|(_, token)| token).collect()
    }

    #[test]
    fn tokens_end_where_the_library_ends_them() {
        use Token::{Mark, Path, String, Value, Word};
        let cases: [(&str, &[Token<'_>]); 15] = [
            ("def \"a\"", &[Word(b"def"), String(b"a", b'"')]),
            ("#c\rdef", &[Word(b"def")]),
            ("/* ' */ def /**/ x", &[Word(b"def"), Word(b"x")]),
            ("/*", &[Mark(b'/'), Mark(b'*')]),
            ("'''a'b''\\'''c", &[String(b"a'b''\\", b'\''), Word(b"c")]),
            ("''' a", &[String(b"", b'\''), Mark(b'\''), Word(b"a")]),
            ("''' 'b", &[String(b"", b'\''), String(b" ", b'\''), Word(b"b")]),
            ("\"a\\\"b\\\\\" c", &[String(b"a\\\"b\\\\", b'"'), Word(b"c")]),
            (
                "\"a\\\nb\" c",
                &[Mark(b'"'), Word(b"a"), Mark(b'\\'), Word(b"b"), String(b" c", b'"')][..4],
            ),
            ("@a'@ b", &[Value, Word(b"b")]),
            ("@@@a@@b@@@ c", &[Value, Word(b"c")]),
            ("@@@a@ b", &[Value, Value, Word(b"b")]),
            (
                "1e5def -2.5E-3x 1.x",
                &[
                    Value,
                    Word(b"def"),
                    Mark(b'-'),
                    Value,
                    Word(b"x"),
                    Value,
                    Mark(b'.'),
                    Word(b"x"),
                ],
            ),
            ("</A.b> <", &[Path(b"/A.b"), Mark(b'<')]),
            ("a:b:c=$", &[Word(b"a:b:c"), Mark(b'='), Mark(b'$')]),
        ];
        for (text, expected) in cases {
            let found = tokens(text);
            assert_eq!(&found[..expected.len().min(found.len())], expected, "{text}");
        }
    }
}
