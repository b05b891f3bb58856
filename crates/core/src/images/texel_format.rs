//! Texel formats: one row each, with its numbers in KTX files and its decoder.
//!
//! Numbers: `glInternalFormat` of compressed textures from the OpenGL registry, `vkFormat` from the
//! Vulkan specification. Uncompressed KTX 1 textures are identified by `glType` and `glFormat`
//! (`ktx1.rs`).

use dds::Format as Dds;

/// The decoder of a texel format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    /// Decoded by the `dds` crate: a single channel is grey.
    Dds(dds::Format),
    /// The same, but a single channel is red, as on GPUs.
    Red(dds::Format),
    /// The same without alpha.
    Opaque(dds::Format),
    /// ETC2 and EAC blocks.
    Etc(Etc),
    /// Three half-precision floats.
    Rgb16F,
}

/// Kinds of ETC2 and EAC blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Etc {
    Rgb,
    RgbA1,
    Rgba,
    R11,
    Rg11,
}

/// A row of the table of texel formats.
#[derive(Clone, Copy, Debug)]
pub struct TexelFormatInfo {
    /// The format of this row.
    pub format: TexelFormat,
    /// Common name, without the colour space.
    pub name: &'static str,
    /// Texels per block along x and y; 1 for uncompressed formats.
    pub block: [u32; 2],
    /// Bytes per block.
    pub block_bytes: u32,
    /// Whether values exceed 0..=1 or the precision of bytes, so that they are decoded to floats.
    pub is_float: bool,
    /// `glInternalFormat` of the linear and the sRGB variant; 0 if it doesn't exist.
    gl: [u32; 2],
    /// `vkFormat` of the linear and the sRGB variant; 0 if it doesn't exist.
    vk: [u32; 2],
    pub(super) codec: Codec,
}

macro_rules! texel_formats {
    ($($kind:ident, $name:literal, $block:expr, $bytes:literal, $texels:ident, $gl:expr, $vk:expr, $codec:expr;)+) => {
        /// A layout of texels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TexelFormat {
            $(#[doc = $name] $kind,)+
        }

        /// The table of layouts, in the order of [`TexelFormat`].
        pub const TEXEL_FORMATS: &[TexelFormatInfo] = &[
            $(TexelFormatInfo {
                format: TexelFormat::$kind,
                name: $name,
                block: $block,
                block_bytes: $bytes,
                is_float: matches!(Values::$texels, Values::Floats),
                gl: $gl,
                vk: $vk,
                codec: $codec,
            },)+
        ];
    };
}

/// The number type that a format is decoded to.
enum Values {
    Bytes,
    Floats,
}

const ONE: [u32; 2] = [1, 1];
const FOUR: [u32; 2] = [4, 4];
const NONE: [u32; 2] = [0, 0];

