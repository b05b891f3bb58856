//! Images of a model to levels of pixels.
//!
//! Not for: what image files are; `images` reads them. Whatever comes of hostile bytes is a
//! [`Refusal`] that becomes a note.

use super::mips::{byte, chain};
use super::pixels::{ColorSpace, MipLevel};
use rigscope_core::images::{self, ImageHeader, ImageKind, Refusal, Surface, Texels};
use rigscope_core::model::{AlphaMode, Image, NoteKind, srgb8_from_color};

/// Reads the header of `image` and holds it against the limits; `max_side` is the device's.
pub(super) fn header(image: &Image, max_side: u32) -> Result<ImageHeader, Refusal> {
    images::header_within(&image.bytes, &image.name, max_side)
}

/// How numbers and colours of `image` are read where it is wanted as `space`. A KTX 1 is read as OpenGL
/// reads it: from its sRGB formats come decoded numbers, and tools that write those encode normals too.
pub(super) fn space_in_file(header: ImageHeader, space: ColorSpace) -> ColorSpace {
    let decodes = header.kind == ImageKind::Ktx && header.is_srgb == Some(true);
    if decodes { ColorSpace::Srgb } else { space }
}

/// All levels of `image`, whose header was accepted: those of the file where it has all, else made
/// from its largest, whose alpha does what `alpha` says.
pub(super) fn pixels(
    image: &Image,
    header: ImageHeader,
    space: ColorSpace,
    alpha: AlphaMode,
) -> Result<Vec<MipLevel>, Refusal> {
    let decoded = images::decode(&image.bytes, header)?;
    // Of a cubemap, which no surface wears, the first face.
    let faces = decoded.levels.into_iter().map(|faces| faces.into_iter().next());
    let mut levels: Vec<MipLevel> = faces.flatten().map(|face| eight_bits(face, space)).collect();
    let is_whole = levels.last().is_some_and(|last| last.width.max(last.height) == 1);
    match is_whole {
        true => Ok(levels),
        false if levels.is_empty() => Err(Refusal::Unreadable("has no pixels".into())),
        false => Ok(chain(levels.swap_remove(0), space, alpha)),
    }
}

fn eight_bits(Surface { width, height, texels }: Surface, space: ColorSpace) -> MipLevel {
    let rgba8 = match texels {
        Texels::Rgba8(bytes) => bytes,
        Texels::Rgba32F(floats) => {
            let (texels, _) = floats.as_chunks::<4>();
            let bytes = texels.iter().flat_map(|&texel| match space {
                ColorSpace::Srgb => srgb8_from_color(texel.into()),
                ColorSpace::Linear => texel.map(byte),
            });
            bytes.collect()
        }
    };
    MipLevel { width, height, rgba8 }
}

/// The note of a refusal.
pub(crate) fn note_of(image: &Image, refusal: &Refusal) -> (NoteKind, String) {
    let kind = match refusal {
        Refusal::Unreadable(_) => NoteKind::UnreadableTexture,
        Refusal::TooLarge(_) => NoteKind::TextureTooLarge,
    };
    (kind, format!("{:?} {refusal}", image.name))
}
