//! Writes the fields of SKN and CMX: the inverse of `text_fields`.
//!
//! Numbers are the shortest decimals that read back to the same f32, formatted like those of the C library
//! used for real files: exponents are used below 1e-4 and from 1e6 on, and have three digits.

use std::borrow::Cow;
use std::fmt::Write;

use super::names;
use super::rows::Rows;
use super::walk::{POLL_EVERY, Walk};
use rigscope_core::model::{Cancelled, Report};

/// Decimal exponents of numbers written without exponent, as with C's `%g`.
const PLAIN_EXPONENTS: std::ops::Range<i32> = -4..6;

pub(super) struct TextFieldWriter<'a> {
    text: String,
    end: &'a str,
    report: &'a Report,
    /// Number of strings that had to be changed to fit on a line.
    pub(super) num_changed: u64,
}

impl<'a> TextFieldWriter<'a> {
    /// Lines after `head`, each terminated by `end`.
    pub(super) fn new(head: String, end: &'a str, report: &'a Report) -> Self {
        Self { text: head, end, report, num_changed: 0 }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        names::to_bytes(&self.text).into_owned()
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push_str(self.end);
    }

    fn words<T>(&mut self, values: &[T], word: impl Fn(&mut String, &T)) {
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.text.push(' ');
            }
            word(&mut self.text, value);
        }
    }
}

impl Walk for TextFieldWriter<'_> {
    type Error = Cancelled;
    const IS_WEIGHT_FIRST: bool = false;

    fn string(&mut self, _: &'static str, value: &mut String) -> Result<(), Cancelled> {
        let line = as_line(value);
        self.num_changed += u64::from(matches!(line, Cow::Owned(_)) || line.len() < value.len());
        let line = line.into_owned();
        self.line(&line);
        Ok(())
    }

    fn int(&mut self, _: &'static str, value: &mut i32) -> Result<(), Cancelled> {
        self.line(&value.to_string());
        Ok(())
    }

    fn indices<const N: usize>(
        &mut self,
        _: [&'static str; N],
        values: &mut [i32; N],
    ) -> Result<(), Cancelled> {
        self.words(values, |text, value| text.push_str(&value.to_string()));
        self.line("");
        Ok(())
    }

    fn floats<const N: usize>(
        &mut self,
        _: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Cancelled> {
        self.words(values, |text, value| push_number(text, *value));
        self.line("");
        Ok(())
    }

    fn vector<const N: usize>(
        &mut self,
        _: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Cancelled> {
        self.text.push_str("| ");
        self.words(values, |text, value| push_number(text, *value));
        self.line(" |");
        Ok(())
    }

    fn list<T: Default>(
        &mut self,
        _: Rows,
        list: &mut Vec<T>,
        mut record: impl FnMut(&mut Self, &mut T) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        self.line(&list.len().to_string());
        for (at, value) in list.iter_mut().enumerate() {
            if at % POLL_EVERY == 0 {
                self.report.progress("writing", 0.9)?;
            }
            record(self, value)?;
        }
        Ok(())
    }
}

/// A string as read from a line: without surrounding white space and line breaks.
fn as_line(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if trimmed.contains(['\n', '\r']) {
        Cow::Owned(trimmed.replace(['\n', '\r'], " "))
    } else {
        Cow::Borrowed(trimmed)
    }
}

/// Appends the shortest decimal that reads back to `value`.
fn push_number(text: &mut String, value: f32) {
    if value == 0.0 || !value.is_finite() {
        // "-0", "inf" and "NaN" are read back correctly.
        let _ = write!(text, "{value}");
        return;
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&*scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let num_digits = digits.chars().filter(char::is_ascii_digit).count();
    let is_whole = usize::try_from(exponent).is_ok_and(|exponent| exponent < num_digits);
    if PLAIN_EXPONENTS.contains(&exponent) || is_whole {
        let _ = write!(text, "{value}");
        return;
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(text, "{digits}e{sign}{:03}", exponent.unsigned_abs());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_as_in_original_files_and_round_trip() {
        let known = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (3.15, "3.15"),
            (-0.382_683, "-0.382683"),
            (700_000.0, "700000"),
            (1e6, "1e+006"),
            (1_234_567.9, "1234567.9"),
            (-5.888_94e-5, "-5.88894e-005"),
            (1e-4, "0.0001"),
            (1e-45, "1e-045"),
            (f32::MAX, "3.4028235e+038"),
        ];
        for (value, text) in known {
            let mut out = String::new();
            push_number(&mut out, value);
            assert_eq!(out, text);
            assert_eq!(out.parse::<f32>().unwrap().to_bits(), value.to_bits());
        }
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut out = String::new();
            push_number(&mut out, value);
            let read: f32 = out.parse().unwrap();
            assert!(read == value || read.is_nan() && value.is_nan());
        }
    }
}