texel_formats! {
    L8, "L8", ONE, 1, Bytes, NONE, NONE, Codec::Dds(Dds::R8_UNORM);
    R8, "R8", ONE, 1, Bytes, NONE, [9, 15], Codec::Red(Dds::R8_UNORM);
    Rg8, "RG8", ONE, 2, Bytes, NONE, [16, 22], Codec::Dds(Dds::R8G8_UNORM);
    Rgb8, "RGB8", ONE, 3, Bytes, NONE, [23, 29], Codec::Dds(Dds::R8G8B8_UNORM);
    Bgr8, "BGR8", ONE, 3, Bytes, NONE, [30, 36], Codec::Dds(Dds::B8G8R8_UNORM);
    Rgba8, "RGBA8", ONE, 4, Bytes, NONE, [37, 43], Codec::Dds(Dds::R8G8B8A8_UNORM);
    Bgra8, "BGRA8", ONE, 4, Bytes, NONE, [44, 50], Codec::Dds(Dds::B8G8R8A8_UNORM);
    B5G6R5, "B5G6R5", ONE, 2, Bytes, NONE, [4, 0], Codec::Dds(Dds::B5G6R5_UNORM);
    Abgr4, "ABGR4", ONE, 2, Bytes, NONE, [2, 0], Codec::Dds(Dds::A4B4G4R4_UNORM);
    Rgb10A2, "RGB10_A2", ONE, 4, Floats, NONE, [64, 0], Codec::Dds(Dds::R10G10B10A2_UNORM);
    R16, "R16", ONE, 2, Floats, NONE, [70, 0], Codec::Red(Dds::R16_UNORM);
    Rg16, "RG16", ONE, 4, Floats, NONE, [77, 0], Codec::Dds(Dds::R16G16_UNORM);
    Rgba16, "RGBA16", ONE, 8, Floats, NONE, [91, 0], Codec::Dds(Dds::R16G16B16A16_UNORM);
    R16F, "R16F", ONE, 2, Floats, NONE, [76, 0], Codec::Red(Dds::R16_FLOAT);
    Rg16F, "RG16F", ONE, 4, Floats, NONE, [83, 0], Codec::Dds(Dds::R16G16_FLOAT);
    Rgb16F, "RGB16F", ONE, 6, Floats, NONE, [90, 0], Codec::Rgb16F;
    Rgba16F, "RGBA16F", ONE, 8, Floats, NONE, [97, 0], Codec::Dds(Dds::R16G16B16A16_FLOAT);
    R32F, "R32F", ONE, 4, Floats, NONE, [100, 0], Codec::Red(Dds::R32_FLOAT);
    Rg32F, "RG32F", ONE, 8, Floats, NONE, [103, 0], Codec::Dds(Dds::R32G32_FLOAT);
    Rgb32F, "RGB32F", ONE, 12, Floats, NONE, [106, 0], Codec::Dds(Dds::R32G32B32_FLOAT);
    Rgba32F, "RGBA32F", ONE, 16, Floats, NONE, [109, 0], Codec::Dds(Dds::R32G32B32A32_FLOAT);
    R11G11B10F, "R11F_G11F_B10F", ONE, 4, Floats, NONE, [122, 0], Codec::Dds(Dds::R11G11B10_FLOAT);
    Rgb9E5, "RGB9_E5", ONE, 4, Floats, NONE, [123, 0], Codec::Dds(Dds::R9G9B9E5_SHAREDEXP);
    // BC1 without alpha (131, 0x83f0) has its fourth colour black in either case; alpha is dropped.
    Bc1Rgb, "BC1 RGB", FOUR, 8, Bytes, [0x83f0, 0x8c4c], [131, 132], Codec::Opaque(Dds::BC1_UNORM);
    Bc1, "BC1", FOUR, 8, Bytes, [0x83f1, 0x8c4d], [133, 134], Codec::Dds(Dds::BC1_UNORM);
    Bc2, "BC2", FOUR, 16, Bytes, [0x83f2, 0x8c4e], [135, 136], Codec::Dds(Dds::BC2_UNORM);
    Bc3, "BC3", FOUR, 16, Bytes, [0x83f3, 0x8c4f], [137, 138], Codec::Dds(Dds::BC3_UNORM);
    Bc4, "BC4", FOUR, 8, Bytes, [0x8dbb, 0], [139, 0], Codec::Red(Dds::BC4_UNORM);
    Bc5, "BC5", FOUR, 16, Bytes, [0x8dbd, 0], [141, 0], Codec::Dds(Dds::BC5_UNORM);
    Bc6hUfloat, "BC6H", FOUR, 16, Floats, [0x8e8f, 0], [143, 0], Codec::Dds(Dds::BC6H_UF16);
    Bc6hSfloat, "BC6H signed", FOUR, 16, Floats, [0x8e8e, 0], [144, 0], Codec::Dds(Dds::BC6H_SF16);
    Bc7, "BC7", FOUR, 16, Bytes, [0x8e8c, 0x8e8d], [145, 146], Codec::Dds(Dds::BC7_UNORM);
    // ETC1 blocks are a subset of ETC2 blocks.
    Etc1, "ETC1", FOUR, 8, Bytes, [0x8d64, 0], NONE, Codec::Etc(Etc::Rgb);
    Etc2Rgb, "ETC2 RGB8", FOUR, 8, Bytes, [0x9274, 0x9275], [147, 148], Codec::Etc(Etc::Rgb);
    Etc2RgbA1, "ETC2 RGB8A1", FOUR, 8, Bytes, [0x9276, 0x9277], [149, 150], Codec::Etc(Etc::RgbA1);
    Etc2Rgba, "ETC2 RGBA8", FOUR, 16, Bytes, [0x9278, 0x9279], [151, 152], Codec::Etc(Etc::Rgba);
    EacR11, "EAC R11", FOUR, 8, Bytes, [0x9270, 0], [153, 0], Codec::Etc(Etc::R11);
    EacRg11, "EAC RG11", FOUR, 16, Bytes, [0x9272, 0], [155, 0], Codec::Etc(Etc::Rg11);
    Astc4x4, "ASTC 4x4", [4, 4], 16, Bytes, [0x93b0, 0x93d0], [157, 158], Codec::Dds(Dds::ASTC_4X4_UNORM);
    Astc5x4, "ASTC 5x4", [5, 4], 16, Bytes, [0x93b1, 0x93d1], [159, 160], Codec::Dds(Dds::ASTC_5X4_UNORM);
    Astc5x5, "ASTC 5x5", [5, 5], 16, Bytes, [0x93b2, 0x93d2], [161, 162], Codec::Dds(Dds::ASTC_5X5_UNORM);
    Astc6x5, "ASTC 6x5", [6, 5], 16, Bytes, [0x93b3, 0x93d3], [163, 164], Codec::Dds(Dds::ASTC_6X5_UNORM);
    Astc6x6, "ASTC 6x6", [6, 6], 16, Bytes, [0x93b4, 0x93d4], [165, 166], Codec::Dds(Dds::ASTC_6X6_UNORM);
    Astc8x5, "ASTC 8x5", [8, 5], 16, Bytes, [0x93b5, 0x93d5], [167, 168], Codec::Dds(Dds::ASTC_8X5_UNORM);
    Astc8x6, "ASTC 8x6", [8, 6], 16, Bytes, [0x93b6, 0x93d6], [169, 170], Codec::Dds(Dds::ASTC_8X6_UNORM);
    Astc8x8, "ASTC 8x8", [8, 8], 16, Bytes, [0x93b7, 0x93d7], [171, 172], Codec::Dds(Dds::ASTC_8X8_UNORM);
    Astc10x5, "ASTC 10x5", [10, 5], 16, Bytes, [0x93b8, 0x93d8], [173, 174], Codec::Dds(Dds::ASTC_10X5_UNORM);
    Astc10x6, "ASTC 10x6", [10, 6], 16, Bytes, [0x93b9, 0x93d9], [175, 176], Codec::Dds(Dds::ASTC_10X6_UNORM);
    Astc10x8, "ASTC 10x8", [10, 8], 16, Bytes, [0x93ba, 0x93da], [177, 178], Codec::Dds(Dds::ASTC_10X8_UNORM);
    Astc10x10, "ASTC 10x10", [10, 10], 16, Bytes, [0x93bb, 0x93db], [179, 180], Codec::Dds(Dds::ASTC_10X10_UNORM);
    Astc12x10, "ASTC 12x10", [12, 10], 16, Bytes, [0x93bc, 0x93dc], [181, 182], Codec::Dds(Dds::ASTC_12X10_UNORM);
    Astc12x12, "ASTC 12x12", [12, 12], 16, Bytes, [0x93bd, 0x93dd], [183, 184], Codec::Dds(Dds::ASTC_12X12_UNORM);
}

