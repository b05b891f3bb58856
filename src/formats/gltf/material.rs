//! Materials: base colour, textures, what alpha means.

use glam::{Vec2, Vec4};
use gltf_json::material::AlphaMode as StoredAlpha;
use gltf_json::texture::Info;
use gltf_json::validation::Checked;
use serde_json::Value;

use super::asset::Asset;
use super::texture::{Images, Named, Transform};
use crate::formats::ReadError;
use crate::model::{AlphaMode, Material, MaterialLook, TextureRole};

/// The cutoff where a material states none (section 5.19.9).
const DEFAULT_CUTOFF: f32 = 0.5;

/// The older way to state colours, still common in exports of scans.
const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";

/// Reads all materials.
pub(super) fn read(asset: &mut Asset<'_>, images: &Images) -> Result<Vec<Material>, ReadError> {
    let stored = &asset.root.materials;
    let mut materials = asset.vec(stored.len(), "materials")?;
    for material in stored {
        materials.push(one(asset, images, material));
    }
    Ok(materials)
}

fn one(asset: &Asset<'_>, images: &Images, stored: &gltf_json::Material) -> Material {
    let name = stored.name.clone().unwrap_or_default();
    let pbr = &stored.pbr_metallic_roughness;
    let extensions = stored.extensions.as_ref();
    let older = extensions.and_then(|e| e.others.get(SPECULAR_GLOSSINESS));
    // Where there are both, the newer is meant for programs like this one.
    let older = older.filter(|_| pbr.base_color_texture.is_none());
    let plain = |role, info: &Info| Named {
        role,
        index: info.index.value(),
        uv_set: info.tex_coord,
        transform: transform(info),
        of_material: &name,
    };
    let named = [
        pbr.base_color_texture.as_ref().map(|info| plain(TextureRole::BaseColor, info)),
        older.and_then(|older| diffuse(older, &name)),
        stored.normal_texture.as_ref().map(|info| Named {
            role: TextureRole::Normal,
            index: info.index.value(),
            uv_set: info.tex_coord,
            transform: (info.extensions.as_ref()).and_then(|e| Transform::of(&e.others)),
            of_material: &name,
        }),
        pbr.metallic_roughness_texture.as_ref().map(|info| plain(TextureRole::Other, info)),
        stored.occlusion_texture.as_ref().map(|info| Named {
            role: TextureRole::Other,
            index: info.index.value(),
            uv_set: info.tex_coord,
            transform: (info.extensions.as_ref()).and_then(|e| Transform::of(&e.others)),
            of_material: &name,
        }),
        stored.emissive_texture.as_ref().map(|info| plain(TextureRole::Other, info)),
    ];
    let named = named.iter().flatten();
    let textures = named.filter_map(|named| images.texture(asset, named));
    let cutoff = stored.alpha_cutoff.map_or(DEFAULT_CUTOFF, |cutoff| cutoff.0);
    let look = MaterialLook {
        base_color: match older {
            Some(older) => diffuse_factor(older),
            None => Vec4::from_array(pbr.base_color_factor.0),
        },
        alpha: match stored.alpha_mode {
            Checked::Valid(StoredAlpha::Mask) => AlphaMode::Mask(cutoff),
            Checked::Valid(StoredAlpha::Blend) => AlphaMode::Blend,
            Checked::Valid(StoredAlpha::Opaque) | Checked::Invalid => AlphaMode::Opaque,
        },
        is_two_sided: stored.double_sided,
        is_unlit: (stored.extensions.as_ref()).is_some_and(|e| e.unlit.is_some()),
        ..MaterialLook::default()
    };
    Material { textures: textures.collect(), look: Some(Box::new(look)), name }
}

/// The texture of diffuse colour; the extension's own types are left out of the crate's.
fn diffuse<'a>(older: &Value, material: &'a str) -> Option<Named<'a>> {
    let texture = older.get("diffuseTexture")?;
    let number = |key: &str| texture.get(key).and_then(Value::as_u64);
    let extensions = texture.get("extensions").and_then(Value::as_object);
    Some(Named {
        role: TextureRole::BaseColor,
        index: usize::try_from(number("index")?).ok()?,
        uv_set: u32::try_from(number("texCoord").unwrap_or(0)).unwrap_or(u32::MAX),
        transform: extensions.and_then(Transform::of),
        of_material: material,
    })
}

fn diffuse_factor(older: &Value) -> Vec4 {
    let stored = older.get("diffuseFactor").and_then(Value::as_array);
    let mut factor = [1.0; 4];
    for (slot, value) in factor.iter_mut().zip(stored.into_iter().flatten()) {
        #[expect(clippy::cast_possible_truncation, reason = "JSON's numbers are wider")]
        let value = value.as_f64().map(|number| number as f32);
        *slot = value.unwrap_or(*slot);
    }
    Vec4::from_array(factor)
}

fn transform(info: &Info) -> Option<Transform> {
    let stored = info.extensions.as_ref()?.texture_transform.as_ref()?;
    Some(Transform {
        offset: Vec2::from_array(stored.offset.0),
        rotation_rad: stored.rotation.0,
        scale: Vec2::from_array(stored.scale.0),
        uv_set: stored.tex_coord,
    })
}
