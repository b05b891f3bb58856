//! Materials and the textures they name.

use glam::{Vec3, Vec4};
use ufbx::{Material, MaterialMap, Scene, ShaderType, Texture, TextureType, WrapMode};

use super::context::Context;
use super::images::{Images, path};
use super::math;
use crate::formats::ReadError;
use crate::model;
use crate::model::{AlphaMode, MaterialLook, TextureRef, TextureRole, Wrap};

/// Less visible than this is taken for a misread file: exporters disagree on which end of
/// transparency is opaque.
const MIN_OPACITY: f32 = 1.0 / 255.0;
/// Parts of a file's name that mean a normal map.
const NORMAL_NAMES: [&str; 4] = ["normal", "_nrm", "_norm", "_n."];

/// All materials of the scene, in its order.
pub(super) fn materials(
    scene: &Scene,
    images: &mut Images,
    context: &mut Context<'_>,
) -> Result<Vec<model::Material>, ReadError> {
    let mut materials = Vec::new();
    for material in &scene.materials {
        context.report.progress("reading materials", 0.4)?;
        let mut textures = Vec::new();
        for named in &material.textures {
            let Some(texture) = with_file(&named.texture) else { continue };
            let role = role(material, &named.texture, &named.material_prop, texture);
            textures.push(TextureRef {
                role,
                path: path(texture).to_owned(),
                image: images.of(texture, scene, context)?,
                uv_set: uv_set(scene, material, &texture.uv_set),
                wrap: [wrap(texture.wrap_u), wrap(texture.wrap_v)],
                texture_from_uv: texture
                    .has_uv_transform
                    .then(|| Box::new(math::uv_down(&texture.uv_to_texture))),
                is_found_by_name: false,
            });
        }
        materials.push(model::Material {
            name: material.element.name.to_string(),
            textures,
            look: Some(Box::new(look(material))),
        });
    }
    Ok(materials)
}

/// The texture itself, or the first one with a file below a layered or procedural one.
fn with_file(texture: &Texture) -> Option<&Texture> {
    match texture.type_ {
        TextureType::File => Some(texture),
        _ => texture.file_textures.into_iter().next(),
    }
}

fn is(map: &MaterialMap, texture: &Texture) -> bool {
    let own = map.texture.as_ref();
    own.is_some_and(|own| own.element.element_id == texture.element.element_id)
}

fn role(material: &Material, named: &Texture, prop: &str, file: &Texture) -> TextureRole {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    // By property first, since one texture may serve several.
    match prop {
        "DiffuseColor" | "Diffuse" | "Kd" | "base_color" | "baseColor" => {
            return TextureRole::BaseColor;
        }
        "NormalMap" | "norm" => return TextureRole::Normal,
        _ => {}
    }
    if prop.contains("ransparen") || prop == "d" {
        return TextureRole::Other;
    }
    if is(&pbr.base_color, named) || is(&fbx.diffuse_color, named) {
        return TextureRole::BaseColor;
    }
    let is_bump = prop.eq_ignore_ascii_case("bump");
    if !is_bump && (is(&pbr.normal_map, named) || is(&fbx.normal_map, named)) {
        return TextureRole::Normal;
    }
    // Ambiguous: a bump map is a height by its definition, and holds normals in many files.
    let name = path(file).to_ascii_lowercase();
    let is_named = NORMAL_NAMES.iter().any(|part| name.contains(part));
    match is_bump && is_named {
        true => TextureRole::Normal,
        false => TextureRole::Other,
    }
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}

/// Which UV set of that name the meshes with this material have; the first where none has.
fn uv_set(scene: &Scene, material: &Material, name: &str) -> u8 {
    if name.is_empty() || name == "default" {
        return 0;
    }
    let has_material = |mesh: &&ufbx::Mesh| {
        let mut own = mesh.materials.iter();
        own.any(|m| m.element.element_id == material.element.element_id)
    };
    let mut meshes = scene.meshes.into_iter().filter(has_material);
    let found = meshes.find_map(|mesh| mesh.uv_sets.iter().position(|set| *set.name == *name));
    found.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

fn look(material: &Material) -> MaterialLook {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let has = |map: &MaterialMap| map.texture.is_some() && map.texture_enabled;
    let is_textured = has(&pbr.base_color) || has(&fbx.diffuse_color);
    let color = match pbr.base_color.has_value {
        true => &pbr.base_color,
        false => &fbx.diffuse_color,
    };
    let is_mtl = material.shader_type == ShaderType::WavefrontMtl;
    let mut rgb = match color.has_value {
        // An FBX texture takes the place of the colour; an MTL one is multiplied by it.
        true if !is_textured || is_mtl => math::vec4(color.value_vec4).truncate(),
        _ => Vec3::ONE,
    };
    // A black factor would make a texture pointless; files have it all the same.
    if is_textured && rgb == Vec3::ZERO {
        rgb = Vec3::ONE;
    }
    if pbr.base_factor.has_value && !is_textured {
        rgb *= math::real(pbr.base_factor.value_vec4.x);
    }
    let opacity = opacity(material);
    let is_cut =
        [&pbr.opacity, &fbx.transparency_color, &fbx.transparency_factor].into_iter().any(has);
    MaterialLook {
        base_color: Vec4::from((rgb, opacity)),
        alpha: match opacity < 1.0 || is_cut {
            true => AlphaMode::Blend,
            false => AlphaMode::Opaque,
        },
        is_two_sided: material.features.double_sided.enabled,
        is_unlit: material.features.unlit.enabled,
        ..MaterialLook::default()
    }
}

/// 1 for opaque.
///
/// Ambiguous: by the FBX SDK transparency is colour times factor, but exporters write a factor of 1
/// with a white colour for opaque things; what would be wholly invisible is taken for opaque.
fn opacity(material: &Material) -> f32 {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let opacity = if pbr.opacity.has_value {
        math::real(pbr.opacity.value_vec4.x)
    } else if fbx.transparency_factor.has_value {
        let factor = math::real(fbx.transparency_factor.value_vec4.x);
        let color = match fbx.transparency_color.has_value {
            true => math::vec4(fbx.transparency_color.value_vec4).truncate(),
            false => Vec3::ONE,
        };
        1.0 - factor * (color.x + color.y + color.z) / 3.0
    } else {
        1.0
    };
    match opacity > MIN_OPACITY {
        true => opacity.min(1.0),
        false => 1.0,
    }
}
