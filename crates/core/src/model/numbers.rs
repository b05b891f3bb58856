//! Formatted numbers and units: one style for the window, the command line and the messages.
//!
//! Not for: numbers that are parsed again (JSON, CSV, copied matrices), which keep all their
//! digits.
//!
//! Invariant: no result is `-0`, and none between 0.0001 and 10,000,000 has an exponent.

/// Significant digits of a value.
const DIGITS: usize = 4;
/// Minimum decimals of coordinates, unless these are zero in all of them.
const MIN_COORDINATE_DECIMALS: usize = 2;
/// Significant digits of a length with a unit.
const LENGTH_DIGITS: usize = 3;
/// Magnitudes that are written without an exponent.
const PLAIN: std::ops::Range<f64> = 1e-4..1e7;

/// An integer in groups of three digits: `1,317,065`.
pub fn grouped(number: u64) -> String {
    group(&number.to_string())
}

/// Inserts commas into the integer part of a decimal number.
fn group(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 4 / 3 + 1);
    out.push_str(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out.push_str(fraction);
    out
}

/// A value with four significant digits: `13.7`, `0.001234`, `12,346`.
pub fn number(value: impl Into<f64>) -> String {
    significant(value.into(), DIGITS)
}

/// A value with `digits` significant digits, without trailing zeros.
pub fn significant(value: f64, digits: usize) -> String {
    match special(value) {
        Some(text) => text.to_owned(),
        None if PLAIN.contains(&value.abs()) => {
            let text = format!("{value:.*}", decimals(value.abs(), digits));
            group(trimmed(&text))
        }
        None => exponential(value, digits),
    }
}

/// Values that are read together, such as coordinates: all with as many decimals as the largest
/// needs.
pub fn aligned(values: &[f32]) -> Vec<String> {
    let finite = values.iter().filter(|value| value.is_finite());
    let largest = finite.fold(0.0f64, |largest, &value| largest.max(f64::from(value).abs()));
    if !PLAIN.contains(&largest) {
        return values.iter().map(|&value| number(value)).collect();
    }
    // Large coordinates of neighbouring vertices differ only in their decimals.
    let most = decimals(largest, DIGITS).max(MIN_COORDINATE_DECIMALS);
    let text = |value: f32, decimals| fixed(f64::from(value), decimals);
    // Decimals that are zero in all values are omitted.
    let needed =
        |&value: &f32| trimmed(&text(value, most)).split_once('.').map_or(0, |(_, d)| d.len());
    let decimals = values.iter().filter(|v| v.is_finite()).map(needed).max().unwrap_or(0);
    values.iter().map(|&value| group(&text(value, decimals))).collect()
}

/// A value with a fixed number of decimals, for columns and clocks.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = match special(value) {
        Some(text) if value != 0.0 => return text.to_owned(),
        _ => format!("{value:.decimals$}"),
    };
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// A fraction as a percentage, 1 being 100 %: `12 %`, `0.34 %`.
pub fn percent(share: impl Into<f64>) -> String {
    let percent = 100.0 * share.into();
    match percent.abs() {
        size if size >= 9.95 => format!("{} %", group(&fixed(percent, 0))),
        size if size > 0.0 && size < 0.01 => "less than 0.01 %".to_owned(),
        _ => format!("{} %", significant(percent, 2)),
    }
}

/// The largest of several fractions, after a verb or `by`: `up to 12 %`, `less than 0.01 %`.
pub fn up_to_percent(share: impl Into<f64>) -> String {
    match percent(share) {
        small if small.starts_with("less") => small,
        text => format!("up to {text}"),
    }
}

/// An angle in degrees: `17.6°`.
pub fn degrees(degrees: impl Into<f64>) -> String {
    let degrees = degrees.into();
    match degrees.abs() {
        size if size >= 1.0 => format!("{}°", trimmed(&fixed(degrees, 1))),
        _ => format!("{}°", significant(degrees, 2)),
    }
}

/// A duration: `1.25 s`, `0.4 ms`.
pub fn seconds(secs: f64) -> String {
    match secs.abs() {
        size if size > 0.0 && size < 1e-3 => format!("{} ms", significant(secs * 1e3, 3)),
        _ if special(secs).is_some() => format!("{} s", significant(secs, DIGITS)),
        _ => format!("{} s", group(trimmed(&fixed(secs, 3)))),
    }
}

/// A length: if in metres, in a unit that fits its size (`4.1 mm`, `12 cm`, `1.82 m`), otherwise in
/// the file's unit, which is unknown.
pub fn length(value: impl Into<f64>, is_in_meters: bool) -> String {
    let value = value.into();
    if !is_in_meters {
        return format!("{} units", number(value));
    }
    let (factor, unit) = unit_of(value);
    format!("{} {unit}", significant(value * factor, LENGTH_DIGITS))
}

/// The dimensions of a box, all in the unit of the longest side: `0.299 × 0.428 × 1.9 m`.
pub fn dimensions(sides: [f32; 3], is_in_meters: bool) -> String {
    let sides = sides.map(f64::from);
    let longest = sides.into_iter().fold(0.0, f64::max);
    let (factor, unit) = if is_in_meters { unit_of(longest) } else { (1.0, "units") };
    let sides = sides.map(|side| significant(side * factor, LENGTH_DIGITS));
    format!("{} {unit}", sides.join(" × "))
}

