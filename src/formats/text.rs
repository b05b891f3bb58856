//! Reading text front to back: lines, and tokens over line breaks, with the line of everything that
//! goes wrong.
//!
//! For: formats of plain lines and numbers. Not for: JSON and other trees.

use std::borrow::Cow;
use std::str::FromStr;

use super::{Budget, Failure, Limits, ReadError};
use crate::model::Place;

/// The characters of a text file: UTF-8 where it is that (without its mark), else Windows-1252,
/// which gives every byte a character.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => windows_1252(bytes),
    }
}

/// Every byte as the character that Windows-1252 gives it.
#[must_use]
pub fn windows_1252(bytes: &[u8]) -> Cow<'_, str> {
    encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
}

/// A position in a text.
#[derive(Clone, Debug)]
pub struct TextCursor<'a> {
    format: &'static str,
    rest: &'a str,
    num_bytes: usize,
    /// Line of the first character of `rest`, counted from 1.
    line: u32,
    /// Line that the last value began on.
    value_line: u32,
    budget: Budget,
}

impl<'a> TextCursor<'a> {
    /// Starts at the front of `text`.
    #[must_use]
    pub fn new(format: &'static str, text: &'a str, limits: &Limits) -> Self {
        Self {
            format,
            rest: text,
            num_bytes: text.len(),
            line: 1,
            value_line: 1,
            budget: Budget::of_file(limits, text.len()),
        }
    }

    /// Line that comes next, counted from 1.
    #[must_use]
    pub fn line_number(&self) -> u32 {
        self.line
    }

    /// Bytes left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Bytes from the front of the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.num_bytes - self.rest.len()
    }

    /// Bytes from the front of the text to the next line, where nothing is left of this one; else
    /// to the next character.
    #[must_use]
    pub fn line_end_offset(&self) -> usize {
        let end = self.rest.find(|c: char| c == '\n' || !c.is_whitespace());
        let is_at_line_end = end.is_some_and(|end| self.rest.get(end..end + 1) == Some("\n"));
        match end {
            Some(end) if is_at_line_end => self.offset() + end + 1,
            None => self.num_bytes,
            Some(_) => self.offset(),
        }
    }

    /// Bytes of `file` before a text of which nothing has been read; `None` where its characters
    /// are not the file's bytes.
    #[must_use]
    pub fn bytes_before(&self, file: &[u8]) -> Option<usize> {
        let before = file.len().checked_sub(self.num_bytes)?;
        (file.get(before..) == Some(self.rest.as_bytes())).then_some(before)
    }

    /// Whether only white space is left.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.rest.trim_start().is_empty()
    }

    /// What is left of the present line, without white space around it; `None` at the end.
    pub fn next_line(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        self.value_line = self.line;
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line = self.line.saturating_add(1);
        Some(line.trim())
    }

    /// [`Self::next_line`], where there must be one.
    ///
    /// # Errors
    /// At the end.
    pub fn line(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        match self.next_line() {
            Some(line) => Ok(line),
            None => Err(self.cut_short(field)),
        }
    }

    /// The next run of characters that are not white space, on this line or a later one.
    ///
    /// # Errors
    /// At the end.
    pub fn token(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        self.skip_white_space();
        let end = self.rest.find(char::is_whitespace);
        let (token, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        match token.is_empty() {
            true => Err(self.cut_short(field)),
            false => Ok(token),
        }
    }

    /// What lies between `open`, which comes next on this line or a later one, and the last `close`
    /// on the same line; reading goes on behind it.
    ///
    /// # Errors
    /// When something else comes next, or the line has no `close`.
    pub fn enclosed(
        &mut self,
        open: char,
        close: char,
        field: &'static str,
    ) -> Result<&'a str, ReadError> {
        self.skip_white_space();
        let line = self.rest.lines().next().unwrap_or_default();
        let inner = line
            .strip_prefix(open)
            .and_then(|line| line.rsplit_once(close));
        let Some((inner, _)) = inner else {
            let line = shortened(line.trim_end());
            return Err(self.malformed(field, format!("{line} is not in {open} {close}")));
        };
        let len = open.len_utf8() + inner.len() + close.len_utf8();
        self.rest = self.rest.get(len..).unwrap_or_default();
        Ok(inner)
    }

    /// The character that comes next that is not white space.
    #[must_use]
    pub fn peek(&self) -> Option<char> {
        self.rest.trim_start().chars().next()
    }

    /// The next token as a number.
    ///
    /// # Errors
    /// At the end, or when it is none.
    pub fn number<T: FromStr>(&mut self, field: &'static str) -> Result<T, ReadError> {
        let token = self.token(field)?;
        token
            .parse()
            .map_err(|_| self.malformed(field, format!("{} is no such number", shortened(token))))
    }

    /// The next `N` tokens as numbers.
    ///
    /// # Errors
    /// At the end, or when one is none.
    pub fn numbers<T: FromStr + Copy + Default, const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[T; N], ReadError> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = self.number(field)?;
        }
        Ok(values)
    }

    /// The next token as a number of records of at least `record_bytes` characters each.
    ///
    /// # Errors
    /// When it is negative, or the records cannot lie in the text left.
    pub fn count(&mut self, record_bytes: usize, field: &'static str) -> Result<usize, ReadError> {
        let num: i64 = self.number(field)?;
        let left = self.remaining().saturating_add(1);
        let num_fitting = left / record_bytes.max(1);
        match usize::try_from(num) {
            Ok(num) if num <= num_fitting => Ok(num),
            _ => Err(self.malformed(
                field,
                format!("{field} {num} does not fit into {left} characters left"),
            )),
        }
    }

    /// An empty vector with room for `num` values, paid from the budget.
    ///
    /// # Errors
    /// When the budget or the machine has no such room.
    pub fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        let mut list = Vec::new();
        let is_allowed = self.budget.take::<T>(num).is_ok();
        if !is_allowed || list.try_reserve_exact(num).is_err() {
            let what = format!("{field} {num} needs more memory than is allowed");
            return Err(ReadError::Limit(self.failure(field, what)));
        }
        Ok(list)
    }

    /// A failure of the file on the line of the last value.
    #[must_use]
    pub fn malformed(&self, field: &'static str, what: String) -> ReadError {
        ReadError::Malformed(self.failure(field, what))
    }

    /// Goes to the next character that is not white space, counting lines.
    fn skip_white_space(&mut self) {
        let trimmed = self.rest.trim_start();
        let (skipped, _) = self.rest.split_at(self.rest.len() - trimmed.len());
        let num_lines = skipped.bytes().filter(|&b| b == b'\n').count();
        let num_lines = u32::try_from(num_lines).unwrap_or(u32::MAX);
        self.line = self.line.saturating_add(num_lines);
        self.value_line = self.line;
        self.rest = trimmed;
    }

    fn cut_short(&self, field: &'static str) -> ReadError {
        self.malformed(field, "the text ends too early".to_owned())
    }

    fn failure(&self, field: &'static str, what: String) -> Box<Failure> {
        Box::new(Failure {
            format: self.format,
            field,
            place: Place::Line(self.value_line),
            bytes: None,
            what,
        })
    }
}

