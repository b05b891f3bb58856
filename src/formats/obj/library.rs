//! The material library.
//!
//! Source: Wavefront, "MTL material format" (Lightwave, OBJ file format, version 4.2), and for
//! `norm` the extension for physically based rendering that exporters use.

use std::fmt::Write;

use super::names::Names;
use crate::formats::images_beside::{ImagesBeside, missing_path};
use crate::model::{
    AlphaMode, Material, Model, NoteKind, Place, Report, TextureRef, TextureRole, Wrap,
};

/// The text for all materials that have a name, in the order of the model.
pub(super) fn library_text(
    model: &Model,
    names: &Names,
    images: &ImagesBeside,
    report: &Report,
) -> String {
    let mut out = String::from("# rigscope\n");
    for (number, (material, name)) in model.materials.iter().zip(&names.materials).enumerate() {
        let Some(name) = name else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "newmtl {name}");
        if let Some(look) = &material.look {
            let [r, g, b, a] = look.base_color.to_array();
            let _ = writeln!(out, "Kd {r} {g} {b}\nd {a}");
        }
        for texture in &material.textures {
            let _ = writeln!(out, "{} {}", keyword(texture), path(model, texture, images));
        }
        let place = Place::Material(u32::try_from(number).unwrap_or(u32::MAX));
        let is_poorer = u64::from(!is_whole(material));
        report.note_many(NoteKind::LookNotWritten, place, is_poorer, || format!("material {name}"));
    }
    out
}

/// What a texture is for, and how it goes on beyond its edge. Textures of other use have a word
/// that only gives their name: the model does not know what they mean.
fn keyword(texture: &TextureRef) -> &'static str {
    let is_clamped = texture.wrap == [Wrap::Clamp; 2];
    match (texture.role, is_clamped) {
        (TextureRole::BaseColor, false) => "map_Kd",
        (TextureRole::BaseColor, true) => "map_Kd -clamp on",
        (TextureRole::Normal, false) => "norm",
        (TextureRole::Normal, true) => "norm -clamp on",
        (_, false) => "map_other",
        (_, true) => "map_other -clamp on",
    }
}

/// The path of the image's file; what the file spells where there is none, without what leads
/// outside.
fn path(model: &Model, texture: &TextureRef, images: &ImagesBeside) -> String {
    let written = images.name(texture).map(str::to_owned);
    written.unwrap_or_else(|| missing_path(model, texture))
}

/// Whether a library can say all that the material is, but for its images.
fn is_whole(material: &Material) -> bool {
    let look = material.look.as_deref().copied().unwrap_or_default();
    let is_seen = match look.alpha {
        AlphaMode::Opaque => look.base_color.w >= 1.0,
        AlphaMode::Blend => look.base_color.w < 1.0,
        AlphaMode::Mask(_) => false,
    };
    let is_plain = |texture: &TextureRef| {
        let is_same = texture.wrap == [Wrap::Repeat; 2] || texture.wrap == [Wrap::Clamp; 2];
        is_same && texture.texture_from_uv.is_none() && texture.uv_set == 0
    };
    is_seen && !look.is_two_sided && !look.is_unlit && material.textures.iter().all(is_plain)
}
