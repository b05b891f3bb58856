//! Conversion between sRGB bytes and linear values. Encoding uses a table: images have millions of pixels,
//! and a power function per pixel would take most of the time.

use std::sync::LazyLock;

use glam::Vec4;

use rigscope_core::model::{color_from_srgb8, srgb8_from_color};

/// The linear value of an sRGB byte.
pub(super) fn linear_from_srgb(byte: u8) -> f32 {
    color_from_srgb8([byte, 0, 0, 0]).x
}

/// The byte for `value`, 0..=1, identical to the result of [`srgb8_from_color`].
pub(super) fn srgb_from_linear(value: f32) -> u8 {
    SrgbEncoder::get().byte(value)
}

/// Intervals of 0..=1, each shorter than the smallest step between bytes, so that none contains two steps.
const PARTS: f32 = 4096.0;
/// Floats from here on are integers, which are in their low bits.
const WHOLE: f32 = 8_388_608.0;
/// More than the number of intervals, so that lookups need no bounds check.
const NUM_ENTRIES: usize = 8192;

/// The value at which each byte begins.
pub(super) struct SrgbEncoder {
    /// The smallest value of each byte, and infinity at the end.
    least: [f32; 257],
    /// The byte at the start of each interval, half an interval before its centre.
    first: [u8; NUM_ENTRIES],
}

impl SrgbEncoder {
    /// For many values; for one, use [`srgb_from_linear`].
    pub(super) fn get() -> &'static Self {
        static ENCODER: LazyLock<SrgbEncoder> = LazyLock::new(SrgbEncoder::new);
        &ENCODER
    }

    fn new() -> Self {
        let exact = |value: f32| srgb8_from_color(Vec4::X * value)[0];
        let mut least = [f32::INFINITY; 257];
        for (byte, least) in (0..=u8::MAX).zip(&mut least) {
            // Positive floats are ordered like their bits.
            let (mut low, mut high) = (0, 1f32.to_bits());
            while low < high {
                let middle = low.midpoint(high);
                if exact(f32::from_bits(middle)) >= byte { high = middle } else { low = middle + 1 }
            }
            *least = f32::from_bits(high);
        }
        let first =
            std::array::from_fn(|part| exact(((part as f32 - 0.5) / PARTS).clamp(0.0, 1.0)));
        Self { least, first }
    }

    /// The byte for `value`, 0..=1; 0 for NaN.
    #[expect(clippy::manual_clamp, reason = "`clamp` would keep NaN")]
    pub(super) fn byte(&self, value: f32) -> u8 {
        // Rounds by an addition: a saturating cast would take as long as the rest.
        let value = value.max(0.0).min(1.0);
        let part = (value * PARTS + WHOLE).to_bits() as usize % NUM_ENTRIES;
        let byte = self.first[part];
        byte + u8::from(value >= self.least[usize::from(byte) + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_matches_the_formula() {
        let exact = |value: f32| srgb8_from_color(Vec4::X * value)[0];
        let even = (0..=200_000u32).map(|step| step as f32 / 200_000.0);
        let around = (0..=u8::MAX).flat_map(|byte| {
            let at = linear_from_srgb(byte).midpoint(linear_from_srgb(byte.saturating_add(1)));
            (-40..40).map(move |ulps: i32| f32::from_bits(at.to_bits().saturating_add_signed(ulps)))
        });
        let parts = (0..=8192u16).map(|part| f32::from(part) / 8192.0);
        for value in
            even.chain(around).chain(parts).chain([-1.0, -0.0, 2.0, f32::INFINITY, f32::NAN])
        {
            assert_eq!(srgb_from_linear(value), exact(value), "{value}");
        }
    }
}
