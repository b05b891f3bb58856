//! Bytes of images to linear light, and back.

use glam::Vec4;

use crate::model::{color_from_srgb8, srgb8_from_color};

/// Light of one byte of a picture.
pub(super) fn linear_from_srgb(byte: u8) -> f32 {
    color_from_srgb8([byte, 0, 0, 0]).x
}

/// The byte for `value`, 0..=1.
pub(super) fn srgb_from_linear(value: f32) -> u8 {
    let [byte, ..] = srgb8_from_color(Vec4::X * value);
    byte
}
