//! Material names as stored in the format: the file name of an image, as written by the exporter.

use super::layout::MATERIAL_BYTES;
use crate::formats::last_part;
use crate::formats::related_images::{RelatedImages, missing_path};
use rigscope_core::model::{
    FindingKind, Material, MaterialId, Model, Place, Report, TextureRef, TextureRole,
};

/// The texture of a material that the format can store.
pub(super) fn color_of(material: &Material) -> Option<&TextureRef> {
    let mut textures = material.textures.iter();
    textures.find(|texture| texture.role == TextureRole::BaseColor)
}

/// The field for a material: the file name of its colour texture, or else its name, NUL-terminated. A name
/// that is too long is truncated between characters and reported.
pub(super) fn material_field(
    model: &Model,
    id: Option<MaterialId>,
    images: &RelatedImages,
    report: &Report,
) -> [u8; MATERIAL_BYTES] {
    let mut field = [0; MATERIAL_BYTES];
    let Some(id) = id else { return field };
    let material = model.material(id);
    let file = color_of(material).map_or(String::new(), |texture| {
        let written = images.name(texture).map(|name| last_part(name).to_owned());
        written.unwrap_or_else(|| last_part(&missing_path(model, texture)).to_owned())
    });
    let name = if file.is_empty() { material.name.as_str() } else { &file };
    // Readers stop at the first NUL.
    let end = name.find('\0').unwrap_or(name.len());
    let end = name.floor_char_boundary(end.min(MATERIAL_BYTES - 1));
    let kept = name.get(..end).unwrap_or_default();
    let is_cut = u64::from(kept.len() < name.len());
    report.add_many(FindingKind::NameCut, Place::Material(id.0), is_cut, || {
        format!("{name:?} is stored as {kept:?}")
    });
    if let Some(start) = field.get_mut(..kept.len()) {
        start.copy_from_slice(kept.as_bytes());
    }
    field
}
