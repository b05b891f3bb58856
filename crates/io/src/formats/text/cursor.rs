//! Reads text from front to back: by line, and by token across lines.

use std::str::FromStr;

use super::place::line_and_column;
use crate::formats::{Budget, Failure, Limits, ReadError};
use rigscope_core::model::{Place, as_u32};

/// A position in a text.
#[derive(Clone, Debug)]
pub struct TextCursor<'a> {
    format: &'static str,
    text: &'a str,
    /// Bytes read so far.
    at: usize,
    /// Current line, counted from 1.
    line: u32,
    /// Offset of the last value.
    value_at: usize,
    budget: Budget,
}

impl<'a> TextCursor<'a> {
    /// Starts at the front of `text`.
    pub fn new(format: &'static str, text: &'a str, limits: &Limits) -> Self {
        Self {
            format,
            text,
            at: 0,
            line: 1,
            value_at: 0,
            budget: Budget::of_file(limits, text.len()),
        }
    }

    /// The current line, counted from 1.
    pub fn line_number(&self) -> u32 {
        self.line
    }

    /// Bytes left.
    pub fn remaining(&self) -> usize {
        self.rest().len()
    }

    /// Bytes from the front of the text.
    pub fn offset(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Offset of the next line if only white space is left of this one, otherwise of the next
    /// character.
    pub fn line_end_offset(&self) -> usize {
        let rest = self.rest();
        let end = rest.find(|c: char| c == '\n' || !c.is_whitespace());
        let is_at_line_end = end.is_some_and(|end| rest.get(end..end + 1) == Some("\n"));
        match end {
            Some(end) if is_at_line_end => self.at + end + 1,
            None => self.text.len(),
            Some(_) => self.at,
        }
    }

    /// Length of `file` before its text; `None` if the text's characters aren't the file's bytes,
    /// apart from line ends.
    pub fn bytes_before(&self, file: &[u8]) -> Option<usize> {
        let before = file.len().checked_sub(self.text.len())?;
        let own = file.get(before..)?.iter();
        let is_same = |(own, text): (&u8, u8)| *own == text || (*own == b'\r' && text == b'\n');
        own.zip(self.text.bytes()).all(is_same).then_some(before)
    }

    /// Whether only white space is left.
    pub fn is_at_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// The rest of the current line, without surrounding white space; `None` at the end.
    pub fn next_line(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let (line, rest) = rest.split_once('\n').unwrap_or((rest, ""));
        self.value_at = self.at + (line.len() - line.trim_start().len());
        self.at = self.text.len() - rest.len();
        self.line = self.line.saturating_add(1);
        Some(line.trim())
    }

    /// Like [`Self::next_line`], if there must be a line.
    ///
    /// # Errors
    /// At the end.
    pub fn line(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        match self.next_line() {
            Some(line) => Ok(line),
            None => Err(self.cut_short(field)),
        }
    }

    /// The next run of characters other than white space, on this line or a later one.
    ///
    /// # Errors
    /// At the end.
    pub fn token(&mut self, field: &'static str) -> Result<&'a str, ReadError> {
        self.skip_white_space();
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let token = rest.get(..end).unwrap_or_default();
        self.at += end;
        if token.is_empty() { Err(self.cut_short(field)) } else { Ok(token) }
    }

    /// The text between `open`, which must come next on this line or a later one, and the last
    /// `close` on the same line; reading continues after it.
    ///
    /// # Errors
    /// If something else comes next, or the line has no `close`.
    pub fn enclosed(
        &mut self,
        open: char,
        close: char,
        field: &'static str,
    ) -> Result<&'a str, ReadError> {
        self.skip_white_space();
        let line = self.rest().lines().next().unwrap_or_default();
        let inner = line.strip_prefix(open).and_then(|line| line.rsplit_once(close));
        let Some((inner, _)) = inner else {
            let line = shortened(line.trim_end());
            return Err(self.malformed(field, format!("{line} is not enclosed in {open} {close}")));
        };
        self.at += open.len_utf8() + inner.len() + close.len_utf8();
        Ok(inner)
    }

    /// The next character other than white space.
    pub fn peek(&self) -> Option<char> {
        self.rest().trim_start().chars().next()
    }

    /// The next token as a number.
    ///
    /// # Errors
    /// At the end, or if it isn't a number.
    pub fn number<T: FromStr>(&mut self, field: &'static str) -> Result<T, ReadError> {
        let token = self.token(field)?;
        token.parse().map_err(|_| {
            self.malformed(field, format!("{} is not a valid number", shortened(token)))
        })
    }

    /// The next `N` tokens as numbers.
    ///
    /// # Errors
    /// At the end, or if one isn't a number.
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

    /// The next token as a record count; a record takes at least `record_bytes` characters.
    ///
    /// # Errors
    /// If it is negative, or the remaining text is too short for the records.
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

    /// An empty vector with room for `num` values, charged to the budget.
    ///
    /// # Errors
    /// If the budget or the memory is too small.
    pub fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        let mut list = Vec::new();
        let is_allowed = self.budget.take::<T>(num).is_ok();
        if !is_allowed || list.try_reserve_exact(num).is_err() {
            let what = format!("{field} {num} needs more memory than is allowed");
            return Err(ReadError::Limit(self.failure(field, what)));
        }
        Ok(list)
    }

