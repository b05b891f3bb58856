//! Reads headers and checks them against the limits.

use image::ImageDecoder;

use super::limits::MAX_LEVELS;
use super::raster::decoder;
use super::stored_texels::container;
use super::{ImageHeader, ImageKind, MAX_IMAGE_BYTES, MAX_SIDE, Refusal, kind_of};

/// Reads the header of an image.
///
/// # Errors
/// Describes the problem, as a phrase that follows the image's name.
pub fn header(bytes: &[u8], name: &str) -> Result<ImageHeader, Refusal> {
    let kind = kind_of(bytes, name)
        .ok_or_else(|| Refusal::unreadable("isn't an image of a known format"))?;
    let mut header = match kind.info().codec {
        Some(_) => raster_header(bytes, kind)?,
        None => container(bytes, kind)?.header,
    };
    if header.width == 0 || header.height == 0 {
        return Err(Refusal::unreadable("has no pixels"));
    }
    header.num_levels = header.num_levels.clamp(1, MAX_LEVELS);
    let texel_bytes = if header.is_float { 16 } else { 4 };
    let all = header.num_texels().saturating_mul(texel_bytes * u64::from(header.num_faces));
    // The smaller levels together take a third of the largest.
    let all = if header.num_levels > 1 { all.saturating_add(all / 3) } else { all };
    header.num_bytes = header.num_bytes.max(all);
    Ok(header)
}

/// Reads the header of an image and checks it against the limits; `max_side` is the device's limit.
///
/// # Errors
/// Describes the problem, as a phrase that follows the image's name.
pub fn header_within(bytes: &[u8], name: &str, max_side: u32) -> Result<ImageHeader, Refusal> {
    let header = header(bytes, name)?;
    let ImageHeader { width, height, num_bytes, .. } = header;
    let max_side = max_side.min(MAX_SIDE);
    if width > max_side || height > max_side {
        return Err(Refusal::TooLarge(format!(
            "has {width}x{height} pixels; at most {max_side} per side can be shown"
        )));
    }
    if num_bytes > MAX_IMAGE_BYTES {
        return Err(Refusal::TooLarge(format!(
            "needs {num_bytes} bytes; the limit per image is {MAX_IMAGE_BYTES}"
        )));
    }
    Ok(header)
}

/// Reads the header of an environment map: a cubemap or an equirectangular panorama.
///
/// # Errors
/// Describes the problem, as a phrase that follows the image's name.
pub fn environment_header(bytes: &[u8], name: &str, max_side: u32) -> Result<ImageHeader, Refusal> {
    let header = header_within(bytes, name, max_side)?;
    if header.num_faces == 6 || header.width == header.height * 2 {
        Ok(header)
    } else {
        Err(Refusal::unreadable(
            "isn't an environment map: it is neither a cubemap nor twice as wide as high",
        ))
    }
}

fn raster_header(bytes: &[u8], kind: ImageKind) -> Result<ImageHeader, Refusal> {
    let decoder = decoder(bytes, kind)?;
    let (width, height) = decoder.dimensions();
    let is_float =
        matches!(decoder.color_type(), image::ColorType::Rgb32F | image::ColorType::Rgba32F);
    Ok(ImageHeader {
        kind,
        width,
        height,
        num_faces: 1,
        num_levels: 1,
        num_channels: u32::from(decoder.color_type().channel_count()),
        format: None,
        is_srgb: is_float.then_some(false),
        is_float,
        num_bytes: decoder.total_bytes(),
    })
}
