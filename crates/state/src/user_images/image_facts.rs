//! Details of the images of a model, with thumbnails.

use std::sync::Arc;

use glam::Vec4;

use crate::Thumbnail;
use rigscope_core::images::{Surface, Texels, decode, header};
use rigscope_core::model::{Cancelled, Image, Model, Report, srgb8_from_color};

/// Longest side of a thumbnail.
const SIDE_PX: usize = 256;
/// Most thumbnails to make, at a quarter of a megabyte each.
const MAX_PICTURES: usize = 128;

/// Details of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFacts {
    /// File type and texel format.
    pub format: String,
    /// Width and height, if the header can be read.
    pub size_px: Option<[u32; 2]>,
    /// Mip levels in the file.
    pub num_levels: u32,
    /// 1, or 6 for a cubemap.
    pub num_faces: u32,
    /// Whether the file declares sRGB.
    pub is_srgb: Option<bool>,
    /// Size of the encoded image.
    pub stored_bytes: u64,
    /// Size on the GPU, decoded with all mip levels.
    pub gpu_bytes: Option<u64>,
    /// Thumbnail; for a cubemap, its first face.
    pub picture: Option<Arc<Thumbnail>>,
    /// The reason why it can't be displayed.
    pub refused: Option<String>,
}

/// Details of all images of `model`.
pub(crate) fn image_facts(model: &Model, report: &Report) -> Result<Vec<ImageFacts>, Cancelled> {
    let num = model.images.len().max(1) as f32;
    let images = model.images.iter().enumerate();
    images
        .map(|(at, image)| {
            report.progress("decoding textures", at as f32 / num)?;
            Ok(facts(image, at < MAX_PICTURES))
        })
        .collect()
}

pub(super) fn facts(image: &Image, has_texture: bool) -> ImageFacts {
    let mut facts = ImageFacts {
        format: String::new(),
        size_px: None,
        num_levels: 1,
        num_faces: 1,
        is_srgb: None,
        stored_bytes: image.bytes.len() as u64,
        gpu_bytes: None,
        picture: None,
        refused: None,
    };
    let header = match header(&image.bytes, &image.name) {
        Ok(header) => header,
        Err(refusal) => return ImageFacts { refused: Some(refusal.to_string()), ..facts },
    };
    facts.format = match header.format {
        Some(format) => format!("{} · {}", header.kind.info().name, format.info().name),
        None => header.kind.info().name.to_owned(),
    };
    facts.size_px = Some([header.width, header.height]);
    facts.num_levels = header.num_levels;
    facts.num_faces = header.num_faces;
    facts.is_srgb = header.is_srgb;
    // Four channels of bytes or half floats, plus a third for mip levels.
    let texel_bytes = if header.is_float { 8 } else { 4 };
    let texels = header.num_texels().saturating_mul(u64::from(header.num_faces));
    facts.gpu_bytes = Some(texels.saturating_mul(texel_bytes).saturating_mul(4) / 3);
    if has_texture {
        match decode(&image.bytes, header) {
            Ok(decoded) => {
                let faces = decoded.levels.iter().filter_map(|faces| faces.first());
                // The smallest level that is large enough, else the largest.
                let is_sharp = |face: &&Surface| face.width.max(face.height) as usize >= SIDE_PX;
                let sharp = faces.clone().rfind(is_sharp);
                let surface = sharp.or_else(|| faces.clone().next());
                facts.picture = surface.map(|surface| Arc::new(small(surface)));
            }
            Err(refusal) => facts.refused = Some(refusal.to_string()),
        }
    }
    facts
}

/// A thumbnail of at most [`SIDE_PX`] on each side; each pixel is the mean of the texels it covers.
fn small(surface: &Surface) -> Thumbnail {
    let size = [surface.width as usize, surface.height as usize];
    let longest = size[0].max(size[1]).max(1);
    let scaled =
        |side: usize| if longest > SIDE_PX { (side * SIDE_PX / longest).max(1) } else { side };
    let size_px = size.map(scaled);
    let mut rgba8 = Vec::with_capacity(size_px[0] * size_px[1] * 4);
    let range = |at: usize, axis: usize| {
        let begin = at * size[axis] / size_px[axis];
        begin..((at + 1) * size[axis] / size_px[axis]).max(begin + 1)
    };
    for y in 0..size_px[1] {
        for x in 0..size_px[0] {
            let mut sum = [0.0f32; 4];
            let mut num = 0.0f32;
            for row in range(y, 1) {
                for column in range(x, 0) {
                    let texel = texel(&surface.texels, row * size[0] + column);
                    sum.iter_mut().zip(texel).for_each(|(sum, value)| *sum += value);
                    num += 1.0;
                }
            }
            rgba8.extend(mean(&surface.texels, sum.map(|sum| sum / num.max(1.0))));
        }
    }
    Thumbnail { size_px, rgba8 }
}

/// A texel: bytes unchanged, floats clamped to 0 to 1.
fn texel(texels: &Texels, at: usize) -> [f32; 4] {
    let range = at * 4..at * 4 + 4;
    match texels {
        Texels::Rgba8(bytes) => match bytes.get(range) {
            Some(&[r, g, b, a]) => [r, g, b, a].map(f32::from),
            _ => [0.0; 4],
        },
        Texels::Rgba32F(floats) => match floats.get(range) {
            Some(&[r, g, b, a]) => [r, g, b, a].map(|value| value.clamp(0.0, 1.0)),
            _ => [0.0; 4],
        },
    }
}

fn mean(texels: &Texels, mean: [f32; 4]) -> [u8; 4] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = |value: f32| value.round().clamp(0.0, 255.0) as u8;
    match texels {
        Texels::Rgba8(_) => mean.map(byte),
        Texels::Rgba32F(_) => srgb8_from_color(Vec4::from_array(mean)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::ByteView;

    #[test]
    fn thumbnails_average_the_pixels_they_cover() {
        let (width, height) = (1024, 4);
        let texels =
            (0..width * height).flat_map(|at| [if at % 4 < 2 { 0 } else { 200 }, 9, 0, 255]);
        let texels = Texels::Rgba8(texels.collect());
        let surface = Surface { width, height, texels };
        let picture = small(&surface);
        assert_eq!(picture.size_px, [256, 1]);
        assert!(picture.rgba8.chunks(4).all(|pixel| *pixel == [100, 9, 0, 255]));
        // Smaller images keep their size; values above white are clamped.
        let texels = Texels::Rgba32F(vec![0.0, 1.0, 7.0, 0.5]);
        let bright = small(&Surface { width: 1, height: 1, texels });
        assert_eq!((bright.size_px, &bright.rgba8[..]), ([1, 1], &[0, 255, 255, 128][..]));
    }

    #[test]
    fn unreadable_images_have_a_reason() {
        let bytes = ByteView::whole(b"no image".to_vec());
        let image = Image { name: "a.png".into(), bytes, is_embedded: true };
        let facts = facts(&image, true);
        assert_eq!((facts.size_px, facts.stored_bytes), (None, 8));
        assert!(facts.refused.is_some() && facts.picture.is_none());
    }
}