impl TexelFormat {
    /// The table row of this format.
    pub fn info(self) -> &'static TexelFormatInfo {
        &TEXEL_FORMATS[self as usize]
    }

    /// The format of a compressed KTX 1 file, and whether it is sRGB-encoded.
    pub(super) fn of_gl(number: u32) -> Option<(Self, bool)> {
        Self::of(number, |row| row.gl)
    }

    /// The format of a KTX 2 file, and whether it is sRGB-encoded.
    pub(super) fn of_vk(number: u32) -> Option<(Self, bool)> {
        Self::of(number, |row| row.vk)
    }

    /// The format whose linear variant has this `vkFormat`.
    pub fn linear_of_vk(number: u32) -> Option<Self> {
        Self::of_vk(number).filter(|(_, is_srgb)| !is_srgb).map(|(format, _)| format)
    }

    fn of(number: u32, numbers: impl Fn(&TexelFormatInfo) -> [u32; 2]) -> Option<(Self, bool)> {
        let row = TEXEL_FORMATS.iter().find(|row| number != 0 && numbers(row).contains(&number))?;
        Some((row.format, numbers(row)[1] == number))
    }

    /// Tightly packed bytes of a surface; saturates instead of overflowing.
    pub fn surface_bytes(self, [width, height]: [u32; 2]) -> usize {
        self.row_bytes(width).saturating_mul(height.div_ceil(self.info().block[1]) as usize)
    }

    /// Tightly packed bytes of a row of blocks.
    pub fn row_bytes(self, width: u32) -> usize {
        let blocks = width.div_ceil(self.info().block[0]) as usize;
        blocks.saturating_mul(self.info().block_bytes as usize)
    }

    /// Whether this is an ASTC format.
    pub fn is_astc(self) -> bool {
        self as usize >= Self::Astc4x4 as usize
    }

    /// Whether texels are stored in blocks.
    pub fn is_compressed(self) -> bool {
        self.info().block != ONE
    }
}
