//! Channel counts of texel formats.

use super::TexelFormat::{self, *};

impl TexelFormat {
    /// Number of channels, 1 to 4.
    pub fn num_channels(self) -> u32 {
        match self {
            L8 | R8 | R16 | R16F | R32F | Bc4 | EacR11 => 1,
            Rg8 | Rg16 | Rg16F | Rg32F | Bc5 | EacRg11 => 2,
            Rgb8 | Bgr8 | B5G6R5 | Rgb16F | Rgb32F | R11G11B10F | Rgb9E5 | Bc1Rgb | Bc6hUfloat
            | Bc6hSfloat | Etc1 | Etc2Rgb => 3,
            _ => 4,
        }
    }
}
