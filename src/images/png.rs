//! Any image as PNG, for formats that take no other: its largest level, of a cubemap the first face.

use std::io::Cursor;

use glam::Vec4;
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
