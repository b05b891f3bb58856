//! Materials: colours, shading factors, textures and alpha modes.

use glam::{Vec2, Vec3, Vec4};
use gltf_json::material::AlphaMode as StoredAlpha;
use gltf_json::texture::Info;
use gltf_json::validation::Checked;
use serde_json::Map;

use super::asset::Asset;
use super::layers::{self, SPECULAR_GLOSSINESS};
use super::texture::{ImageTable, TextureUse, Transform};
use super::vrm;
use crate::formats::ReadError;
use rigscope_core::model::{
    AlphaMode, Approximation, Material, MaterialLook, MaterialProperty, TextureRole,
    TextureTransform,
};

/// The cutoff of materials that don't state one (section 5.19.9).
const DEFAULT_CUTOFF: f32 = 0.5;

/// Reads all materials.
pub(super) fn read(asset: &mut Asset<'_>, images: &ImageTable) -> Result<Vec<Material>, ReadError> {
    let stored = &asset.root.materials;
    let mut materials = asset.vec(stored.len(), "materials")?;
    for (index, material) in stored.iter().enumerate() {
        materials.push(one(asset, images, material, index));
    }
    Ok(materials)
}

fn one(
    asset: &Asset<'_>,
    images: &ImageTable,
    stored: &gltf_json::Material,
    index: usize,
) -> Material {
    let name = stored.name.clone().unwrap_or_default();
    let none = Map::new();
    let extensions = stored.extensions.as_ref().map_or(&none, |extensions| &extensions.others);
    let older = extensions.get(SPECULAR_GLOSSINESS);
    // If both exist, the newer model is meant for programs that support it.
    let older = older.filter(|_| stored.pbr_metallic_roughness.base_color_texture.is_none());
    let visible = VisibleTextures::of(asset, stored, index);
    let mut look = look(stored, visible);
    let mut named = textures(stored, visible, &name);
    let mut approximated = Default::default();
    if let Some(older) = older {
        layers::specular_glossiness(older, &name, &mut look, &mut named, &mut approximated);
    }
    layers::read(extensions, &name, &mut look, &mut named, &mut approximated);
    let is_toon = extensions.contains_key(vrm::MTOON) || vrm::is_toon(asset.root, index);
    approximated.insert_if(is_toon, Approximation::ToonShading);
    let textures = named.iter().filter_map(|named| images.texture(asset, named)).collect();
    Material { textures, look: Some(Box::new(look)), approximated, name }
}

/// Whether textures have an effect at any time. The writer uses the slots of others for textures that the format has
/// no place for.
#[derive(Clone, Copy)]
struct VisibleTextures {
    occlusion: bool,
    emissive: bool,
}

impl VisibleTextures {
    fn of(asset: &Asset<'_>, stored: &gltf_json::Material, index: usize) -> Self {
        let is_animated = |property| {
            let mut channels = asset.material_channels.iter();
            channels
                .any(|channel| (channel.material, channel.factor.property()) == (index, property))
        };
        let strength = stored.occlusion_texture.as_ref().map(|texture| texture.strength.0);
        Self {
            occlusion: strength.is_some_and(|strength| strength != 0.0)
                || is_animated(MaterialProperty::OcclusionStrength),
            emissive: stored.emissive_factor.0 != [0.0; 3]
                || is_animated(MaterialProperty::Emissive),
        }
    }
}

fn look(stored: &gltf_json::Material, visible: VisibleTextures) -> MaterialLook {
    let pbr = &stored.pbr_metallic_roughness;
    let cutoff = stored.alpha_cutoff.map_or(DEFAULT_CUTOFF, |cutoff| cutoff.0);
    // A strength of 0 hides this texture; it isn't a strength for other textures.
    let occlusion = stored.occlusion_texture.as_ref().map(|texture| texture.strength.0);
    MaterialLook {
        base_color: Vec4::from_array(pbr.base_color_factor.0),
        alpha: match stored.alpha_mode {
            Checked::Valid(StoredAlpha::Mask) => AlphaMode::Mask(cutoff),
            Checked::Valid(StoredAlpha::Blend) => AlphaMode::Blend,
            Checked::Valid(StoredAlpha::Opaque) | Checked::Invalid => AlphaMode::Opaque,
        },
        is_two_sided: stored.double_sided,
        is_unlit: (stored.extensions.as_ref()).is_some_and(|e| e.unlit.is_some()),
        metallic: pbr.metallic_factor.0,
        roughness: pbr.roughness_factor.0,
        emissive: Vec3::from_array(stored.emissive_factor.0),
        normal_scale: stored.normal_texture.as_ref().map_or(1.0, |texture| texture.scale),
        occlusion_strength: occlusion.filter(|_| visible.occlusion).unwrap_or(1.0),
        ..MaterialLook::default()
    }
}

/// The textures with a known slot. Textures without a visible effect get no role.
fn textures<'a>(
    stored: &gltf_json::Material,
    visible: VisibleTextures,
    of_material: &'a str,
) -> Vec<TextureUse<'a>> {
    let pbr = &stored.pbr_metallic_roughness;
    let seen_if = |is_seen, role| if is_seen { role } else { TextureRole::Other };
    let plain = |role, info: &Info| TextureUse {
        role,
        index: info.index.value(),
        uv_set: info.tex_coord,
        transform: transform(info),
        of_material,
    };
    let base_color = pbr.base_color_texture.as_ref();
    let normal = stored.normal_texture.as_ref().map(|info| TextureUse {
        role: TextureRole::Normal,
        index: info.index.value(),
        uv_set: info.tex_coord,
        transform: info.extensions.as_ref().and_then(|e| Transform::of(&e.others)),
        of_material,
    });
    let metallic = pbr.metallic_roughness_texture.as_ref();
    let occlusion = stored.occlusion_texture.as_ref().map(|info| TextureUse {
        role: seen_if(visible.occlusion, TextureRole::Occlusion),
        index: info.index.value(),
        uv_set: info.tex_coord,
        transform: info.extensions.as_ref().and_then(|e| Transform::of(&e.others)),
        of_material,
    });
    let emissive = stored.emissive_texture.as_ref();
    let emissive_role = seen_if(visible.emissive, TextureRole::Emissive);
    let all = [
        base_color.map(|info| plain(TextureRole::BaseColor, info)),
        normal,
        metallic.map(|info| plain(TextureRole::MetallicRoughness, info)),
        occlusion,
        emissive.map(|info| plain(emissive_role, info)),
    ];
    all.into_iter().flatten().collect()
}

fn transform(info: &Info) -> Option<Transform> {
    let stored = info.extensions.as_ref()?.texture_transform.as_ref()?;
    Some(Transform {
        parts: TextureTransform {
            offset: Vec2::from_array(stored.offset.0),
            rotation_rad: stored.rotation.0,
            scale: Vec2::from_array(stored.scale.0),
        },
        uv_set: stored.tex_coord,
    })
}