/// A token as it can be shown: quoted, and not longer than a message should be.
pub(super) fn shortened(token: &str) -> String {
    const SHOWN: usize = 24;
    match token.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", token.get(..end).unwrap_or_default()),
        None => format!("{token:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(text: &str) -> TextCursor<'_> {
        TextCursor::new("test", text, &Limits::default())
    }

    #[test]
    fn lines_and_tokens_come_in_order_with_their_line() {
        let mut cursor = cursor("a name\r\n\r\n 1.5e-005\t-2\n7 x");
        assert_eq!(cursor.line("name").unwrap(), "a name");
        assert_eq!(cursor.line("empty").unwrap(), "");
        assert_eq!(cursor.numbers::<f32, 2>("pair").unwrap(), [1.5e-5, -2.0]);
        assert_eq!(cursor.number::<i32>("count").unwrap(), 7);
        assert_eq!(
            cursor.number::<i32>("count").unwrap_err().to_string(),
            "test: \"x\" is no such number at line 4 (count)"
        );
        assert!(cursor.is_at_end() && cursor.token("more").is_err());
    }

    #[test]
    fn what_is_enclosed_reaches_to_the_last_mark_of_its_line() {
        let mut cursor = cursor("\n <a> b> 7\n<open\n");
        assert_eq!(cursor.peek(), Some('<'));
        assert_eq!(cursor.enclosed('<', '>', "name").unwrap(), "a> b");
        assert_eq!(cursor.number::<i32>("parent").unwrap(), 7);
        assert_eq!(
            cursor.enclosed('<', '>', "name").unwrap_err().to_string(),
            "test: \"<open\" is not in < > at line 3 (name)"
        );
    }

    #[test]
    fn a_place_is_known_in_bytes_too() {
        let file = b"\xef\xbb\xbf1 2 \r\n3 4";
        let text = decode(file);
        let mut cursor = cursor(&text);
        assert_eq!(cursor.bytes_before(file), Some(3));
        assert_eq!(cursor.bytes_before(b"1 2"), None);
        assert_eq!(cursor.number::<u8>("a").unwrap(), 1);
        assert_eq!((cursor.offset(), cursor.line_end_offset()), (1, 1));
        assert_eq!(cursor.number::<u8>("b").unwrap(), 2);
        assert_eq!((cursor.offset(), cursor.line_end_offset()), (3, 6));
        assert_eq!(cursor.numbers::<u8, 2>("c").unwrap(), [3, 4]);
        assert_eq!(cursor.line_end_offset(), 9);
    }

    #[test]
    fn a_count_that_cannot_fit_is_refused() {
        assert_eq!(cursor("3 1 2 3").count(2, "values").unwrap(), 3);
        assert!(cursor("4 1 2 3").count(2, "values").is_err());
        assert!(cursor("-1 1 2 3").count(2, "values").is_err());
        assert!(cursor("99999999999999999999 1").count(1, "values").is_err());
    }

    #[test]
    fn bytes_that_are_no_utf8_are_windows_1252() {
        assert_eq!(decode(b"\xef\xbb\xbfNa\xc3\xafve"), "Na\u{ef}ve");
        assert_eq!(decode(b"Na\xefve \x80"), "Na\u{ef}ve \u{20ac}");
    }
}
