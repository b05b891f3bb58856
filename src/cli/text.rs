//! Numbers and names for people.

use std::path::Path;

use glam::Vec3;

/// `text` with control characters spelled out: a name in a file must not steer the terminal.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

/// A path as it can be printed.
pub(super) fn path(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// A whole number in groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`.
pub(super) fn counted(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(number))
}

/// A point with few digits, fit for reading but not for reading back.
pub(super) fn point(v: Vec3) -> String {
    let number = |x: f32| {
        let digits = match x.abs() {
            x if x >= 1e7 || (x > 0.0 && x < 1e-4) => return format!("{x:.3e}"),
            x if x >= 100.0 => 2,
            x if x >= 1.0 => 3,
            _ => 4,
        };
        format!("{x:.digits$}")
    };
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        let shown: Vec<_> = [0, 7, 999, 1000, 1_317_065].map(grouped).into();
        assert_eq!(shown, ["0", "7", "999", "1,000", "1,317,065"]);
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(1200, "file"), "1,200 files");
    }

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(plain("Haar – ö"), "Haar – ö");
    }
}
