//! Image files: what they are, how large they are once decoded, and their texels.
//!
//! Pure: bytes in, texels out. Nothing is allocated before a header has been held against the
//! limits, and whatever is wrong with bytes is a [`Refusal`].
//! Not for: finding files (`formats/textures.rs`), what textures mean (`model`), uploading them
//! (`gpu/textures`).

mod channels;
mod codec;
mod container;
mod dds_file;
mod decode;
mod etc2;
mod header;
mod joined;
mod kind;
mod ktx1;
mod ktx2_file;
mod limits;
mod picture;
mod png;
mod read_header;
mod refusal;
mod stored;
mod surface;
mod texel_format;

pub use decode::{Decoded, decode};
pub use header::ImageHeader;
pub use joined::{ChannelOf, Joined, joined};
pub use kind::{IMAGE_KINDS, ImageKind, ImageKindInfo, kind_of};
pub use ktx2_file::BASIS_MEND;
pub use limits::{MAX_IMAGE_BYTES, MAX_SIDE};
pub use png::{level_png, png};
pub use read_header::{header, header_of_light, header_within};
pub use refusal::Refusal;
pub use stored::{Stored, stored};
pub use surface::{Surface, Texels};
pub use texel_format::{TEXEL_FORMATS, TexelFormat, TexelFormatInfo};

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
