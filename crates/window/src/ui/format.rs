//! Number formatting: `model::numbers` with the window's nouns and units.

use glam::{Affine3A, Vec3};

use rigscope_core::model::numbers::{self, aligned, fixed, grouped, significant};
pub(super) use rigscope_core::model::numbers::{degrees, number, percent, seconds, with_unit};
use rigscope_core::model::{ClipId, Severity, plural};
use rigscope_state::{AppState, DISPLAY_UNITS};

/// With a comma between thousands.
pub(super) fn count(number: usize) -> String {
    grouped(number as u64)
}

/// `1 triangle`, `1,200 triangles`.
pub(super) fn counted(number: usize, one: &str) -> String {
    format!("{} {}", count(number), plural(number as u64, one))
}

/// `errors`, `warnings`, `info`.
pub(super) fn severities(severity: Severity) -> String {
    match severity {
        // "info" has no plural.
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

/// A size in the largest suitable unit.
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

/// A measured value with six significant digits.
pub(super) fn measured(value: f64) -> String {
    significant(value, 6)
}

/// Starts a sentence with a capital letter. Names of files, formats and model parts, which don't consist of
/// lower-case letters only, stay unchanged.
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

/// Coordinates in a row.
pub(super) fn vec3(v: Vec3) -> String {
    row(&v.to_array())
}

/// Numbers in a row, with as many decimals as the largest needs.
pub(super) fn row(values: &[f32]) -> String {
    aligned(values).join("  ")
}

/// A length in display units, in a readable unit.
pub(super) fn length(state: &AppState, display_units: impl Into<f64>) -> String {
    numbers::length(display_units, state.is_in_meters())
}

/// A time of `clip` in the unit that the timeline shows: `0.25 s` or `frame 7.5`.
pub(super) fn time(state: &AppState, clip: Option<ClipId>, secs: f64) -> String {
    match clip.and_then(|clip| state.shown_frame_secs(clip)) {
        Some(frame_secs) => format!("frame {}", frames(secs / frame_secs)),
        None => seconds(secs),
    }
}

/// A length of time within `clip`: `0.25 s` or `7.5 frames`.
pub(super) fn duration(state: &AppState, clip: Option<ClipId>, secs: f64) -> String {
    match clip.and_then(|clip| state.shown_frame_secs(clip)) {
        Some(frame_secs) => match frames(secs / frame_secs) {
            one if one == "1" => "1 frame".to_owned(),
            many => format!("{many} frames"),
        },
        None => seconds(secs),
    }
}

/// A number of frames with up to two decimals.
pub(super) fn frames(number: f64) -> String {
    // Adding 0 avoids "-0".
    let rounded = (number * 100.0).round() / 100.0 + 0.0;
    rounded.to_string()
}

/// A value in `unit`; [`DISPLAY_UNITS`] are lengths in the model's display space.
pub(super) fn in_unit(state: &AppState, value: impl Into<f64>, unit: &str) -> String {
    match unit {
        DISPLAY_UNITS => length(state, value),
        _ => with_unit(value, unit),
    }
}

/// A number of a matrix column: at most five significant digits and four decimals.
pub(super) fn matrix_number(value: f32) -> String {
    let value = f64::from(value);
    let decimals = match value.abs() {
        0.0 | 1.0 => 0,
        size if size >= 1e7 => return format!("{value:.1e}"),
        size if size >= 1e4 => 0,
        size if size >= 1e3 => 1,
        size if size >= 1e2 => 2,
        size if size >= 10.0 => 3,
        _ => 4,
    };
    fixed(value, decimals)
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

/// Bytes in hexadecimal, separated by spaces.
pub(super) fn hex(bytes: &[u8]) -> String {
    let texts: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1_234_567].map(count), ["0", "999", "1,234,567"]);
    }

    #[test]
    fn numbers_of_a_matrix_fit_their_column() {
        let numbers = [0.0, -0.0, 1.0, -0.000_01, 0.5, -137.25, -9_999_999.0, 1e9];
        let shown = numbers.map(matrix_number);
        assert_eq!(shown, ["0", "0", "1", "0.0000", "0.5000", "-137.25", "-9999999", "1.0e9"]);
        assert!(shown.iter().all(|text| text.len() < 9));
    }

    #[test]
    fn sentences_are_capitalised_and_names_unchanged() {
        assert_eq!(capital("there is no vertex and no bone"), "There is no vertex and no bone");
        assert_eq!(capital("written: out.glb"), "Written: out.glb");
        assert_eq!(capital("hero.bsm2: it is gone"), "hero.bsm2: it is gone");
        assert_eq!(capital("bsm2: the end"), "bsm2: the end");
        assert_eq!(capital("\u{e9}t\u{e9}"), "\u{e9}t\u{e9}");
        assert_eq!(capital(""), "");
    }

    #[test]
    fn frames_have_up_to_two_decimals() {
        assert_eq!(
            [0.0, -0.001, 7.5, 29.999_999, 1.0 / 3.0].map(frames),
            ["0", "0", "7.5", "30", "0.33"]
        );
    }

    #[test]
    fn measured_values_keep_six_digits() {
        assert_eq!(
            [0.0, 1.234_567_8, 123.456_78, 1.5e-6].map(measured),
            ["0", "1.23457", "123.457", "1.5e-6"]
        );
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes(226), "226 B");
        assert_eq!(bytes(1_317_065), "1.3 MiB");
    }
}
