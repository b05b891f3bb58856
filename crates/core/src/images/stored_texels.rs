//! Texels as stored in containers, for GPUs that support the format.

use std::borrow::Cow;

use super::container::Container;
use super::{ImageHeader, ImageKind, Refusal, TexelFormat, dds_file, ktx1, ktx2_file};

/// Texels as stored in a container, with tightly packed rows.
#[derive(Clone, Debug)]
pub struct StoredTexels<'a> {
    /// Texel format.
    pub format: TexelFormat,
    /// Bytes by level, then by face.
    pub levels: Vec<Vec<Cow<'a, [u8]>>>,
}

/// Reads the header of a container.
pub(super) fn container(bytes: &[u8], kind: ImageKind) -> Result<Container<'_>, Refusal> {
    match kind {
        ImageKind::Ktx => ktx1::read(bytes),
        ImageKind::Ktx2 => ktx2_file::read(bytes),
        ImageKind::Dds => dds_file::read(bytes),
        _ => Err(Refusal::unreadable("isn't a texture container")),
    }
}

/// The texels of a container as stored; its `header` must have been accepted.
///
/// # Errors
/// If the bytes are damaged or the file isn't a container.
pub fn stored_texels(bytes: &[u8], header: ImageHeader) -> Result<StoredTexels<'_>, Refusal> {
    let container = container(bytes, header.kind)?;
    let levels = (0..header.num_levels).zip(&container.levels);
    let levels = levels.map(|(level, place)| container.faces(place, header.size_of(level)));
    Ok(StoredTexels { format: container.format, levels: levels.collect::<Result<_, _>>()? })
}
