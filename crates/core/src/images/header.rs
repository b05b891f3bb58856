//! Image headers.

use super::{ImageKind, TexelFormat};

/// Format and size of an image, as stated by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageHeader {
    /// Kind of file.
    pub kind: ImageKind,
    /// Width of the largest level, in texels.
    pub width: u32,
    /// Height of the largest level, in texels.
    pub height: u32,
    /// 1, or 6 for a cubemap.
    pub num_faces: u32,
    /// Number of mipmap levels in the file, at least 1.
    pub num_levels: u32,
    /// Texel format of a container; `None` for other images, which are always decoded.
    pub format: Option<TexelFormat>,
    /// Number of channels, 1 to 4.
    pub num_channels: u32,
    /// Whether the file declares its colours as sRGB-encoded; `None` if it doesn't state it.
    pub is_srgb: Option<bool>,
    /// Whether texels are decoded to floats, 16 bytes per texel.
    pub is_float: bool,
    /// Memory needed for decoding.
    pub num_bytes: u64,
}

impl ImageHeader {
    /// Texels per face, at the largest level.
    pub fn num_texels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether data channels are sRGB-encoded like colours. KTX 1 files with an sRGB format are
    /// decoded when they are sampled, as in OpenGL, and tools that write them encode normals too.
    pub fn has_encoded_numbers(&self) -> bool {
        self.kind == ImageKind::Ktx && self.is_srgb == Some(true)
    }

    /// Width and height of a level, in texels.
    pub fn size_of(&self, level: u32) -> [u32; 2] {
        [self.width, self.height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
    }
}
