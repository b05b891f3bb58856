//! Recognizes numbers.

/// Whether a word is the output of a C library for infinity or NaN, beyond those that `str::parse`
/// accepts: `1.#INF`, `-1.#IND00`, `1.#QNAN`, `-nan(ind)`.
pub fn is_not_finite(word: &str) -> bool {
    let word = word.strip_prefix(['-', '+']).unwrap_or(word);
    let is_word = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if let Some((digit, rest)) = word.split_once(".#") {
        return digit.len() == 1 && digit.bytes().all(|b| b.is_ascii_digit()) && is_word(rest);
    }
    let inner = word
        .get(..4)
        .filter(|front| front.eq_ignore_ascii_case("nan("))
        .and_then(|front| word.get(front.len()..)?.strip_suffix(')'));
    inner.is_some_and(is_word)
}

/// Whether a word is a finite number of plain digits, without parsing its value.
pub fn is_plain_number(word: &[u8]) -> bool {
    let digits = match word {
        [b'-' | b'+', digits @ ..] => digits,
        digits => digits,
    };
    let (mut num_digits, mut has_point) = (0, false);
    for byte in digits {
        match byte {
            b'0'..=b'9' => num_digits += 1,
            b'.' if !has_point => has_point = true,
            _ => return false,
        }
    }
    // The value of more digits may be too large.
    (1..=MAX_PLAIN_DIGITS).contains(&num_digits)
}

/// This many digits can't be infinite in single precision.
const MAX_PLAIN_DIGITS: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_finite_numbers_of_c_libraries_are_recognized() {
        for word in ["1.#INF", "-1.#IND00", "1.#QNAN", "-nan(ind)", "NAN(snan)"] {
            assert!(is_not_finite(word), "{word}");
        }
        for word in ["1.5", "nan", "#", "1.#-", "x.#INF", "nan(", "12.#INF"] {
            assert!(!is_not_finite(word), "{word}");
        }
    }

    #[test]
    fn plain_numbers_are_finite_numbers() {
        for word in ["0", "-1.5", "+.5", "5.", "123456789012345678901234567890"] {
            assert!(is_plain_number(word.as_bytes()), "{word}");
            assert!(word.parse::<f32>().is_ok_and(f32::is_finite), "{word}");
        }
        for word in ["", "-", ".", "1e5", "1.2.3", "1-2", "--1", "1,5", &"9".repeat(40)] {
            assert!(!is_plain_number(word.as_bytes()), "{word}");
        }
    }
}
