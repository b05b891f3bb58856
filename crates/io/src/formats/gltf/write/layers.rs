//! The part of a material's look that is written as extensions: only values that differ from the
//! defaults.

use std::collections::BTreeSet;

use glam::Vec3;
use serde_json::{Map, Value, json};

use super::super::layers::{CLEARCOAT, EMISSIVE_STRENGTH, IOR, SHEEN, SPECULAR, TRANSMISSION};
use rigscope_core::model::{MaterialLook, MaterialProperty as Property};

/// The highest emissive strength, since twice as much would overflow.
const MAX_STRENGTH: f32 = 1e38;

/// The extensions that `look` needs, including those with properties that `is_animated`.
pub(super) fn extensions(
    look: &MaterialLook,
    strength: f32,
    is_animated: impl Fn(Property) -> bool,
    used: &mut BTreeSet<&'static str>,
) -> Map<String, Value> {
    let plain = MaterialLook::default();
    let number = |property, own: f32, plain: f32, stored: f32| {
        (own != plain || is_animated(property)).then(|| Value::from(stored))
    };
    let share = |property, own: f32, plain: f32| number(property, own, plain, own.clamp(0.0, 1.0));
    let color = |property, own: Vec3, plain: Vec3, high: f32| {
        let stored = own.clamp(Vec3::ZERO, Vec3::splat(high));
        (own != plain || is_animated(property)).then(|| json!(stored.to_array()))
    };
    // Indices of refraction below 1 aren't allowed, except 0.
    let ior = if look.ior == 0.0 { 0.0 } else { look.ior.max(1.0) };
    let rows = [
        (EMISSIVE_STRENGTH, "emissiveStrength", (strength != 1.0).then(|| Value::from(strength))),
        (IOR, "ior", number(Property::Ior, look.ior, plain.ior, ior)),
        (SPECULAR, "specularFactor", share(Property::Specular, look.specular, plain.specular)),
        (
            SPECULAR,
            "specularColorFactor",
            color(Property::SpecularColor, look.specular_color, plain.specular_color, f32::MAX),
        ),
        (CLEARCOAT, "clearcoatFactor", share(Property::Clearcoat, look.clearcoat, plain.clearcoat)),
        (
            CLEARCOAT,
            "clearcoatRoughnessFactor",
            share(
                Property::ClearcoatRoughness,
                look.clearcoat_roughness,
                plain.clearcoat_roughness,
            ),
        ),
        (
            SHEEN,
            "sheenColorFactor",
            color(Property::SheenColor, look.sheen_color, plain.sheen_color, 1.0),
        ),
        (
            SHEEN,
            "sheenRoughnessFactor",
            share(Property::SheenRoughness, look.sheen_roughness, plain.sheen_roughness),
        ),
        (
            TRANSMISSION,
            "transmissionFactor",
            share(Property::Transmission, look.transmission, plain.transmission),
        ),
    ];
    let mut out = Map::new();
    for (extension, key, value) in rows {
        let Some(value) = value else { continue };
        used.insert(extension);
        let entry = out.entry(extension).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(map) = entry {
            map.insert(key.to_owned(), value);
        }
    }
    out
}

/// The strength that scales emission of up to `peak` to a factor of at most 1: a power of two, so that their product is
/// exact.
pub(super) fn emissive_strength(peak: Vec3) -> f32 {
    let mut strength = 1.0;
    while strength < peak.max_element() && strength < MAX_STRENGTH {
        strength *= 2.0;
    }
    strength
}
