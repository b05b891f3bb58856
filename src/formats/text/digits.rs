//! Numbers as text, as short as `Display` writes them and several times as fast.

use std::fmt::Write;

/// Appends the shortest decimal that reads back to `number`, without an exponent. Of two that are as near
/// the even one, as in JSON.
pub fn push_f32(out: &mut String, number: f32) {
    if number.is_finite() {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(number);
        if !text.contains('e') {
            out.push_str(text.strip_suffix(".0").unwrap_or(text));
            return;
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
}

/// Appends a whole number.
pub fn push_usize(out: &mut String, number: usize) {
    out.push_str(itoa::Buffer::new().format(number));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f32) -> String {
        let mut out = String::new();
        push_f32(&mut out, number);
        out
    }

    #[test]
    fn numbers_read_back_and_are_as_short_as_can_be() {
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
    fn numbers_are_written_as_display_writes_them_but_for_ties() {
        let numbers = [0.0, -0.0, 1.0, -1.5, 0.1, 16_777_216.0, f32::INFINITY, f32::NAN];
        for number in numbers {
            assert_eq!(text(number), number.to_string());
        }
        // 1.03515625: as near to both.
        assert_eq!(text(1.0 + 9.0 / 256.0), "1.0351562");
        for number in [0, 7, 10, usize::MAX] {
            let mut out = String::new();
            push_usize(&mut out, number);
            assert_eq!(out, number.to_string());
        }
    }
}
