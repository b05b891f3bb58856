//! Decodes stored surfaces to texels.

use dds::{Channels, ColorFormat, DecodeOptions, ImageViewMut, Precision, Size};
use half::f16;

use super::texel_format::Codec;
use super::{Refusal, Surface, TexelFormat, Texels, etc2};

/// Decodes a surface of `width` x `height` with tightly packed bytes.
///
/// # Errors
/// If there are fewer bytes than the size requires.
pub(super) fn surface(
    format: TexelFormat,
    [width, height]: [u32; 2],
    bytes: &[u8],
) -> Result<Surface, Refusal> {
    if bytes.len() < format.surface_bytes([width, height]) {
        return Err(Refusal::truncated("texels"));
    }
    let info = format.info();
    let texels = match info.codec {
        Codec::Etc(kind) => Texels::Rgba8(etc2::decode(kind, [width, height], bytes)),
        Codec::Rgb16F => Texels::Rgba32F(rgb16f(bytes)),
        Codec::Dds(dds) | Codec::Red(dds) | Codec::Opaque(dds) => {
            by_dds(dds, [width, height], bytes, info.is_float)?
        }
    };
    let mut surface = Surface { width, height, texels };
    match info.codec {
        Codec::Red(_) => surface.keep_red(),
        Codec::Opaque(_) => surface.drop_alpha(),
        Codec::Dds(_) | Codec::Etc(_) | Codec::Rgb16F => {}
    }
    Ok(surface)
}

fn by_dds(
    format: dds::Format,
    [width, height]: [u32; 2],
    mut bytes: &[u8],
    is_float: bool,
) -> Result<Texels, Refusal> {
    let precision = if is_float { Precision::F32 } else { Precision::U8 };
    let color = ColorFormat::new(Channels::Rgba, precision);
    let texel_bytes = usize::from(color.bytes_per_pixel());
    let mut out = vec![0; width as usize * height as usize * texel_bytes];
    let view = ImageViewMut::new(&mut out, Size::new(width, height), color);
    let view = view.ok_or_else(|| Refusal::unreadable("has no pixels"))?;
    // The decoder is safe Rust: `surface` has checked the length of the bytes, `header_within` the sides.
    dds::decode(&mut bytes, view, format, &DecodeOptions::default())
        .map_err(|error| Refusal::damaged(&error))?;
    Ok(if is_float {
        // The crate writes them in native byte order.
        let (floats, _) = out.as_chunks::<4>();
        Texels::Rgba32F(floats.iter().map(|four| f32::from_ne_bytes(*four)).collect())
    } else {
        Texels::Rgba8(out)
    })
}

fn rgb16f(bytes: &[u8]) -> Vec<f32> {
    let (texels, _) = bytes.as_chunks::<6>();
    let rgba = texels.iter().flat_map(|&[r0, r1, g0, g1, b0, b1]| {
        let [r, g, b] = [[r0, r1], [g0, g1], [b0, b1]].map(|two| f16::from_le_bytes(two).to_f32());
        [r, g, b, 1.0]
    });
    rgba.collect()
}
