//! Materials and their textures.

use ufbx::{Material, MaterialMap, Scene, ShaderType, Texture, TextureType, WrapMode};

use super::context::Context;
use super::images::{EmbeddedImages, path};
use super::looks;
use super::math;
use crate::formats::ReadError;
use crate::formats::texture_suffixes::is_normal_map;
use rigscope_core::model;
use rigscope_core::model::{Approximation, TextureRef, TextureRole, Wrap};

/// All materials of the scene, in order.
pub(super) fn materials(
    scene: &Scene,
    images: &mut EmbeddedImages,
    context: &mut Context<'_>,
) -> Result<Vec<model::Material>, ReadError> {
    let mut materials = Vec::new();
    for material in &scene.materials {
        context.report.progress("reading materials", 0.4)?;
        let mut textures = Vec::new();
        let (look, mut approximated) = looks::look(material);
        for named in &material.textures {
            let Some(texture) = with_file(&named.texture) else { continue };
            let is_layered = named.texture.type_ != TextureType::File;
            approximated.insert_if(is_layered, Approximation::LayeredTextures);
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
            look: Some(Box::new(look)),
            approximated,
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
    let is_blender = material.shader_type == ShaderType::BlenderPhong;
    // By property first, since one texture may have several uses.
    match prop {
        "DiffuseColor" | "Diffuse" | "base_color" | "baseColor" => return TextureRole::BaseColor,
        "NormalMap" => return TextureRole::Normal,
        "EmissiveColor" | "Emissive" => return TextureRole::Emissive,
        "ReflectionFactor" if is_blender => return TextureRole::Metallic,
        "Shininess" | "ShininessExponent" if is_blender => return TextureRole::Roughness,
        _ => {}
    }
    if prop.contains("ransparen") {
        return TextureRole::Other;
    }
    if is(&pbr.base_color, named) || is(&fbx.diffuse_color, named) {
        return TextureRole::BaseColor;
    }
    let is_bump = prop.eq_ignore_ascii_case("bump");
    if !is_bump && (is(&pbr.normal_map, named) || is(&fbx.normal_map, named)) {
        return TextureRole::Normal;
    }
    if let Some(role) = physical_role(material, named, prop) {
        return role;
    }
    // Ambiguous: a bump map is a height map by definition, but contains normals in many files.
    if is_bump && is_normal_map(path(file)) { TextureRole::Normal } else { TextureRole::Other }
}

/// The role of a texture among the maps of physically based shading.
fn physical_role(material: &Material, named: &Texture, prop: &str) -> Option<TextureRole> {
    let pbr = &material.pbr;
    // Others have shininess instead of roughness, which is the inverse.
    let has_roughness = material.features.pbr.enabled;
    let maps = [
        (TextureRole::Metallic, "metal", has_roughness && is(&pbr.metalness, named)),
        (TextureRole::Roughness, "rough", has_roughness && is(&pbr.roughness, named)),
        (TextureRole::Occlusion, "o", is(&pbr.ambient_occlusion, named)),
        (TextureRole::Emissive, "emi", is(&pbr.emission_color, named)),
    ];
    let found = maps.into_iter().rev().filter(|(.., is_there)| *is_there);
    // If one texture has several uses, its property decides, otherwise the first use.
    let prop = prop.to_ascii_lowercase();
    found.max_by_key(|(_, word, _)| prop.contains(word)).map(|(role, ..)| role)
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}

/// Index of the UV set with that name in the meshes with this material; 0 if no mesh has it.
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
