//! Bytes of images to linear light, and back. The byte nearest to some light is looked up: pictures have
//! millions of pixels, and a power each is most of what finishing one takes.

use std::sync::LazyLock;

use glam::Vec4;

use crate::model::{color_from_srgb8, srgb8_from_color};

/// Light of one byte of a picture.
pub(super) fn linear_from_srgb(byte: u8) -> f32 {
    color_from_srgb8([byte, 0, 0, 0]).x
}

/// The byte for `value`, 0..=1: to the bit what [`srgb8_from_color`] gives.
pub(super) fn srgb_from_linear(value: f32) -> u8 {
    static STEPS: LazyLock<Steps> = LazyLock::new(Steps::new);
    STEPS.byte(value)
}

/// Parts of 0..=1, each shorter than the step of a byte where those are shortest.
const PARTS: usize = 4096;

struct Steps {
    /// The least value of each byte; nothing comes after the last.
    least: [f32; 257],
    /// The byte where each part begins.
    first: [u8; PARTS + 1],
}

impl Steps {
    fn new() -> Self {
        let exact = |value: f32| srgb8_from_color(Vec4::X * value)[0];
        let mut least = [f32::INFINITY; 257];
        for (byte, least) in (0..=u8::MAX).zip(&mut least) {
            // Positive floats are in the order of their bits.
            let (mut low, mut high) = (0, 1f32.to_bits());
            while low < high {
                let middle = low.midpoint(high);
                match exact(f32::from_bits(middle)) >= byte {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            *least = f32::from_bits(high);
        }
        let first = std::array::from_fn(|part| exact(part as f32 / PARTS as f32));
        Self { least, first }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped; what is no number is the first part"
    )]
    fn byte(&self, value: f32) -> u8 {
        let part = (value.clamp(0.0, 1.0) * PARTS as f32) as usize;
        let mut byte = self.first[part];
        while value >= self.least[usize::from(byte) + 1] {
            byte += 1;
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_is_what_is_computed() {
        let exact = |value: f32| srgb8_from_color(Vec4::X * value)[0];
        let even = (0..=200_000u32).map(|step| step as f32 / 200_000.0);
        let around = (0..=u8::MAX).flat_map(|byte| {
            let at = linear_from_srgb(byte).midpoint(linear_from_srgb(byte.saturating_add(1)));
            (-40..40).map(move |ulps: i32| f32::from_bits(at.to_bits().saturating_add_signed(ulps)))
        });
        let parts = (0..=4096u16).map(|part| f32::from(part) / 4096.0);
        for value in even.chain(around).chain(parts).chain([-1.0, -0.0, 2.0, f32::NAN]) {
            assert_eq!(srgb_from_linear(value), exact(value), "{value}");
        }
    }
}