/// The unit that fits a length, and its number per metre.
fn unit_of(meters: f64) -> (f64, &'static str) {
    match meters.abs() {
        size if size > 0.0 && size < 1e-6 => (1e6, "µm"),
        size if size > 0.0 && size < 1e-2 => (1e3, "mm"),
        size if size > 0.0 && size < 1.0 => (1e2, "cm"),
        _ => (1.0, "m"),
    }
}

/// A value with its unit; a degree sign follows the number directly.
pub fn with_unit(value: impl Into<f64>, unit: &str) -> String {
    let value = number(value);
    match unit {
        "" => value,
        "°" => format!("{value}°"),
        _ => format!("{value} {unit}"),
    }
}

/// The text of values without digits.
fn special(value: f64) -> Option<&'static str> {
    match value {
        0.0 => Some("0"),
        f64::INFINITY => Some("∞"),
        f64::NEG_INFINITY => Some("-∞"),
        _ if value.is_nan() => Some("not a number"),
        _ => None,
    }
}

/// Number of decimals that shows `digits` significant digits of `magnitude`, which is in [`PLAIN`].
fn decimals(magnitude: f64, digits: usize) -> usize {
    let mut decimals = digits.saturating_sub(1);
    let mut size = magnitude;
    while size < 1.0 && size > 0.0 {
        size *= 10.0;
        decimals += 1;
    }
    while size >= 10.0 && decimals > 0 {
        size /= 10.0;
        decimals -= 1;
    }
    decimals
}

fn exponential(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => text,
    }
}

/// The number without trailing zeros in its decimals.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_groups_of_three_digits() {
        let shown: Vec<_> = [0, 7, 999, 1000, 1_317_065].map(grouped).into();
        assert_eq!(shown, ["0", "7", "999", "1,000", "1,317,065"]);
    }

    #[test]
    fn values_keep_four_significant_digits_and_no_trailing_zeros() {
        let values = [0.0, -0.0, -1.0, 13.7, 1234.56, 0.001_234_1, 1e-4, 9_999_999.0, -12_345.6];
        let expected =
            ["0", "0", "-1", "13.7", "1,235", "0.001234", "0.0001", "9,999,999", "-12,346"];
        assert_eq!(values.map(number), expected);
    }

    #[test]
    fn only_very_small_and_very_large_values_have_exponents() {
        assert_eq!(
            [9.9e-5, 1.5e-7, 1e7, -2.5e9].map(number),
            ["9.9e-5", "1.5e-7", "1e7", "-2.5e9"]
        );
        let mut value = 1.000_1e-4;
        while value < 1e7 {
            assert!(!number(value).contains('e') && !number(-value).contains('e'), "{value}");
            value *= 1.7;
        }
        assert_eq!([f64::NAN, f64::INFINITY].map(number), ["not a number", "∞"]);
    }

    #[test]
    fn aligned_values_have_the_same_decimals_and_no_negative_zero() {
        assert_eq!(aligned(&[-7.3e-22, 32.891, -11.251]), ["0.00", "32.89", "-11.25"]);
        assert_eq!(aligned(&[0.0, -0.0, 1.0]), ["0", "0", "1"]);
        assert_eq!(aligned(&[-2752.13, 77.0]), ["-2,752.13", "77.00"]);
        assert_eq!(aligned(&[12.5, -0.000_01]), ["12.5", "0.0"]);
        assert_eq!(aligned(&[3e-5, 1e-6]), ["3e-5", "1e-6"]);
        assert_eq!(aligned(&[f32::NAN, 2.0]), ["not a number", "2"]);
    }

    #[test]
    fn small_percentages_have_one_limit() {
        assert_eq!([0.12, 1e-7].map(up_to_percent), ["up to 12 %", "less than 0.01 %"]);
    }

    #[test]
    fn units_follow_a_space_except_the_degree_sign() {
        assert_eq!(
            [0.0, 0.12, 0.0034, 1.04, 46.67, 1e-7].map(percent),
            ["0 %", "12 %", "0.34 %", "104 %", "4,667 %", "less than 0.01 %"]
        );
        assert_eq!([0.0, 17.62, 180.0, 0.354].map(degrees), ["0°", "17.6°", "180°", "0.35°"]);
        assert_eq!([0.0, 1.25, 0.0004, 2.0].map(seconds), ["0 s", "1.25 s", "0.4 ms", "2 s"]);
        assert_eq!([with_unit(3.5, "°"), with_unit(2.0, "tiles")], ["3.5°", "2 tiles"]);
    }

    #[test]
    fn lengths_use_the_metric_unit_that_fits_their_size() {
        let shown = [0.0, 4e-7, 0.0041, 0.12, 1.823, -0.5, 180.0].map(|value| length(value, true));
        assert_eq!(shown, ["0 m", "0.4 µm", "4.1 mm", "12 cm", "1.82 m", "-50 cm", "180 m"]);
        assert_eq!(length(13.7, false), "13.7 units");
    }

    #[test]
    fn the_sides_of_a_box_share_a_unit() {
        assert_eq!(dimensions([0.2994, 0.428, 1.9], true), "0.299 × 0.428 × 1.9 m");
        assert_eq!(dimensions([0.0, 0.012, 0.5], true), "0 × 1.2 × 50 cm");
        assert_eq!(dimensions([1.0, 20.0, 300.0], false), "1 × 20 × 300 units");
    }
}
