//! Decoded pixels, and how they are to be understood.

/// Straight RGBA, 4 bytes a pixel, row after row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MipLevel {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba8: Vec<u8>,
}

/// How bytes are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ColorSpace {
    /// Colour.
    Srgb,
    /// Numbers.
    Linear,
}

/// From here on a texel is drawn with what hides what is behind it. Keep in sync with `shaders/material.wgsl`.
const SOLID_ALPHA: u8 = 253;

/// What a texture is made of, the largest level first.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    pub(super) format: wgpu::TextureFormat,
    /// Width and height in texels; bytes, rows of blocks tightly packed.
    pub(super) levels: Vec<([u32; 2], Vec<u8>)>,
}

impl Levels {
    /// Of decoded pixels.
    pub(super) fn of(pixels: Vec<MipLevel>, space: ColorSpace) -> Self {
        let format = match space {
            ColorSpace::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            ColorSpace::Linear => wgpu::TextureFormat::Rgba8Unorm,
        };
        let levels = pixels.into_iter().map(|level| ([level.width, level.height], level.rgba8));
        Self { format, levels: levels.collect() }
    }

    /// Whether it is known that no texel lets through what is behind it.
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
