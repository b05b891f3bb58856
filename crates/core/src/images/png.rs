//! Any image as PNG: for formats that take no other its largest level, and one level or channel of it to look
//! at; of a cubemap the first face.

use std::io::Cursor;

use glam::Vec4;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, RgbaImage};

use super::picture::dynamic;
use super::{MAX_SIDE, Refusal, Surface, Texels, decode, header_within};
use crate::model::srgb8_from_color;

/// The same picture as PNG: with its own channels and depth, floats as sRGB of 8 bits.
///
/// # Errors
/// What is wrong with an image that cannot be decoded.
pub fn png(bytes: &[u8], name: &str) -> Result<Vec<u8>, Refusal> {
    let header = header_within(bytes, name, MAX_SIDE)?;
    let picture = match header.kind.info().codec {
        Some(_) if !header.is_float => dynamic(bytes, header.kind)?,
        _ => {
            let levels = decode(bytes, header)?.levels;
            let surface = levels.into_iter().flatten().next();
            surface.and_then(eight_bits).ok_or_else(|| Refusal::unreadable("has no pixels"))?
        }
    };
    let mut out = Cursor::new(Vec::new());
    let written = picture.write_to(&mut out, ImageFormat::Png);
    written.map_err(|error| Refusal::damaged(&error))?;
    Ok(out.into_inner())
}

/// One level as PNG, in 8 bits: its colours, or one of its channels (0 red to 3 alpha) as grey. Made for being
/// looked at once: fast and not small.
///
/// # Errors
/// What is wrong with an image that cannot be decoded, or that it has fewer levels.
pub fn level_png(
    bytes: &[u8],
    name: &str,
    level: u32,
    channel: Option<u8>,
) -> Result<Vec<u8>, Refusal> {
    let levels = decode(bytes, header_within(bytes, name, MAX_SIDE)?)?.levels;
    let faces = levels.into_iter().nth(level as usize);
    let surface = faces.and_then(|faces| faces.into_iter().next());
    let picture = surface.and_then(eight_bits);
    let picture = picture.ok_or_else(|| Refusal::unreadable("has no such level"))?;
    let mut rgba8 = picture.into_rgba8();
    if let Some(channel) = channel {
        for pixel in rgba8.pixels_mut() {
            let value = pixel.0.get(usize::from(channel)).copied().unwrap_or_default();
            pixel.0 = [value, value, value, u8::MAX];
        }
    }
    let mut out = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::NoFilter);
    let written = rgba8.write_with_encoder(encoder);
    written.map_err(|error| Refusal::damaged(&error))?;
    Ok(out)
}

fn eight_bits(surface: Surface) -> Option<DynamicImage> {
    let Surface { width, height, texels } = surface;
    let rgba8 = match texels {
        Texels::Rgba8(bytes) => bytes,
        Texels::Rgba32F(floats) => {
            let (texels, _) = floats.as_chunks::<4>();
            texels.iter().flat_map(|texel| srgb8_from_color(Vec4::from_array(*texel))).collect()
        }
    };
    RgbaImage::from_raw(width, height, rgba8).map(DynamicImage::from)
}
