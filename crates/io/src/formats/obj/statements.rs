//! Splits OBJ and MTL text into statements: one per line, or several lines if they end in a backslash.
//!
//! Not for: the meaning of statements.

use std::ops::Range;

pub(super) struct Statement {
    /// Its bytes including the line end.
    pub(super) bytes: Range<usize>,
    /// Its words, without a trailing comment; a line with only a comment is one word.
    pub(super) words: Vec<Range<usize>>,
    /// Whether it contains a backslash at the end of a line, or a blank other than spaces and tabs.
    pub(super) is_odd: bool,
}

impl Statement {
    pub(super) fn word<'a>(&self, text: &'a [u8], number: usize) -> Option<&'a [u8]> {
        text.get(self.words.get(number)?.clone())
    }

    /// Everything after the first word, unchanged; empty if there is nothing.
    pub(super) fn rest<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let (first, last) = (self.words.get(1), self.words.last());
        let rest = first.zip(last).map(|(first, last)| first.start..last.end);
        rest.and_then(|rest| text.get(rest)).unwrap_or_default()
    }

    /// Everything after the first word as a name; blanks are only changed if they aren't plain.
    pub(super) fn name(&self, text: &[u8]) -> String {
        if !self.is_odd {
            return String::from_utf8_lossy(self.rest(text)).into_owned();
        }
        let words = self.words.iter().skip(1).filter_map(|word| text.get(word.clone()));
        let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
        words.join(" ")
    }
}

/// Iterates over the statements of a plain text.
pub(super) struct Statements<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Statements<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The statements of a chunk that begins and ends between statements.
    pub(super) fn within(text: &'a [u8], chunk: Range<usize>) -> Self {
        Self { text: text.get(..chunk.end).unwrap_or(text), at: chunk.start }
    }

    /// The next line with its line end; `None` if the line isn't terminated.
    pub(super) fn line(&self) -> Option<&'a [u8]> {
        let rest = self.text.get(self.at..)?;
        rest.get(..=memchr::memchr(b'\n', rest)?)
    }

    /// Skips the next line, which is a whole statement.
    pub(super) fn skip(&mut self, line: &[u8]) {
        self.at += line.len();
    }

    /// Reads the next statement into `statement`; returns false at the end. If the first word isn't
    /// `is_wanted`, only that word is stored.
    pub(super) fn next(
        &mut self,
        statement: &mut Statement,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> bool {
        let start = self.at;
        statement.words.clear();
        statement.is_odd = false;
        statement.bytes = start..start;
        if start >= self.text.len() {
            return false;
        }
        let mut at = start;
        loop {
            while let Some(byte) = self.text.get(at).filter(|byte| is_blank(**byte)) {
                statement.is_odd |= matches!(byte, 0 | 0x0b | 0x0c);
                at += 1;
            }
            match self.text.get(at..) {
                None | Some([]) => break,
                Some([b'\n', ..]) => {
                    at += 1;
                    break;
                }
                Some([b'#', ..]) => {
                    let end = self.line_end(at);
                    if statement.words.is_empty() {
                        statement.words.push(at..end);
                    }
                    // A comment extends to the end of its line, even if that ends in a backslash.
                    let comment = self.text.get(at..end).unwrap_or_default();
                    statement.is_odd |= comment.trim_ascii_end().ends_with(b"\\");
                    at = self.after_line(end);
                    break;
                }
                Some([b'\\', ..]) if self.line_after_backslash(at).is_some() => {
                    at = self.line_after_backslash(at).unwrap_or(at + 1);
                    statement.is_odd = true;
                }
                Some(_) => {
                    let end = self.word_end(at);
                    let is_first = statement.words.is_empty();
                    statement.words.push(at..end);
                    at = end;
                    let word = self.text.get(statement.words.first().cloned().unwrap_or(0..0));
                    if is_first && !is_wanted(word.unwrap_or_default()) {
                        at = self.statement_end(at);
                        break;
                    }
                }
            }
        }
        self.at = at;
        statement.bytes.end = at;
        true
    }

    fn word_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_end = |(len, &byte): (usize, &u8)| match byte {
            // Nearly all bytes, with a single comparison.
            b'!'..b'\\' => false,
            b'\n' => true,
            b'\\' => self.line_after_backslash(at + len).is_some(),
            _ => is_blank(byte),
        };
        let len = rest.iter().enumerate().position(is_end).unwrap_or(rest.len());
        // A backslash before a line end isn't part of a word; any other word has at least one byte.
        at + len.max(1)
    }

    /// Offset of the continuation after a backslash that ends its line.
    fn line_after_backslash(&self, at: usize) -> Option<usize> {
        let after = self.text.get(at + 1..).unwrap_or_default();
        let returns = after.iter().take_while(|&&byte| byte == b'\r').count();
        match after.get(returns) {
            Some(b'\n') => Some(at + 1 + returns + 1),
            None => Some(self.text.len()),
            Some(_) => None,
        }
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest);
        at + len.unwrap_or(rest.len())
    }

    fn after_line(&self, end: usize) -> usize {
        (end + 1).min(self.text.len())
    }

    /// The end of a statement whose words aren't needed.
    fn statement_end(&self, mut at: usize) -> usize {
        loop {
            let end = self.line_end(at);
            let line = self.text.get(at..end).unwrap_or_default();
            let returns = line.iter().rev().take_while(|&&byte| byte == b'\r').count();
            let line = line.get(..line.len() - returns).unwrap_or_default();
            let mut pairs = line.windows(2);
            let begins_comment = |pair: &[u8]| matches!(pair, [blank, b'#'] if is_blank(*blank));
            let mut has_comment = || line.starts_with(b"#") || pairs.any(begins_comment);
            let is_continued = line.ends_with(b"\\") && !has_comment();
            at = self.after_line(end);
            if !is_continued || at >= self.text.len() {
                return at;
            }
        }
    }
}

