//! Image files: their kind, decoded size and texels.
//!
//! Pure: bytes in, texels out. Nothing is allocated before the header has been checked against the
//! limits, and invalid data results in a [`Refusal`].
//! Not for: finding files (`formats/textures.rs`), the meaning of textures (`model`), uploading
//! them (`gpu/textures`).

mod basis;
mod channel_packing;
mod channels;
mod codec;
mod container;
mod dds_file;
mod decode;
mod etc2;
mod header;
mod kind;
mod ktx1;
mod ktx2_file;
mod ktx2_levels;
mod limits;
mod png;
mod raster;
mod read_header;
mod refusal;
mod stored_texels;
mod surface;
mod texel_format;
mod zstd;

pub use channel_packing::{PackedImage, SourceChannel, pack_channels};
pub use decode::{Decoded, decode};
pub use header::ImageHeader;
pub use kind::{IMAGE_KINDS, ImageKind, ImageKindInfo, kind_of};
pub use limits::{MAX_IMAGE_BYTES, MAX_SIDE};
pub(crate) use png::rgba_png;
pub use png::{level_png, png};
pub use read_header::{environment_header, header, header_within};
pub use refusal::Refusal;
pub use stored_texels::{StoredTexels, stored_texels};
pub use surface::{Surface, Texels};
pub use texel_format::{TEXEL_FORMATS, TexelFormat, TexelFormatInfo};

#[cfg(test)]
mod basis_tests;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
