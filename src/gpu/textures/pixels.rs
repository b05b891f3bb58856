//! Decoded pixels, and how they are to be understood.

/// Straight RGBA, 4 bytes a pixel, row after row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba8: Vec<u8>,
}

/// How bytes are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Space {
    /// Colour.
    Srgb,
    /// Numbers.
    Linear,
}

/// What a texture is made of, the largest level first.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    pub(super) format: wgpu::TextureFormat,
    /// Width and height in texels; bytes, rows of blocks tightly packed.
    pub(super) levels: Vec<([u32; 2], Vec<u8>)>,
}

impl Levels {
    /// Of decoded pixels.
    pub(super) fn of(pixels: Vec<Pixels>, space: Space) -> Self {
        let format = match space {
            Space::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Space::Linear => wgpu::TextureFormat::Rgba8Unorm,
        };
        let levels = pixels.into_iter().map(|level| ([level.width, level.height], level.rgba8));
        Self { format, levels: levels.collect() }
    }
}
