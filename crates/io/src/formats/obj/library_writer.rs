//! Writes the material library.
//!
//! Source: Wavefront, "MTL material format" (Lightwave, OBJ file format, version 4.2), and for `norm`, `Pr`,
//! `Pm`, `Ps`, `Pc` and `Pcr` the extension for physically based rendering used by exporters.

use std::fmt::Write;

use glam::Vec3;

use super::names::Names;
use crate::formats::related_images::{RelatedImages, missing_path};
use rigscope_core::model::{
    AlphaMode, FindingKind, Material, MaterialLook, Model, Place, Report, TextureRef, TextureRole,
    Wrap, as_u32,
};

/// The text for all materials with a name, in the order of the model.
pub(super) fn library_text(
    model: &Model,
    names: &Names,
    images: &RelatedImages,
    report: &Report,
) -> String {
    let mut out = String::from("# rigscope\n");
    for (number, (material, name)) in model.materials.iter().zip(&names.materials).enumerate() {
        let Some(name) = name else { continue };
        // Writing to a string can't fail.
        let _ = writeln!(out, "newmtl {name}");
        if let Some(look) = &material.look {
            let [r, g, b, a] = look.base_color.to_array();
            let _ = writeln!(out, "Kd {r} {g} {b}\nd {a}");
            write_surface(&mut out, material, look);
        }
        for texture in &material.textures {
            let _ = writeln!(out, "{} {}", keyword(texture), path(model, texture, images));
        }
        let place = Place::Material(as_u32(number));
        let is_poorer = u64::from(!is_whole(material));
        report.add_many(FindingKind::LookNotWritten, place, is_poorer, || {
            format!("MTL can't store some properties of material {name}")
        });
    }
    out
}

/// Properties that differ from a matt surface. A texture replaces metallic and roughness, and is multiplied
/// with the other colours.
fn write_surface(out: &mut String, material: &Material, look: &MaterialLook) {
    let plain = MaterialLook::default();
    let mut number = |word: &str, own: f32, plain: f32| {
        if own != plain {
            let _ = writeln!(out, "{word} {own}");
        }
    };
    let has = |role| material.textures.iter().any(|texture| texture.role == role);
    // A number in place of a packed texture, which can't be stored, would turn the whole surface into metal.
    let is_lost =
        has(TextureRole::MetallicRoughness) || has(TextureRole::MetallicRoughnessOcclusion);
    if !has(TextureRole::Metallic) && !is_lost {
        number("Pm", look.metallic, plain.metallic);
    }
    if !has(TextureRole::Roughness) {
        number("Pr", look.roughness, plain.roughness);
    }
    number("Ni", look.ior, plain.ior);
    number("Pc", look.clearcoat, plain.clearcoat);
    number("Pcr", look.clearcoat_roughness, plain.clearcoat_roughness);
    for (word, color) in [("Ke", look.emissive), ("Ps", look.sheen_color)] {
        if color != Vec3::ZERO {
            let _ = writeln!(out, "{word} {} {} {}", color.x, color.y, color.z);
        }
    }
}

/// The keyword for a texture's role and wrap mode. Other textures have a keyword that only stores their name,
/// because the model doesn't know their meaning.
fn keyword(texture: &TextureRef) -> &'static str {
    let is_clamped = texture.wrap == [Wrap::Clamp; 2];
    let (plain, clamped) = match texture.role {
        TextureRole::BaseColor => ("map_Kd", "map_Kd -clamp on"),
        TextureRole::Normal => ("norm", "norm -clamp on"),
        TextureRole::Emissive => ("map_Ke", "map_Ke -clamp on"),
        TextureRole::Metallic => ("map_Pm", "map_Pm -clamp on"),
        TextureRole::Roughness => ("map_Pr", "map_Pr -clamp on"),
        TextureRole::MetallicRoughness
        | TextureRole::MetallicRoughnessOcclusion
        | TextureRole::Occlusion
        | TextureRole::Other => ("map_other", "map_other -clamp on"),
    };
    if is_clamped { clamped } else { plain }
}

/// The path of the written image, or, if it's missing, the stored path without parts that lead outside.
fn path(model: &Model, texture: &TextureRef, images: &RelatedImages) -> String {
    let written = images.name(texture).map(str::to_owned);
    written.unwrap_or_else(|| missing_path(model, texture))
}

/// Whether a library can store the material completely, apart from its images.
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
    let has = |role| material.textures.iter().any(|texture| texture.role == role);
    let has_packed = has(TextureRole::MetallicRoughness)
        || has(TextureRole::MetallicRoughnessOcclusion)
        || has(TextureRole::Occlusion);
    // The properties that the format can store if no texture replaces the number.
    let said = MaterialLook {
        base_color: look.base_color,
        alpha: look.alpha,
        metallic: if has(TextureRole::Metallic) { 1.0 } else { look.metallic },
        roughness: if has(TextureRole::Roughness) { 1.0 } else { look.roughness },
        emissive: look.emissive,
        ior: look.ior,
        clearcoat: look.clearcoat,
        clearcoat_roughness: look.clearcoat_roughness,
        sheen_color: look.sheen_color,
        ..MaterialLook::default()
    };
    // Black would hide the texture and is read as white; an index of 1 is read as none.
    let is_dark = has(TextureRole::Emissive) && look.emissive == Vec3::ZERO;
    let is_said = look == said && !is_dark && look.ior > 1.0;
    is_seen && is_said && !has_packed && material.textures.iter().all(is_plain)
}
