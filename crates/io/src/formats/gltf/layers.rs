//! Extensions that change a material's look: emissive strength, reflection, layers, and the older
//! specular-glossiness model.
//!
//! Source: the specifications of `KHR_materials_emissive_strength`, `_ior`, `_specular`,
//! `_clearcoat`, `_sheen`, `_transmission`, `_pbrSpecularGlossiness`. All are read as untyped JSON:
//! a value of the wrong type is treated as absent.

use glam::{Vec3, Vec4};
use serde_json::{Map, Value};

use super::texture::{TextureUse, Transform};
use rigscope_core::model::{Approximation, Approximations, MaterialLook, TextureRole};

pub(super) const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
pub(super) const IOR: &str = "KHR_materials_ior";
pub(super) const SPECULAR: &str = "KHR_materials_specular";
pub(super) const CLEARCOAT: &str = "KHR_materials_clearcoat";
pub(super) const SHEEN: &str = "KHR_materials_sheen";
pub(super) const TRANSMISSION: &str = "KHR_materials_transmission";
/// The older material model, still common in exports of scans.
pub(super) const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";

/// Textures of extensions whose factors are known.
const LAYER_TEXTURES: [(&str, &str); 8] = [
    (SPECULAR, "specularTexture"),
    (SPECULAR, "specularColorTexture"),
    (CLEARCOAT, "clearcoatTexture"),
    (CLEARCOAT, "clearcoatRoughnessTexture"),
    (CLEARCOAT, "clearcoatNormalTexture"),
    (SHEEN, "sheenColorTexture"),
    (SHEEN, "sheenRoughnessTexture"),
    (TRANSMISSION, "transmissionTexture"),
];
/// Extensions without any support.
const NOT_SHOWN: [&str; 6] = [
    "KHR_materials_anisotropy",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_iridescence",
    "KHR_materials_subsurface",
    "KHR_materials_volume",
];
/// Glossiness assumed for surfaces with a glossiness texture, which isn't shown: most such textures
/// are neither mirrors nor chalk.
const UNSEEN_GLOSSINESS: f32 = 0.5;

/// The strength that multiplies a material's emissive factor.
pub(super) fn emissive_strength(stored: &gltf_json::Material) -> f32 {
    let extension = |stored: &gltf_json::material::Material| {
        let extensions = &stored.extensions.as_ref()?.others;
        number(extensions.get(EMISSIVE_STRENGTH)?.get("emissiveStrength")?)
    };
    extension(stored).unwrap_or(1.0)
}

/// Reads all material extensions except the older model.
pub(super) fn read<'a>(
    extensions: &Map<String, Value>,
    material: &'a str,
    look: &mut MaterialLook,
    named: &mut Vec<TextureUse<'a>>,
    approximated: &mut Approximations,
) {
    let number = |extension, key| number(extensions.get(extension)?.get(key)?);
    let color = |extension, key| color(extensions.get(extension)?.get(key)?);
    look.emissive *= number(EMISSIVE_STRENGTH, "emissiveStrength").unwrap_or(1.0);
    for (own, extension, key) in [
        (&mut look.ior, IOR, "ior"),
        (&mut look.specular, SPECULAR, "specularFactor"),
        (&mut look.clearcoat, CLEARCOAT, "clearcoatFactor"),
        (&mut look.clearcoat_roughness, CLEARCOAT, "clearcoatRoughnessFactor"),
        (&mut look.sheen_roughness, SHEEN, "sheenRoughnessFactor"),
        (&mut look.transmission, TRANSMISSION, "transmissionFactor"),
    ] {
        *own = number(extension, key).unwrap_or(*own);
    }
    for (own, extension, key) in [
        (&mut look.specular_color, SPECULAR, "specularColorFactor"),
        (&mut look.sheen_color, SHEEN, "sheenColorFactor"),
    ] {
        *own = color(extension, key).unwrap_or(*own);
    }
    for (extension, key) in LAYER_TEXTURES {
        let stored = extensions.get(extension).and_then(|extension| extension.get(key));
        let texture = stored.and_then(|stored| texture(stored, TextureRole::Other, material));
        approximated.insert_if(texture.is_some(), Approximation::LayerTextures);
        named.extend(texture);
    }
    approximated.insert_if(look.transmission > 0.0, Approximation::Transmission);
    let is_finer = NOT_SHOWN.iter().any(|name| extensions.contains_key(*name));
    approximated.insert_if(is_finer, Approximation::FinerLayers);
}

/// Converts the older model to the newer one: a dielectric of infinite index, whose reflection is
/// all of the specular colour (`KHR_materials_ior` allows 0 for this).
pub(super) fn specular_glossiness<'a>(
    older: &Value,
    material: &'a str,
    look: &mut MaterialLook,
    named: &mut Vec<TextureUse<'a>>,
    approximated: &mut Approximations,
) {
    let texture_of = |key, role| texture(older.get(key)?, role, material);
    named.splice(0..0, texture_of("diffuseTexture", TextureRole::BaseColor));
    look.base_color = diffuse(older);
    look.metallic = 0.0;
    approximated.insert_if(true, Approximation::SpecularGlossiness);
    let glossiness = older.get("glossinessFactor").and_then(number).unwrap_or(1.0);
    if let Some(texture) = texture_of("specularGlossinessTexture", TextureRole::Other) {
        named.push(texture);
        approximated.insert_if(true, Approximation::SpecularGlossinessTexture);
        // Without the texture, the factors would make a mirror.
        look.roughness = 1.0 - glossiness * UNSEEN_GLOSSINESS;
    } else {
        look.roughness = 1.0 - glossiness;
        look.ior = 0.0;
        look.specular_color = older.get("specularFactor").and_then(color).unwrap_or(Vec3::ONE);
    }
}

fn diffuse(older: &Value) -> Vec4 {
    let stored = older.get("diffuseFactor").and_then(Value::as_array);
    let mut factor = [1.0; 4];
    for (slot, value) in factor.iter_mut().zip(stored.into_iter().flatten()) {
        *slot = number(value).unwrap_or(*slot);
    }
    Vec4::from_array(factor)
}

/// A texture reference in an extension that the crate has no types for.
fn texture<'a>(stored: &Value, role: TextureRole, of_material: &'a str) -> Option<TextureUse<'a>> {
    let number = |key: &str| stored.get(key).and_then(Value::as_u64);
    let extensions = stored.get("extensions").and_then(Value::as_object);
    Some(TextureUse {
        role,
        index: usize::try_from(number("index")?).ok()?,
        uv_set: u32::try_from(number("texCoord").unwrap_or(0)).unwrap_or(u32::MAX),
        transform: extensions.and_then(Transform::of),
        of_material,
    })
}

fn number(stored: &Value) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "JSON's numbers are wider")]
    let number = stored.as_f64().map(|number| number as f32);
    number
}

fn color(stored: &Value) -> Option<Vec3> {
    match &stored.as_array()?[..] {
        [r, g, b] => Some(Vec3::new(number(r)?, number(g)?, number(b)?)),
        _ => None,
    }
}
