//! Image files to texels: all levels and faces that the file has.

use image::DynamicImage;
use rayon::prelude::*;

use super::picture::dynamic;
use super::stored::stored;
use super::{ImageHeader, Refusal, Surface, Texels, codec};

/// A decoded image.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// What its header says.
    pub header: ImageHeader,
    /// By level, the largest first; of each the faces: one, or the six of a cubemap
    /// (+X, -X, +Y, -Y, +Z, -Z).
    pub levels: Vec<Vec<Surface>>,
}

/// Decodes an image whose `header` was accepted.
///
/// # Errors
/// When its bytes are damaged.
pub fn decode(bytes: &[u8], header: ImageHeader) -> Result<Decoded, Refusal> {
    if header.kind.info().codec.is_some() {
        return Ok(Decoded { header, levels: vec![vec![picture(bytes, header)?]] });
    }
    let stored = stored(bytes, header)?;
    let levels = (0..).zip(&stored.levels).map(|(level, faces)| {
        let size = header.size_of(level);
        faces.par_iter().map(|face| codec::surface(stored.format, size, face)).collect()
    });
    Ok(Decoded { header, levels: levels.collect::<Result<_, Refusal>>()? })
}

fn picture(bytes: &[u8], header: ImageHeader) -> Result<Surface, Refusal> {
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
