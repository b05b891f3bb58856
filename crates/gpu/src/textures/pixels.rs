//! Decoded pixels and their colour space.

/// Straight RGBA, 4 bytes per pixel, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MipLevel {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba8: Vec<u8>,
}

/// Interpretation of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ColorSpace {
    /// sRGB colours.
    Srgb,
    /// Linear values.
    Linear,
}

/// Texels with at least this alpha are drawn as opaque. Keep in sync with `shaders/material.wgsl`.
const SOLID_ALPHA: u8 = 253;

/// The levels of a texture, the largest first.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    pub(super) format: wgpu::TextureFormat,
    /// Width and height in texels; tightly packed rows of blocks.
    pub(super) levels: Vec<([u32; 2], Vec<u8>)>,
}

impl Levels {
    /// From decoded pixels.
    pub(super) fn of(pixels: Vec<MipLevel>, space: ColorSpace) -> Self {
        let format = match space {
            ColorSpace::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            ColorSpace::Linear => wgpu::TextureFormat::Rgba8Unorm,
        };
        let levels = pixels.into_iter().map(|level| ([level.width, level.height], level.rgba8));
        Self { format, levels: levels.collect() }
    }

    /// Whether it is known to be opaque everywhere.
    pub(super) fn is_solid(&self) -> bool {
        use wgpu::TextureFormat::*;
        let largest = self.levels.first().map_or(&[][..], |(_, bytes)| bytes);
        match self.format {
            Rgba8Unorm | Rgba8UnormSrgb => {
                let (texels, _) = largest.as_chunks::<4>();
                texels.iter().all(|texel| texel[3] >= SOLID_ALPHA)
            }
            Etc2Rgb8Unorm | Etc2Rgb8UnormSrgb | Bc6hRgbUfloat | Bc6hRgbFloat => true,
            _ => false,
        }
    }
}
