//! Channels of several images as one image.

use std::io::Cursor;

use glam::UVec2;
use image::imageops::{FilterType, resize};
use image::{GrayImage, ImageFormat, RgbImage};

use super::{MAX_IMAGE_BYTES, MAX_SIDE, Refusal, Surface, Texels, decode, header_within};
use crate::model::color_from_srgb8;

/// Sizes are brought together by linear steps, which neither overshoot nor ring in numbers.
const FILTER: FilterType = FilterType::Triangle;

/// A channel of an image, which is still encoded.
#[derive(Clone, Copy, Debug)]
pub struct ChannelOf<'a> {
    /// As stored.
    pub bytes: &'a [u8],
    /// What it is called, where its bytes do not tell what it is.
    pub name: &'a str,
    /// 0 red to 3 alpha.
    pub channel: u8,
}

/// Images that became one.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The image, red, green and blue.
    pub png: Vec<u8>,
    /// Its size.
    pub size_px: UVec2,
    /// Which of the parts were of another size.
    pub is_scaled: [bool; 3],
}

/// Joins channels as red, green and blue of one image, as large as the largest; a missing one is 1.
///
/// # Errors
/// What is wrong with an image that cannot be decoded, or with what they would become.
pub fn joined(parts: [Option<ChannelOf<'_>>; 3]) -> Result<Joined, Refusal> {
    let headers = parts
        .map(|part| part.map(|part| header_within(part.bytes, part.name, MAX_SIDE)).transpose());
    let mut sizes = [None; 3];
    for (size, header) in sizes.iter_mut().zip(headers) {
        *size = header?.map(|header| UVec2::new(header.width, header.height));
    }
    let size_px = sizes.into_iter().flatten().fold(UVec2::ONE, UVec2::max);
    let num_texels = u64::from(size_px.x) * u64::from(size_px.y);
    if num_texels * 4 > MAX_IMAGE_BYTES {
        return Err(Refusal::TooLarge(format!("would have {}x{} pixels", size_px.x, size_px.y)));
    }
    let mut image = RgbImage::from_pixel(size_px.x, size_px.y, image::Rgb([u8::MAX; 3]));
    for (at, part) in parts.into_iter().enumerate() {
        let Some(part) = part else { continue };
        let plane = plane(part)?;
        let plane = match plane.dimensions() == (size_px.x, size_px.y) {
            true => plane,
            false => resize(&plane, size_px.x, size_px.y, FILTER),
        };
        for (texel, number) in image.pixels_mut().zip(plane.pixels()) {
            if let (Some(channel), [number]) = (texel.0.get_mut(at), number.0) {
                *channel = number;
            }
        }
    }
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).map_err(|error| Refusal::damaged(&error))?;
    let is_scaled = sizes.map(|size| size.is_some_and(|size| size != size_px));
    Ok(Joined { png: out.into_inner(), size_px, is_scaled })
}

/// One channel of an image's largest level, of a cubemap the first face.
fn plane(part: ChannelOf<'_>) -> Result<GrayImage, Refusal> {
    let header = header_within(part.bytes, part.name, MAX_SIDE)?;
    let surface = decode(part.bytes, header)?.levels.into_iter().flatten().next();
    let no_pixels = || Refusal::unreadable("has no pixels");
    let Surface { width, height, texels } = surface.ok_or_else(no_pixels)?;
    let at = usize::from(part.channel.min(3));
    let numbers: Vec<u8> = match texels {
        Texels::Rgba8(bytes) if header.has_encoded_numbers() && at < 3 => {
            let linear = |byte| unorm8(color_from_srgb8([byte, 0, 0, 0]).x);
            let table: Vec<u8> = (0..=u8::MAX).map(linear).collect();
            let stored = bytes.into_iter().skip(at).step_by(4);
            stored.filter_map(|byte| table.get(usize::from(byte)).copied()).collect()
        }
        Texels::Rgba8(bytes) => bytes.into_iter().skip(at).step_by(4).collect(),
        Texels::Rgba32F(floats) => floats.into_iter().skip(at).step_by(4).map(unorm8).collect(),
    };
    GrayImage::from_raw(width, height, numbers).ok_or_else(no_pixels)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn unorm8(number: f32) -> u8 {
    (number.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
        let image = RgbImage::from_fn(width, height, |x, y| image::Rgb(pixel(x, y)));
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, ImageFormat::Png).unwrap();
        out.into_inner()
    }

    fn channel(bytes: &[u8], channel: u8) -> Option<ChannelOf<'_>> {
        Some(ChannelOf { bytes, name: "", channel })
    }

    #[test]
    fn each_channel_lies_in_its_own_and_smaller_ones_are_scaled() {
        let small = png(2, 1, |x, _| [if x == 0 { 0 } else { 200 }, 7, 7]);
        let large = png(4, 2, |x, y| [9, u8::try_from(10 * x + y).unwrap(), 9]);
        let joined = joined([None, channel(&small, 0), channel(&large, 1)]).unwrap();
        assert_eq!((joined.size_px, joined.is_scaled), (UVec2::new(4, 2), [false, true, false]));
        let image = image::load_from_memory(&joined.png).unwrap().into_rgb8();
        for (x, y, texel) in image.enumerate_pixels() {
            let [r, g, b] = texel.0;
            assert_eq!((r, u32::from(b)), (255, 10 * x + y));
            // A linear ramp between the middles of two texels.
            let expected = [0, 50, 150, 200][x as usize];
            assert!(g.abs_diff(expected) <= 1, "{x}: {g}");
        }
    }

    #[test]
    fn numbers_on_the_curve_of_their_file_are_taken_off_it() {
        use super::super::testing::Ktx1;
        for (srgb, number) in [(true, 0), (false, 2)] {
            let file = Ktx1::compressed(if srgb { 0x9275 } else { 0x9274 }, [4, 4], &[0; 8]);
            let joined = joined([channel(&file, 0), None, None]).unwrap();
            let image = image::load_from_memory(&joined.png).unwrap().into_rgb8();
            assert_eq!(image.get_pixel(0, 0).0, [number, 255, 255]);
        }
    }

    #[test]
    fn what_cannot_be_decoded_or_becomes_too_large_is_refused() {
        let whole = png(2, 2, |_, _| [1; 3]);
        assert!(joined([channel(b"no image", 0), None, channel(&whole, 0)]).is_err());
        let (wide, high) = (png(16384, 1, |_, _| [1; 3]), png(1, 16384, |_, _| [1; 3]));
        let refused = joined([channel(&wide, 0), channel(&high, 0), None]);
        assert!(matches!(refused, Err(Refusal::TooLarge(_))));
    }
}
