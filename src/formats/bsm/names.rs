//! A material's name as the format has it: the file name of an image, as its exporter writes it.

use super::layout::MATERIAL_BYTES;
use crate::formats::last_part;
use crate::model::{MaterialId, Model, NoteKind, Place, Report, TextureRole};

/// The field for a material: the file name of its colour texture, else its own name, with a NUL
/// behind it. What does not fit is cut off between characters and noted.
pub(super) fn material_field(
    model: &Model,
    id: Option<MaterialId>,
    report: &Report,
) -> [u8; MATERIAL_BYTES] {
    let mut field = [0; MATERIAL_BYTES];
    let Some((id, material)) = id.and_then(|id| Some((id, model.materials.get(id.index())?)))
    else {
        return field;
    };
    let mut textures = material.textures.iter();
    let color = textures.find(|texture| texture.role == TextureRole::BaseColor);
    let file = color.map_or("", |texture| last_part(model.texture_name(texture)));
    let name = match file.is_empty() {
        true => material.name.as_str(),
        false => file,
    };
    // A reader stops at the first NUL.
    let end = name.find('\0').unwrap_or(name.len());
    let end = name.floor_char_boundary(end.min(MATERIAL_BYTES - 1));
    let kept = name.get(..end).unwrap_or_default();
    let is_cut = u64::from(kept.len() < name.len());
    report.note_many(NoteKind::NameCut, Place::Material(id.0), is_cut, || {
        format!("{name:?} is stored as {kept:?}")
    });
    if let Some(start) = field.get_mut(..kept.len()) {
        start.copy_from_slice(kept.as_bytes());
    }
    field
}
