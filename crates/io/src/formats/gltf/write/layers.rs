//! The part of a material's look that is written as extensions: only values that differ from the
//! defaults.

use std::collections::BTreeSet;

use glam::Vec3;
use serde_json::{Map, Value, json};

use super::super::layers::{CLEARCOAT, EMISSIVE_STRENGTH, IOR, SHEEN, SPECULAR, TRANSMISSION};
use rigscope_core::model::MaterialLook;

/// The highest emissive strength, since twice as much would overflow.
const MAX_STRENGTH: f32 = 1e38;

/// The extensions that `look` needs.
pub(super) fn extensions(
    look: &MaterialLook,
    used: &mut BTreeSet<&'static str>,
) -> Map<String, Value> {
    let plain = MaterialLook::default();
    let number = |own: f32, plain: f32, stored: f32| (own != plain).then(|| Value::from(stored));
    let share = |own: f32, plain: f32| number(own, plain, own.clamp(0.0, 1.0));
    let color = |own: Vec3, plain: Vec3, high: f32| {
        let stored = own.clamp(Vec3::ZERO, Vec3::splat(high));
        (own != plain).then(|| json!(stored.to_array()))
    };
    let strength = emissive(look).1;
    // Indices of refraction below 1 aren't allowed, except 0.
    let ior = if look.ior == 0.0 { 0.0 } else { look.ior.max(1.0) };
    let rows = [
        (EMISSIVE_STRENGTH, "emissiveStrength", number(strength, 1.0, strength)),
        (IOR, "ior", number(look.ior, plain.ior, ior)),
        (SPECULAR, "specularFactor", share(look.specular, plain.specular)),
        (
            SPECULAR,
            "specularColorFactor",
            color(look.specular_color, plain.specular_color, f32::MAX),
        ),
        (CLEARCOAT, "clearcoatFactor", share(look.clearcoat, plain.clearcoat)),
        (
            CLEARCOAT,
            "clearcoatRoughnessFactor",
            share(look.clearcoat_roughness, plain.clearcoat_roughness),
        ),
        (SHEEN, "sheenColorFactor", color(look.sheen_color, plain.sheen_color, 1.0)),
        (SHEEN, "sheenRoughnessFactor", share(look.sheen_roughness, plain.sheen_roughness)),
        (TRANSMISSION, "transmissionFactor", share(look.transmission, plain.transmission)),
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

/// Splits the emission into a factor of at most 1 and a strength. The strength is a power of two,
/// so that their product is exact.
pub(super) fn emissive(look: &MaterialLook) -> (Vec3, f32) {
    let color = look.emissive.max(Vec3::ZERO);
    let mut strength = 1.0;
    while strength < color.max_element() && strength < MAX_STRENGTH {
        strength *= 2.0;
    }
    ((color / strength).min(Vec3::ONE), strength)
}
