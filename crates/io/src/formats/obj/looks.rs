//! Materials: converts the values of a library to metallic-roughness.
//!
//! Metallic and roughness are `Pm` and `Pr`; without these, roughness comes from `Ns` as Blender writes it. Textures
//! replace metallic and roughness, and multiply colours.

use glam::{Vec3, Vec4};

use super::definitions::{Definition, Values};
use super::numbers::single;
use crate::formats::texture_suffixes::is_normal_map;
use rigscope_core::model::{
    AlphaMode, Approximation, Approximations, Material, MaterialLook, TextureRef, TextureRole,
};

/// A lower opacity is considered a misread file: exporters disagree on which end of transparency is opaque.
const MIN_OPACITY: f32 = 1.0 / 255.0;
/// The exponent that Blender writes for a mirror (`Ns` of its OBJ exporter).
const MIRROR_EXPONENT: f32 = 1000.0;

/// The material with that definition.
pub(super) fn material(mut definition: Definition) -> Material {
    let (look, approximated) = look(&definition);
    // By use, as ufbx sorts them.
    definition.textures.sort_by(|(a, _), (b, _)| a.cmp(b));
    let textures = definition.textures.into_iter();
    let texture = |(word, path): (String, String)| TextureRef::file(role(&word, &path), path);
    Material {
        name: definition.name,
        textures: textures.map(texture).collect(),
        look: Some(Box::new(look)),
        approximated,
    }
}

fn role(word: &str, path: &str) -> TextureRole {
    match word {
        "Kd" => TextureRole::BaseColor,
        "norm" => TextureRole::Normal,
        "Ke" => TextureRole::Emissive,
        "Pm" => TextureRole::Metallic,
        "Pr" => TextureRole::Roughness,
        // Ambiguous: a bump map is a height map by definition, but contains normals in many files.
        _ if word.eq_ignore_ascii_case("bump") && is_normal_map(path) => TextureRole::Normal,
        _ => TextureRole::Other,
    }
}

/// The look of a material, and its approximations.
fn look(material: &Definition) -> (MaterialLook, Approximations) {
    let mut approximated = Approximations::default();
    let plain = MaterialLook::default();
    let color = |word: &str| material.values(word).map(color);
    let finite_color = |word: &str| color(word).filter(|color| color.is_finite());
    let stated = |word: &str| material.values(word).map(|values| single(values.list[0]));
    let finite = |word: &str| stated(word).filter(|number| number.is_finite());
    let share = |word: &str| finite(word).unwrap_or(0.0).clamp(0.0, 1.0);
    let textured = |word: &str| material.has_texture(word).then_some(1.0);
    // A black factor would make a texture invisible; files contain it nevertheless.
    let seen = |word: &str, color: Vec3| {
        let is_hidden = color == Vec3::ZERO && material.has_texture(word);
        if is_hidden { Vec3::ONE } else { color }
    };
    let base = seen("Kd", color("Kd").unwrap_or(Vec3::ONE));
    let emissive = seen("Ke", finite_color("Ke").unwrap_or(Vec3::ZERO)).max(Vec3::ZERO);
    let opacity = stated("d").filter(|opacity| *opacity > MIN_OPACITY).unwrap_or(1.0).min(1.0);
    let is_cut = material.has_texture("d");
    approximated.insert_if(is_cut, Approximation::OpacityTexture);
    let has_heights = ["bump", "Bump", "disp"].into_iter().any(|word| material.has_texture(word));
    approximated.insert_if(has_heights, Approximation::Heights);
    let has_highlight = finite_color("Ks").is_none_or(|color| color != Vec3::ZERO);
    let exponent = finite("Ns").filter(|_| has_highlight);
    let roughness = match (textured("Pr").or_else(|| stated("Pr")), exponent) {
        (Some(roughness), _) => roughness.clamp(0.0, 1.0),
        (None, Some(exponent)) => {
            approximated.insert_if(true, Approximation::Shininess);
            1.0 - (exponent / MIRROR_EXPONENT).clamp(0.0, 1.0).sqrt()
        }
        (None, None) => plain.roughness,
    };
    let has_layer =
        ["Ks", "Ns", "Pc", "Pcr", "Ps"].into_iter().any(|word| material.has_texture(word));
    approximated.insert_if(has_layer, Approximation::LayerTextures);
    let look = MaterialLook {
        base_color: Vec4::from((base, opacity)),
        alpha: if opacity < 1.0 || is_cut { AlphaMode::Blend } else { AlphaMode::Opaque },
        metallic: textured("Pm").or_else(|| stated("Pm")).unwrap_or(0.0).clamp(0.0, 1.0),
        roughness,
        emissive,
        // Most files write a meaningless 1.
        ior: finite("Ni").filter(|ior| *ior > 1.0).unwrap_or(plain.ior),
        clearcoat: share("Pc"),
        clearcoat_roughness: share("Pcr"),
        sheen_color: finite_color("Ps").unwrap_or(Vec3::ZERO).clamp(Vec3::ZERO, Vec3::ONE),
        ..plain
    };
    (look, approximated)
}

/// A colour; a single number is grey.
fn color(values: &Values) -> Vec3 {
    let [r, g, b, _] = values.list.map(single);
    if values.num == 1 { Vec3::splat(r) } else { Vec3::new(r, g, b) }
}