    /// An error of the file at the last value.
    pub fn malformed(&self, field: &'static str, what: String) -> ReadError {
        ReadError::Malformed(self.failure(field, what))
    }

    /// An error of the file at `part` of the last line.
    pub fn malformed_at(&self, part: &str, field: &'static str, what: String) -> ReadError {
        let before = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let before = before.filter(|&before| before <= self.text.len());
        let own = Self { value_at: before.unwrap_or(self.value_at), ..self.clone() };
        own.malformed(field, what)
    }

    /// Moves to the next character other than white space, counting lines.
    fn skip_white_space(&mut self) {
        let rest = self.rest();
        let skipped = rest.len() - rest.trim_start().len();
        let skipped = rest.get(..skipped).unwrap_or_default();
        let num_lines = skipped.bytes().filter(|&b| b == b'\n').count();
        let num_lines = as_u32(num_lines);
        self.line = self.line.saturating_add(num_lines);
        self.at += skipped.len();
        self.value_at = self.at;
    }

    fn cut_short(&self, field: &'static str) -> ReadError {
        let place = line_and_column(self.text.as_bytes(), self.text.len());
        let what = "the text ends too early".to_owned();
        ReadError::Malformed(self.failure_at(place, field, what))
    }

    fn failure(&self, field: &'static str, what: String) -> Box<Failure> {
        self.failure_at(line_and_column(self.text.as_bytes(), self.value_at), field, what)
    }

    fn failure_at(&self, place: Place, field: &'static str, what: String) -> Box<Failure> {
        Box::new(Failure::new(self.format, field, place, what))
    }
}

/// A token for messages: quoted, and shortened to a reasonable length.
pub(in crate::formats) fn shortened(token: &str) -> String {
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
            "\"x\" is not a valid number (TEST count at line 4, column 3)"
        );
        assert!(cursor.is_at_end() && cursor.token("more").is_err());
    }

    #[test]
    fn enclosed_text_ends_at_the_last_closing_delimiter_of_its_line() {
        let mut cursor = cursor("\n <a> b> 7\n<open\n");
        assert_eq!(cursor.peek(), Some('<'));
        assert_eq!(cursor.enclosed('<', '>', "name").unwrap(), "a> b");
        assert_eq!(cursor.number::<i32>("parent").unwrap(), 7);
        assert_eq!(
            cursor.enclosed('<', '>', "name").unwrap_err().to_string(),
            "\"<open\" is not enclosed in < > (TEST name at line 3, column 1)"
        );
    }

    #[test]
    fn a_place_has_a_byte_range() {
        let file = b"\xef\xbb\xbf1 2 \r\n3 4";
        let text = super::super::decode(file);
        let mut cursor = cursor(&text);
        assert_eq!(cursor.bytes_before(file), Some(3));
        assert_eq!(cursor.bytes_before(b"\n\n\n1 2 \r\r3 4"), Some(3));
        assert_eq!(cursor.bytes_before(b"1 2"), None);
        assert_eq!(cursor.number::<u8>("a").unwrap(), 1);
        assert_eq!((cursor.offset(), cursor.line_end_offset()), (1, 1));
        assert_eq!(cursor.number::<u8>("b").unwrap(), 2);
        assert_eq!((cursor.offset(), cursor.line_end_offset()), (3, 6));
        assert_eq!(cursor.numbers::<u8, 2>("c").unwrap(), [3, 4]);
        assert_eq!(cursor.line_end_offset(), 9);
    }

    #[test]
    fn a_count_beyond_the_text_is_an_error() {
        assert_eq!(cursor("3 1 2 3").count(2, "values").unwrap(), 3);
        assert!(cursor("4 1 2 3").count(2, "values").is_err());
        assert!(cursor("-1 1 2 3").count(2, "values").is_err());
        assert!(cursor("99999999999999999999 1").count(1, "values").is_err());
    }
}
