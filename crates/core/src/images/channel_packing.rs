//! Packs channels of several images into one image.

use glam::UVec2;
use image::imageops::{FilterType, resize};
use image::{GrayImage, RgbImage};

use super::png::encoded;
use super::{MAX_IMAGE_BYTES, MAX_SIDE, Refusal, Surface, Texels, decode, header_within};
use crate::model::color_from_srgb8;

/// Images are resized linearly, which causes no overshoot or ringing in data.
const FILTER: FilterType = FilterType::Triangle;

/// One channel of an encoded image.
#[derive(Clone, Copy, Debug)]
pub struct SourceChannel<'a> {
    /// The encoded image.
    pub bytes: &'a [u8],
    /// File name, used if the content doesn't identify the format.
    pub name: &'a str,
    /// 0 (red) to 3 (alpha).
    pub channel: u8,
}

/// A packed image.
#[derive(Clone, Debug)]
pub struct PackedImage {
    /// The packed RGB image.
    pub png: Vec<u8>,
    /// Size of the packed image.
    pub size_px: UVec2,
    /// Which of the source images were resized.
    pub is_scaled: [bool; 3],
}

/// Packs three channels as red, green and blue of one image with the size of the largest source; a
/// missing channel is filled with 1.
///
/// # Errors
/// If an image can't be decoded, or if the result would be too large.
pub fn pack_channels(parts: [Option<SourceChannel<'_>>; 3]) -> Result<PackedImage, Refusal> {
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
        let plane = if plane.dimensions() == (size_px.x, size_px.y) {
            plane
        } else {
            resize(&plane, size_px.x, size_px.y, FILTER)
        };
        for (texel, number) in image.pixels_mut().zip(plane.pixels()) {
            if let (Some(channel), [number]) = (texel.0.get_mut(at), number.0) {
                *channel = number;
            }
        }
    }
    let png = encoded(&image.into()).map_err(|error| Refusal::damaged(&error))?;
    let is_scaled = sizes.map(|size| size.is_some_and(|size| size != size_px));
    Ok(PackedImage { png, size_px, is_scaled })
}

/// One channel of an image's largest level; of the first face for a cubemap.
fn plane(part: SourceChannel<'_>) -> Result<GrayImage, Refusal> {
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
        encoded(&image.into()).unwrap()
    }

    fn channel(bytes: &[u8], channel: u8) -> Option<SourceChannel<'_>> {
        Some(SourceChannel { bytes, name: "", channel })
    }

    #[test]
    fn channels_are_packed_in_order_and_smaller_ones_scaled() {
        let small = png(2, 1, |x, _| [if x == 0 { 0 } else { 200 }, 7, 7]);
        let large = png(4, 2, |x, y| [9, u8::try_from(10 * x + y).unwrap(), 9]);
        let packed = pack_channels([None, channel(&small, 0), channel(&large, 1)]).unwrap();
        assert_eq!((packed.size_px, packed.is_scaled), (UVec2::new(4, 2), [false, true, false]));
        let image = image::load_from_memory(&packed.png).unwrap().into_rgb8();
        for (x, y, texel) in image.enumerate_pixels() {
            let [r, g, b] = texel.0;
            assert_eq!((r, u32::from(b)), (255, 10 * x + y));
            // A linear ramp between the centres of two texels.
            let expected = [0, 50, 150, 200][x as usize];
            assert!(g.abs_diff(expected) <= 1, "{x}: {g}");
        }
    }

    #[test]
    fn srgb_encoded_data_is_decoded() {
        use super::super::testing::Ktx1;
        for (srgb, number) in [(true, 0), (false, 2)] {
            let file = Ktx1::compressed(if srgb { 0x9275 } else { 0x9274 }, [4, 4], &[0; 8]);
            let packed = pack_channels([channel(&file, 0), None, None]).unwrap();
            let image = image::load_from_memory(&packed.png).unwrap().into_rgb8();
            assert_eq!(image.get_pixel(0, 0).0, [number, 255, 255]);
        }
    }

    #[test]
    fn unreadable_and_too_large_images_are_rejected() {
        let whole = png(2, 2, |_, _| [1; 3]);
        assert!(pack_channels([channel(b"no image", 0), None, channel(&whole, 0)]).is_err());
        let (wide, high) = (png(16384, 1, |_, _| [1; 3]), png(1, 16384, |_, _| [1; 3]));
        let refused = pack_channels([channel(&wide, 0), channel(&high, 0), None]);
        assert!(matches!(refused, Err(Refusal::TooLarge(_))));
    }
}
