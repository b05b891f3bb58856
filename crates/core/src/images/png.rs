//! Converts images to PNG: the largest level for formats that accept only PNG, and a single level
//! or channel for display. Uses the first face of a cubemap.

use glam::Vec4;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageResult, RgbaImage};

use super::raster::dynamic;
use super::{MAX_SIDE, Refusal, Surface, Texels, decode, header_within};
use crate::model::srgb8_from_color;

/// Converts an image to PNG. Channels and bit depth are preserved; floats become 8-bit sRGB.
///
/// # Errors
/// If the image can't be decoded.
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
    encoded(&picture).map_err(|error| Refusal::damaged(&error))
}

/// One level as an 8-bit PNG: its colours, or one of its channels (0 red to 3 alpha) as grey.
/// Optimized for speed rather than size, since it is only displayed once.
///
/// # Errors
/// If the image can't be decoded or has fewer levels.
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

/// Encodes RGBA texels of 8 bits; `None` if their number doesn't fit the size.
pub(crate) fn rgba_png(width: u32, height: u32, rgba8: Vec<u8>) -> Option<Vec<u8>> {
    let picture = RgbaImage::from_raw(width, height, rgba8)?;
    encoded(&picture.into()).ok()
}

/// The PNG of an image. `write_to` would compile the encoders of all formats.
pub(super) fn encoded(picture: &DynamicImage) -> ImageResult<Vec<u8>> {
    let mut out = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut out))?;
    Ok(out)
}
