//! Textures that are uploaded in their file's block-compressed format.
//!
//! Blocks take an eighth to a quarter of the memory. Software adapters get decoded texels, since they
//! decode blocks on every access (`device.rs`).

use wgpu::{AstcBlock, AstcChannel, Features, TextureFormat};

use super::pixels::{ColorSpace, Levels};
use rigscope_core::images::{ImageHeader, Refusal, TexelFormat, stored_texels};
use rigscope_core::model::Image;

/// The device's format for blocks of `format` read as `space`, and the feature it requires.
fn format_of(format: TexelFormat, space: ColorSpace) -> Option<(TextureFormat, Features)> {
    use TexelFormat as T;
    use TextureFormat as F;
    let (bc, etc2) = (Features::TEXTURE_COMPRESSION_BC, Features::TEXTURE_COMPRESSION_ETC2);
    let pick = |srgb, linear| match space {
        ColorSpace::Srgb => srgb,
        ColorSpace::Linear => linear,
    };
    // Formats of one or two channels have no sRGB variant.
    let plain = |linear| (space == ColorSpace::Linear).then_some(linear);
    Some(match format {
        T::Bc1 => (pick(F::Bc1RgbaUnormSrgb, F::Bc1RgbaUnorm), bc),
        T::Bc2 => (pick(F::Bc2RgbaUnormSrgb, F::Bc2RgbaUnorm), bc),
        T::Bc3 => (pick(F::Bc3RgbaUnormSrgb, F::Bc3RgbaUnorm), bc),
        T::Bc4 => (plain(F::Bc4RUnorm)?, bc),
        T::Bc5 => (plain(F::Bc5RgUnorm)?, bc),
        T::Bc7 => (pick(F::Bc7RgbaUnormSrgb, F::Bc7RgbaUnorm), bc),
        T::Etc1 | T::Etc2Rgb => (pick(F::Etc2Rgb8UnormSrgb, F::Etc2Rgb8Unorm), etc2),
        T::Etc2RgbA1 => (pick(F::Etc2Rgb8A1UnormSrgb, F::Etc2Rgb8A1Unorm), etc2),
        T::Etc2Rgba => (pick(F::Etc2Rgba8UnormSrgb, F::Etc2Rgba8Unorm), etc2),
        T::EacR11 => (plain(F::EacR11Unorm)?, etc2),
        T::EacRg11 => (plain(F::EacRg11Unorm)?, etc2),
        _ => {
            let channel = match space {
                ColorSpace::Srgb => AstcChannel::UnormSrgb,
                ColorSpace::Linear => AstcChannel::Unorm,
            };
            let block = astc_block(format.info().block).filter(|_| format.is_astc())?;
            (F::Astc { block, channel }, Features::TEXTURE_COMPRESSION_ASTC)
        }
    })
}

fn astc_block(block: [u32; 2]) -> Option<AstcBlock> {
    Some(match block {
        [4, 4] => AstcBlock::B4x4,
        [5, 4] => AstcBlock::B5x4,
        [5, 5] => AstcBlock::B5x5,
        [6, 5] => AstcBlock::B6x5,
        [6, 6] => AstcBlock::B6x6,
        [8, 5] => AstcBlock::B8x5,
        [8, 6] => AstcBlock::B8x6,
        [8, 8] => AstcBlock::B8x8,
        [10, 5] => AstcBlock::B10x5,
        [10, 6] => AstcBlock::B10x6,
        [10, 8] => AstcBlock::B10x8,
        [10, 10] => AstcBlock::B10x10,
        [12, 10] => AstcBlock::B12x10,
        [12, 12] => AstcBlock::B12x12,
        _ => return None,
    })
}

/// The levels of `image` from `first_level` on as stored in its file, if a device with `features` supports
/// them: whole blocks, down to the last level, a single face. `None` if they must be decoded.
///
/// # Errors
/// If the file is damaged.
pub(super) fn levels(
    image: &Image,
    header: ImageHeader,
    first_level: u32,
    space: ColorSpace,
    features: Features,
) -> Result<Option<Levels>, Refusal> {
    let wanted = header.format.and_then(|own| Some((own, format_of(own, space)?)));
    let Some((own, (format, needed))) = wanted else { return Ok(None) };
    let [x, y] = own.info().block;
    let [width, height] = header.size_of(first_level);
    let is_whole_blocks = width.is_multiple_of(x) && height.is_multiple_of(y);
    let is_to_the_last = header.width.max(header.height) >> (header.num_levels - 1) == 1;
    if !features.contains(needed) || !is_whole_blocks || !is_to_the_last || header.num_faces != 1 {
        return Ok(None);
    }
    let stored = stored_texels(&image.bytes, header)?.levels;
    let faces = stored.into_iter().filter_map(|faces| faces.into_iter().next());
    let levels = (0..).zip(faces).map(|(level, face)| (header.size_of(level), face.into_owned()));
    Ok(Some(Levels { format, levels: levels.skip(first_level as usize).collect() }))
}

#[cfg(test)]
mod tests;
