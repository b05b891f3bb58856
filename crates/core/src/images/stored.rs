//! Texels as containers store them, for GPUs that take them so.

use std::borrow::Cow;

use super::container::Container;
use super::{ImageHeader, ImageKind, Refusal, TexelFormat, dds_file, ktx1, ktx2_file};

/// Texels as a container stores them, rows tightly packed.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    /// Their layout.
    pub format: TexelFormat,
    /// By level, then face.
    pub levels: Vec<Vec<Cow<'a, [u8]>>>,
}

/// Reads the head of a container.
pub(super) fn container(bytes: &[u8], kind: ImageKind) -> Result<Container<'_>, Refusal> {
    match kind {
        ImageKind::Ktx => ktx1::read(bytes),
        ImageKind::Ktx2 => ktx2_file::read(bytes),
        ImageKind::Dds => dds_file::read(bytes),
        _ => Err(Refusal::unreadable("is no container of texels")),
    }
}

/// The texels of a container as they are stored; its `header` was accepted.
///
/// # Errors
/// When its bytes are damaged, or it is a picture, which has none.
pub fn stored(bytes: &[u8], header: ImageHeader) -> Result<Stored<'_>, Refusal> {
    let container = container(bytes, header.kind)?;
    let levels = (0..header.num_levels).zip(&container.levels);
    let levels = levels.map(|(level, place)| container.faces(place, header.size_of(level)));
    Ok(Stored { format: container.format, levels: levels.collect::<Result<_, _>>()? })
}
