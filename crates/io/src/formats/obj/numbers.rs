//! The numbers of statements.

use crate::formats::text::is_not_finite;

/// Powers of ten that double precision represents exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// Numbers with at most this many digits fit into 64 bits.
const MAX_DIGITS: usize = 18;
/// Larger whole numbers aren't exact in double precision.
const MAX_EXACT: u64 = 1 << 53;

/// The value of a word: NaN if it isn't finite in single precision, and `None` if it isn't a number.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    if let Some((value, len)) = leading_number(word)
        && len == word.len()
    {
        return Some(value);
    }
    let word = std::str::from_utf8(word).ok()?;
    match word.parse::<f64>() {
        Ok(value) if single(value).is_finite() => Some(value),
        Err(_) if !is_not_finite(word) => None,
        _ => Some(f64::NAN),
    }
}

/// The numbers of a text that are only separated by spaces; returns how many there are. `None` if there are
/// more than `values`, or other words, or numbers that need [`number`].
pub(super) fn numbers(mut text: &[u8], values: &mut [f64]) -> Option<usize> {
    let mut num = 0;
    loop {
        while let [b' ', rest @ ..] = text {
            text = rest;
        }
        if text.is_empty() {
            return Some(num);
        }
        let (value, len) = leading_number(text)?;
        *values.get_mut(num)? = value;
        num += 1;
        text = text.get(len..)?;
    }
}

/// A number before a space or the end, and its length; `None` if its value isn't the exact product or quotient
/// of a whole number and a power of ten. Only then one operation rounds it correctly: W. Clinger, "How to Read
/// Floating Point Numbers Accurately", 1990.
fn leading_number(text: &[u8]) -> Option<(f64, usize)> {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let (whole, whole_end) = digits(text, sign, 0);
    let (mut mantissa, mut at) = (whole, whole_end);
    let mut num_digits = whole_end - sign;
    let mut exponent = 0;
    if text.get(at) == Some(&b'.') {
        (mantissa, at) = digits(text, whole_end + 1, whole);
        let num_decimals = at - (whole_end + 1);
        num_digits += num_decimals;
        exponent -= i64::try_from(num_decimals).ok()?;
    }
    if num_digits == 0 || num_digits > MAX_DIGITS || mantissa > MAX_EXACT {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let (stated, len) = leading_integer(text.get(at + 1..)?)?;
        exponent = exponent.checked_add(stated)?;
        at += 1 + len;
    }
    if !matches!(text.get(at), None | Some(b' ')) {
        return None;
    }
    let power = POWERS_OF_TEN.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
    let value = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
    Some((if text.first() == Some(&b'-') { -value } else { value }, at))
}

/// Appends the digits at `at` to `value`; returns it with their end. Too many digits wrap.
fn digits(text: &[u8], at: usize, mut value: u64) -> (u64, usize) {
    let mut num = 0;
    for byte in text.get(at..).unwrap_or_default() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        num += 1;
    }
    (value, at + num)
}

/// A whole number with an optional sign, and its length; numbers beyond any list saturate.
pub(super) fn leading_integer(text: &[u8]) -> Option<(i64, usize)> {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let (value, end) = digits(text, sign, 0);
    let digits = text.get(sign..end)?;
    if digits.is_empty() {
        return None;
    }
    let is_long = digits.len() > MAX_DIGITS
        && digits.iter().skip_while(|digit| **digit == b'0').count() > MAX_DIGITS;
    let value = if is_long { i64::MAX } else { i64::try_from(value).unwrap_or(i64::MAX) };
    Some((if text.first() == Some(&b'-') { -value } else { value }, end))
}

/// Nearest single-precision value, with -0 as 0 and a single NaN, so that equal values have equal bits.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(super) fn single(value: f64) -> f32 {
    let value = value as f32;
    if value.is_nan() { f32::NAN } else { value + 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_like_the_standard_library() {
        for word in [
            "0",
            "-0",
            "1",
            "-1.5",
            "+.5",
            "5.",
            "0.1",
            "0.30000001192092896",
            "1e22",
            "1E-5",
            "9007199254740993",
            "123456789012345678901234567890",
            "1.7976931348623157e-308",
            "0.000000000000000000000000000001",
            "3.4e38",
            "-1.25e+3",
            "00000000000000000000001.5",
        ] {
            let expected = word.parse::<f64>().unwrap();
            let value = number(word.as_bytes()).unwrap();
            assert_eq!(value.to_bits(), expected.to_bits(), "{word}");
        }
        for word in ["nan", "-inf", "1e39", "-1e999", "1.#QNAN", "-nan(ind)"] {
            assert!(number(word.as_bytes()).unwrap().is_nan(), "{word}");
        }
        for word in ["", "-", ".", "-.", "e5", "1e", "1e+", "1,5", "1x", "1 ", "--1", "1.2.3"] {
            assert_eq!(number(word.as_bytes()), None, "{word:?}");
        }
    }

    #[test]
    fn numbers_are_separated_only_by_spaces() {
        let mut values = [0.0; 3];
        assert_eq!(numbers(b" 1  -2.5 3e1 ", &mut values), Some(3));
        assert_eq!(values, [1.0, -2.5, 30.0]);
        assert_eq!(numbers(b"", &mut values), Some(0));
        for text in ["1 2 3 4", "1\t2", "1 x", "1 nan"] {
            assert_eq!(numbers(text.as_bytes(), &mut values), None, "{text}");
        }
    }

    #[test]
    fn out_of_range_integers_saturate() {
        assert_eq!(leading_integer(b"-12/3"), Some((-12, 3)));
        assert_eq!(leading_integer(b"+0000000000000000000000000007 "), Some((7, 29)));
        assert_eq!(leading_integer(b"-99999999999999999999"), Some((-i64::MAX, 21)));
        assert_eq!(leading_integer(b"-"), None);
    }
}
