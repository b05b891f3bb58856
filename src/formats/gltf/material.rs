//! Materials: base colour, textures, what alpha means.

use glam::{Vec2, Vec4};
use gltf_json::material::AlphaMode as StoredAlpha;
use gltf_json::texture::Info;
use gltf_json::validation::Checked;

use super::asset::Asset;
use super::texture::{Images, Named, Transform};
use crate::formats::ReadError;
use crate::model::{AlphaMode, Material, MaterialLook, TextureRole};

/// The cutoff where a material states none (section 5.19.9).
const DEFAULT_CUTOFF: f32 = 0.5;

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
    let plain = |role, info: &Info| Named {
        role,
        index: info.index.value(),
        uv_set: info.tex_coord,
        transform: transform(info),
        of_material: &name,
    };
    let named = [
        pbr.base_color_texture
            .as_ref()
            .map(|info| plain(TextureRole::BaseColor, info)),
        stored.normal_texture.as_ref().map(|info| Named {
            role: TextureRole::Normal,
            index: info.index.value(),
            uv_set: info.tex_coord,
            transform: (info.extensions.as_ref()).and_then(|e| Transform::of(&e.others)),
            of_material: &name,
        }),
        pbr.metallic_roughness_texture
            .as_ref()
            .map(|info| plain(TextureRole::Other, info)),
        stored.occlusion_texture.as_ref().map(|info| Named {
            role: TextureRole::Other,
            index: info.index.value(),
            uv_set: info.tex_coord,
            transform: (info.extensions.as_ref()).and_then(|e| Transform::of(&e.others)),
            of_material: &name,
        }),
        stored
            .emissive_texture
            .as_ref()
            .map(|info| plain(TextureRole::Other, info)),
    ];
    let named = named.iter().flatten();
    let textures = named.filter_map(|named| images.texture(asset, named));
    let cutoff = stored
        .alpha_cutoff
        .map_or(DEFAULT_CUTOFF, |cutoff| cutoff.0);
    let look = MaterialLook {
        base_color: Vec4::from_array(pbr.base_color_factor.0),
        alpha: match stored.alpha_mode {
            Checked::Valid(StoredAlpha::Mask) => AlphaMode::Mask(cutoff),
            Checked::Valid(StoredAlpha::Blend) => AlphaMode::Blend,
            Checked::Valid(StoredAlpha::Opaque) | Checked::Invalid => AlphaMode::Opaque,
        },
        is_two_sided: stored.double_sided,
        is_unlit: (stored.extensions.as_ref()).is_some_and(|e| e.unlit.is_some()),
    };
    Material {
        textures: textures.collect(),
        look: Some(Box::new(look)),
        name,
    }
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
