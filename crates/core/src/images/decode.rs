//! Decodes image files to texels: all levels and faces of the file.

use image::DynamicImage;
use rayon::prelude::*;

use super::raster::dynamic;
use super::stored_texels::stored_texels;
use super::{ImageHeader, Refusal, Surface, Texels, codec};

/// A decoded image.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The header of the file.
    pub header: ImageHeader,
    /// Levels, largest first, each with its faces: one, or the six of a cubemap (+X, -X, +Y, -Y,
    /// +Z, -Z).
    pub levels: Vec<Vec<Surface>>,
}

/// Decodes an image whose `header` was accepted.
///
/// # Errors
/// If its bytes are damaged.
pub fn decode(bytes: &[u8], header: ImageHeader) -> Result<Decoded, Refusal> {
    if header.kind.info().codec.is_some() {
        return Ok(Decoded { header, levels: vec![vec![raster(bytes, header)?]] });
    }
    let stored = stored_texels(bytes, header)?;
    let levels = (0..).zip(&stored.levels).map(|(level, faces)| {
        let size = header.size_of(level);
        faces.par_iter().map(|face| codec::surface(stored.format, size, face)).collect()
    });
    Ok(Decoded { header, levels: levels.collect::<Result<_, Refusal>>()? })
}

fn raster(bytes: &[u8], header: ImageHeader) -> Result<Surface, Refusal> {
    let decoded = dynamic(bytes, header.kind)?;
    let (width, height) = (decoded.width(), decoded.height());
    let texels = match decoded {
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            Texels::Rgba32F(decoded.into_rgba32f().into_raw())
        }
        _ => Texels::Rgba8(decoded.into_rgba8().into_raw()),
    };
    Ok(Surface { width, height, texels })
}
