//! Linear and encoded colours, and the colours of numbered items, the same in every image and pane.

use glam::Vec4;

/// Linear RGB colours of vertices by their number of influences: 0, 1, 2, 3, 4, and 5 or more. From
/// cold to warm; both ends also differ in brightness.
/// Keep in sync with `shaders/common.wgsl`.
pub const INFLUENCE_COLORS: [[f32; 3]; 6] = [
    [0.75, 0.75, 0.75],
    [0.03, 0.10, 0.55],
    [0.02, 0.42, 0.48],
    [0.12, 0.45, 0.06],
    [0.72, 0.45, 0.02],
    [0.70, 0.04, 0.05],
];

/// Advances hues by the golden ratio, which keeps successive hues apart.
const HUE_STEP: f32 = 0.618_034;
/// Hue of number 0: blue.
const FIRST_HUE: f32 = 0.58;

/// A colour for subset `number`, linear RGB: neighbours differ clearly, and all are about equally
/// bright.
#[must_use]
pub fn subset_color(number: usize) -> [f32; 3] {
    let hue = (FIRST_HUE + (number % 4096) as f32 * HUE_STEP).fract();
    // Three cosines, each shifted by a third of a turn.
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let wave = 0.5 + 0.5 * (std::f32::consts::TAU * (hue - shift)).cos();
        0.10 + 0.52 * wave
    })
}

/// Decodes a value encoded as sRGB (IEC 61966-2-1). Values below 0 and above 1 continue along the
/// same curve, so that none is lost.
#[must_use]
pub fn linear_from_srgb(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The inverse of [`linear_from_srgb`].
#[must_use]
pub fn srgb_from_linear(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Converts a colour whose RGB is sRGB-encoded to linear RGBA; alpha is never encoded.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub fn color_from_srgb([r, g, b, a]: [f64; 4]) -> Vec4 {
    let [r, g, b] = [r, g, b].map(|value| linear_from_srgb(value) as f32);
    Vec4::new(r, g, b, a as f32)
}

/// The inverse of [`color_from_srgb`].
#[must_use]
pub fn srgb_from_color(color: Vec4) -> [f64; 4] {
    let [r, g, b, a] = color.to_array().map(f64::from);
    let [r, g, b] = [r, g, b].map(srgb_from_linear);
    [r, g, b, a]
}

/// Converts four bytes, RGB of them sRGB-encoded, to linear RGBA.
#[must_use]
pub fn color_from_srgb8(bytes: [u8; 4]) -> Vec4 {
    color_from_srgb(bytes.map(|byte| f64::from(byte) / 255.0))
}

/// The four bytes nearest to a linear colour, RGB encoded as sRGB. Inverts [`color_from_srgb8`]
/// exactly.
#[must_use]
pub fn srgb8_from_color(color: Vec4) -> [u8; 4] {
    #[expect(clippy::cast_possible_truncation, reason = "rounded from 0..=255")]
    #[expect(clippy::cast_sign_loss, reason = "rounded from 0..=255")]
    let byte = |value: f64| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    srgb_from_color(color).map(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_bytes_round_trip_and_linear_half_is_188() {
        for byte in 0..=255 {
            let bytes = [byte, 255 - byte, byte / 2, byte];
            assert_eq!(srgb8_from_color(color_from_srgb8(bytes)), bytes);
        }
        assert_eq!(srgb8_from_color(Vec4::splat(0.5)), [188, 188, 188, 128]);
        assert_eq!(color_from_srgb8([255, 0, 0, 51]), Vec4::new(1.0, 0.0, 0.0, 0.2));
    }

    #[test]
    fn values_outside_0_to_1_round_trip() {
        for value in [-3.0, -0.01, 1.5, 40.0] {
            let back = srgb_from_linear(linear_from_srgb(value));
            assert!((back - value).abs() < 1e-12 * value.abs(), "{value}: {back}");
        }
    }

    #[test]
    fn adjacent_subset_colors_differ_clearly() {
        for number in 0..200 {
            let (a, b) = (subset_color(number), subset_color(number + 1));
            let difference: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
            assert!(difference > 0.3, "{number}: {difference}");
        }
    }
}