impl Default for Statement {
    fn default() -> Self {
        Self { bytes: 0..0, words: Vec::new(), is_odd: false }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0 | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(String, Vec<String>)> {
        let bytes = text.as_bytes();
        let part =
            |range: &Range<usize>| String::from_utf8_lossy(&bytes[range.clone()]).into_owned();
        let mut statements = Statements::of(bytes);
        let mut statement = Statement::default();
        let mut found = Vec::new();
        while statements.next(&mut statement, |word| word != b"skip") {
            let words = statement.words.iter().map(part).collect();
            found.push((part(&statement.bytes), words));
        }
        found
    }

    #[test]
    fn a_statement_is_one_line_or_several_joined_by_backslashes() {
        let text =
            "v 1 2 3\r\n\tf 1\\\r\n 2 \\\n3 # end\\\n# C:\\dir\\\no a\n\nskip x \\\ny\nf 4\\";
        let found = all(text);
        let whole: String = found.iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(whole, text, "nothing is lost between statements");
        let words: Vec<Vec<&str>> =
            (found.iter()).map(|(_, words)| words.iter().map(String::as_str).collect()).collect();
        let expected: [&[&str]; 7] = [
            &["v", "1", "2", "3"],
            &["f", "1", "2", "3"],
            &["# C:\\dir\\"],
            &["o", "a"],
            &[],
            &["skip"],
            &["f", "4"],
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn skipped_statements_end_at_the_same_position_as_parsed_ones() {
        for text in [
            "skip a \\\n# b \\\nv 1 2 3\n",
            "skip a \\\n #b \\\nv 1 2 3\n",
            "skip \\\r\r\nb\nv 1 2 3\n",
            "skip a#b\\\nv 1 2 3\nv 4 5 6\n",
            "skip\0a\\\nb # c\\\nv 1 2 3\n",
        ] {
            let wanted = text.replace("skip", "keep");
            let ends = |text: &str| -> Vec<usize> {
                all(text).iter().map(|(statement, _)| statement.len()).collect()
            };
            assert_eq!(ends(text), ends(&wanted), "{text:?}");
        }
    }

    #[test]
    fn parser_stops_at_the_end_of_every_text() {
        for text in ["\\", "\\\n", "a\\", "\\\r", "a \\ b", "\\\n\\\n", "#\\", "skip\\\n\\"] {
            let whole: String = all(text).iter().map(|(line, _)| line.as_str()).collect();
            assert_eq!(whole, text);
        }
    }
}
