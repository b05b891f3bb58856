//! Formats numbers as the shortest text, like `Display`, but several times as fast.

use std::fmt::{self, Write};

/// Bytes added to the text at a time: reserving capacity per word takes longer than writing it.
const ROOM: usize = 4096;

/// Words to append to a text; they are added at the latest when this is dropped.
pub struct TextWriter<'a> {
    text: &'a mut String,
    room: [u8; ROOM],
    len: usize,
}

impl<'a> TextWriter<'a> {
    /// Appends to `text`.
    pub fn appending_to(text: &'a mut String) -> Self {
        Self { text, room: [0; ROOM], len: 0 }
    }

    /// Adds `word` unchanged.
    #[inline]
    pub fn word(&mut self, word: &str) {
        if self.len + word.len() > ROOM {
            self.flush();
        }
        match self.room.get_mut(self.len..self.len + word.len()) {
            Some(room) => {
                room.copy_from_slice(word.as_bytes());
                self.len += word.len();
            }
            None => self.text.push_str(word),
        }
    }

    /// Adds one ASCII character, faster than as a word.
    #[inline]
    pub fn ascii(&mut self, character: u8) {
        if self.len == ROOM {
            self.flush();
        }
        if let Some(room) = self.room.get_mut(self.len) {
            *room = character;
            self.len += 1;
        }
    }

    /// Adds the shortest decimal that reads back to `number`, without an exponent. Ties go to the
    /// even digit, as in JSON.
    #[inline]
    pub fn f32(&mut self, number: f32) {
        if number.is_finite() {
            let mut buffer = zmij::Buffer::new();
            let text = buffer.format_finite(number);
            if !text.contains('e') {
                self.word(text.strip_suffix(".0").unwrap_or(text));
                return;
            }
        }
        // Writing to a string can't fail.
        let _ = write!(self, "{number}");
    }

    /// Adds an integer.
    #[inline]
    pub fn usize(&mut self, number: usize) {
        self.word(itoa::Buffer::new().format(number));
    }

    fn flush(&mut self) {
        // Only whole words, so it is valid UTF-8.
        let words = self.room.get(..self.len).unwrap_or_default();
        self.text.push_str(std::str::from_utf8(words).unwrap_or_default());
        self.len = 0;
    }
}

impl Write for TextWriter<'_> {
    fn write_str(&mut self, word: &str) -> fmt::Result {
        self.word(word);
        Ok(())
    }
}

impl Drop for TextWriter<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f32) -> String {
        let mut out = String::new();
        TextWriter::appending_to(&mut out).f32(number);
        out
    }

    #[test]
    fn numbers_round_trip_and_are_as_short_as_possible() {
        let few = [0.0, -0.0, 1.0, -1.5, 0.1, 1e-7, 1e16, f32::MAX, f32::MIN_POSITIVE, 1e-45];
        // Every 4099th of all there are.
        let all = (0..=u32::MAX).step_by(4099).map(f32::from_bits);
        for number in few.into_iter().chain(all).filter(|number| number.is_finite()) {
            let text = text(number);
            assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(number.to_bits()), "{text}");
            assert_eq!(text.len(), number.to_string().len(), "{text}");
        }
    }

    #[test]
    fn numbers_are_written_like_display_except_for_ties() {
        let numbers = [0.0, -0.0, 1.0, -1.5, 0.1, 16_777_216.0, f32::INFINITY, f32::NAN];
        for number in numbers {
            assert_eq!(text(number), number.to_string());
        }
        // 1.03515625: as near to both.
        assert_eq!(text(1.0 + 9.0 / 256.0), "1.0351562");
        for number in [0, 7, 10, usize::MAX] {
            let mut out = String::new();
            TextWriter::appending_to(&mut out).usize(number);
            assert_eq!(out, number.to_string());
        }
    }

    #[test]
    fn words_are_appended_in_order_across_flushes() {
        let mut wanted = "start".to_owned();
        let mut out = wanted.clone();
        let mut words = TextWriter::appending_to(&mut out);
        let long = "\u{e4}".repeat(ROOM);
        for number in 0..3000 {
            let word = if number % 700 == 0 { long.as_str() } else { "\u{e9}, " };
            words.word(word);
            words.usize(number);
            wanted += &format!("{word}{number}");
        }
        drop(words);
        assert_eq!(out, wanted);
    }
}
