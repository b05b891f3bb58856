//! Numbers for people.

use glam::{Affine3A, Vec3};

use crate::model::{Severity, plural};

/// With thin spaces between thousands.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// `1 triangle`, `1 200 triangles`.
pub(super) fn counted(number: usize, one: &str) -> String {
    format!("{} {}", count(number), plural(number as u64, one))
}

/// `errors`, `warnings`, `info`.
pub(super) fn severities(severity: Severity) -> String {
    match severity {
        // No word that can be counted.
        Severity::Info => severity.as_str().to_owned(),
        Severity::Error | Severity::Warning => plural(0, severity.as_str()),
    }
}

/// `1 error`, `2 warnings`, `7 info`.
pub(super) fn counted_severity(number: usize, severity: Severity) -> String {
    match severity {
        Severity::Info => format!("{} {}", count(number), severity.as_str()),
        Severity::Error | Severity::Warning => counted(number, severity.as_str()),
    }
}

/// In the largest unit that leaves a whole number.
pub(super) fn bytes(number: u64) -> String {
    const KIB: f64 = 1024.0;
    let number_f = number as f64;
    if number_f >= KIB * KIB {
        format!("{:.1} MiB", number_f / (KIB * KIB))
    } else if number_f >= KIB {
        format!("{:.1} KiB", number_f / KIB)
    } else {
        format!("{number} B")
    }
}

/// Four significant digits without a useless tail.
pub(super) fn float(value: f32) -> String {
    like(value, value)
}

/// Numbers of one row, all with as many digits behind the point as the largest.
pub(super) fn alike<const N: usize>(values: [f32; N]) -> [String; N] {
    let largest = values.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    values.map(|value| match (value == 0.0, largest) {
        // Four decimals would leave one digit or two.
        (false, 1e-4..1e-3) => format!("{value:.3e}"),
        (false, 1e-3..1e-1) => format!("{value:.5}"),
        _ => like(value, largest),
    })
}

fn like(value: f32, largest: f32) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = largest.abs();
    if !(1e-4..1e6).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = match magnitude {
        m if m >= 1000.0 => 1,
        m if m >= 100.0 => 2,
        m if m >= 10.0 => 3,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

/// A measured value, to six significant digits.
pub(super) fn measured(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        m if m >= 1e5 => 0,
        m if m >= 1e4 => 1,
        m if m >= 1e3 => 2,
        m if m >= 100.0 => 3,
        m if m >= 10.0 => 4,
        _ => 5,
    };
    match magnitude {
        m if m > 0.0 && !(1e-4..1e9).contains(&m) => format!("{value:.4e}"),
        _ => format!("{value:.decimals$}"),
    }
}

/// What is said as a sentence that begins large. Names stay as they are: of files, formats and parts
/// of models, which have more in them than small letters.
pub(super) fn capital(text: &str) -> String {
    let word = text.split([' ', ':', ',']).next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if word.chars().all(|c| c.is_ascii_lowercase()) => {
            format!("{}{}", first.to_ascii_uppercase(), chars.as_str())
        }
        _ => text.to_owned(),
    }
}

/// Three numbers in a row.
pub(super) fn vec3(v: Vec3) -> String {
    row(&v.to_array())
}

/// Numbers in a row; beside large ones small ones have no digits of their own.
pub(super) fn row(values: &[f32]) -> String {
    let largest = values.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    let texts = values.iter().map(|&value| {
        let text = like(value, largest);
        match text.strip_prefix('-') {
            // No minus before nothing.
            Some(rest) if rest.parse() == Ok(0.0) => rest.to_owned(),
            _ => text,
        }
    });
    texts.collect::<Vec<_>>().join("  ")
}

/// The three rows of a matrix for column vectors.
pub(super) fn matrix_rows(m: &Affine3A) -> [[f32; 4]; 3] {
    let (a, t) = (m.matrix3, m.translation);
    [
        [a.x_axis.x, a.y_axis.x, a.z_axis.x, t.x],
        [a.x_axis.y, a.y_axis.y, a.z_axis.y, t.y],
        [a.x_axis.z, a.y_axis.z, a.z_axis.z, t.z],
    ]
}

/// Bytes in hexadecimal, a space between them.
pub(super) fn hex(bytes: &[u8]) -> String {
    let texts: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1\u{2009}234\u{2009}567");
    }

    #[test]
    fn floats_keep_about_four_digits() {
        assert_eq!(float(0.0), "0");
        assert_eq!(float(-1.0), "-1.0000");
        assert_eq!(float(1234.56), "1234.6");
        assert_eq!(float(1e-7), "1.000e-7");
    }

    #[test]
    fn numbers_of_a_row_have_the_digits_of_the_largest() {
        assert_eq!(alike([12.0, 0.001_234]), ["12.000", "0.001"]);
        assert_eq!(alike([4e-7, 5.2e-8]), ["4.000e-7", "5.200e-8"]);
        assert_eq!(alike([0.002_814, 0.0]), ["0.00281", "0"]);
        assert_eq!(alike([9.217e-4, 1e-4]), ["9.217e-4", "1.000e-4"]);
        assert_eq!(alike([0.0, 0.0]), ["0", "0"]);
    }

    #[test]
    fn small_numbers_of_a_row_are_nothing_beside_large_ones() {
        assert_eq!(row(&[-7.3e-22, 32.891, -11.251]), "0.000  32.891  -11.251");
        assert_eq!(row(&[3e-5, 1e-6]), "3.000e-5  1.000e-6");
        assert_eq!(row(&[0.0, 0.0, 1.0]), "0  0  1.0000");
    }

    #[test]
    fn sentences_begin_large_and_names_stay() {
        assert_eq!(capital("there is no vertex and no bone"), "There is no vertex and no bone");
        assert_eq!(capital("written: out.glb"), "Written: out.glb");
        assert_eq!(capital("hero.bsm2: it is gone"), "hero.bsm2: it is gone");
        assert_eq!(capital("bsm2: the end"), "bsm2: the end");
        assert_eq!(capital("\u{e9}t\u{e9}"), "\u{e9}t\u{e9}");
        assert_eq!(capital(""), "");
    }

    #[test]
    fn measured_values_keep_six_digits() {
        assert_eq!(measured(0.0), "0.00000");
        assert_eq!(measured(1.234_567_8), "1.23457");
        assert_eq!(measured(123.456_78), "123.457");
        assert_eq!(measured(1.5e-6), "1.5000e-6");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes(226), "226 B");
        assert_eq!(bytes(1_317_065), "1.3 MiB");
    }
}
