//! What an image says about itself ahead of its texels.

use super::{ImageKind, TexelFormat};

/// What an image says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageHeader {
    /// What it is.
    pub kind: ImageKind,
    /// Of the largest level, in texels.
    pub width: u32,
    /// Of the largest level, in texels.
    pub height: u32,
    /// 1, or 6 of a cubemap.
    pub num_faces: u32,
    /// Levels that the file has; at least 1.
    pub num_levels: u32,
    /// How texels of containers are stored; `None` for pictures, which are decoded whole.
    pub format: Option<TexelFormat>,
    /// 1 to 4.
    pub num_channels: u32,
    /// Whether the file says that an sRGB curve is on its colours; `None` where it does not say.
    pub is_srgb: Option<bool>,
    /// Floats: decoded to 16 bytes a texel.
    pub is_float: bool,
    /// That decoding takes at once.
    pub num_bytes: u64,
}

impl ImageHeader {
    /// Texels of the largest level of one face.
    pub fn num_texels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether numbers in it lie on the sRGB curve as colours do. A KTX 1 of an sRGB format is decoded where it
    /// is sampled, as OpenGL does, and tools that write those encode normals too.
    pub fn has_encoded_numbers(&self) -> bool {
        self.kind == ImageKind::Ktx && self.is_srgb == Some(true)
    }

    /// Width and height of a level.
    pub fn size_of(&self, level: u32) -> [u32; 2] {
        [self.width, self.height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
    }
}
