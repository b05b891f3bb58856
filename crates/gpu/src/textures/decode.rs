//! Decodes images to mip levels.
//!
//! Not for: image file formats; see `images`. Errors in untrusted bytes are a [`Refusal`], which becomes a
//! finding.

use super::mips::{byte, chain};
use super::pixels::{ColorSpace, MipLevel};
use rigscope_core::images::{self, ImageHeader, ImageKind, Refusal, Surface, Texels};
use rigscope_core::model::{AlphaMode, FindingKind, Image, srgb8_from_color};

/// Reads the header of `image` and checks it against the limits. `max_side` is the device's.
pub(super) fn header(image: &Image, max_side: u32) -> Result<ImageHeader, Refusal> {
    images::header_within(&image.bytes, &image.name, max_side)
}

/// The colour space of the bytes of an image that is used as `space`. KTX 1 is read as in OpenGL, which
/// decodes its sRGB formats even for data textures; tools that write those encode normal maps accordingly.
pub(super) fn space_in_file(header: ImageHeader, space: ColorSpace) -> ColorSpace {
    let decodes = header.kind == ImageKind::Ktx && header.is_srgb == Some(true);
    if decodes { ColorSpace::Srgb } else { space }
}

/// All mip levels of `image`, whose header was accepted: those of the file if it has all, otherwise
/// generated from the largest, depending on `alpha`.
pub(super) fn pixels(
    image: &Image,
    header: ImageHeader,
    space: ColorSpace,
    alpha: AlphaMode,
) -> Result<Vec<MipLevel>, Refusal> {
    let decoded = images::decode(&image.bytes, header)?;
    // The first face of a cube map, which surfaces don't use.
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

/// The finding for a refusal.
pub(crate) fn finding_of(image: &Image, refusal: &Refusal) -> (FindingKind, String) {
    let kind = match refusal {
        Refusal::Unreadable(_) => FindingKind::UnreadableTexture,
        Refusal::TooLarge(_) => FindingKind::TextureTooLarge,
    };
    (kind, format!("{:?} {refusal}", image.name))
}
