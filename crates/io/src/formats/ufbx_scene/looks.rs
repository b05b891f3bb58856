//! Material looks: converts the library's material maps to metallic-roughness.
//!
//! | shader | metallic, roughness, reflection |
//! |---|---|
//! | Lambert, Phong without reflection | matt |
//! | Phong, unknown ones | roughness from the exponent; the reflection of a dielectric |
//! | Phong as Blender writes it | its metallic and roughness, stored as reflection and shininess |
//! | Standard Surface, Arnold, OpenPBR, 3ds Max, glTF, ShaderFX | their own |
//!
//! A texture replaces a value.

use glam::{Vec3, Vec4};
use ufbx::{Material, MaterialMap, ShaderType};

use super::math;
use rigscope_core::model::{AlphaMode, Approximation, Approximations, MaterialLook};

/// A lower opacity is considered a misread file: exporters disagree on which end of transparency is
/// opaque.
const MIN_OPACITY: f32 = 1.0 / 255.0;
/// Roughness if it comes from a glossiness texture, which has no role.
const UNSEEN_ROUGHNESS: f32 = 0.5;
/// Luminance of emission in OpenPBR that is shown as white (nits).
const WHITE_NITS: f32 = 1000.0;

/// The look stated by the maps, and its approximations.
pub(super) fn look(material: &Material) -> (MaterialLook, Approximations) {
    let mut approximated = Approximations::default();
    let (opacity, is_cut) = opacity(material);
    let base = base_color(material);
    let mut look = MaterialLook {
        base_color: Vec4::from((base, opacity)),
        alpha: if opacity < 1.0 || is_cut { AlphaMode::Blend } else { AlphaMode::Opaque },
        is_two_sided: material.features.double_sided.enabled,
        is_unlit: material.features.unlit.enabled,
        emissive: emissive(material),
        ..MaterialLook::default()
    };
    let fbx = &material.fbx;
    approximated.insert_if(is_cut, Approximation::OpacityTexture);
    let heights = [&fbx.bump, &fbx.displacement, &fbx.vector_displacement];
    approximated.insert_if(heights.into_iter().any(has_texture), Approximation::Heights);
    match material.shader_type {
        ShaderType::FbxLambert => {}
        ShaderType::FbxPhong | ShaderType::Unknown => {
            phong(material, &mut look, &mut approximated);
        }
        _ => physical(material, &mut look, &mut approximated),
    }
    (look, approximated)
}

/// Whether a texture is connected and enabled.
fn has_texture(map: &MaterialMap) -> bool {
    map.texture.is_some() && map.texture_enabled
}

fn number(map: &MaterialMap) -> Option<f32> {
    map.has_value.then(|| math::real(map.value_vec4.x)).filter(|number| number.is_finite())
}

fn color(map: &MaterialMap) -> Option<Vec3> {
    map.has_value.then(|| math::vec4(map.value_vec4).truncate()).filter(|color| color.is_finite())
}

/// A number between 0 and 1, or 1 if a texture replaces it.
fn share(map: &MaterialMap, plain: f32) -> f32 {
    if has_texture(map) { 1.0 } else { number(map).map_or(plain, |number| number.clamp(0.0, 1.0)) }
}

fn base_color(material: &Material) -> Vec3 {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let is_textured = has_texture(&pbr.base_color) || has_texture(&fbx.diffuse_color);
    let map = if pbr.base_color.has_value { &pbr.base_color } else { &fbx.diffuse_color };
    if is_textured {
        return Vec3::ONE;
    }
    let rgb = if map.has_value { math::vec4(map.value_vec4).truncate() } else { Vec3::ONE };
    let has_factor = pbr.base_factor.has_value;
    if has_factor { rgb * math::real(pbr.base_factor.value_vec4.x) } else { rgb }
}

/// Colour times factor. Files omit either of them, or write arbitrary values if there is no
/// emission.
fn emissive(material: &Material) -> Vec3 {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let is_textured = has_texture(&pbr.emission_color) || has_texture(&fbx.emission_color);
    let stored = color(&pbr.emission_color).or_else(|| color(&fbx.emission_color));
    let color = match stored {
        _ if is_textured => Vec3::ONE,
        Some(color) => color,
        None => return Vec3::ZERO,
    };
    let factor = number(&pbr.emission_factor).or_else(|| number(&fbx.emission_factor));
    let factor = match (factor, material.shader_type) {
        (Some(factor), ShaderType::OpenpbrMaterial) => factor / WHITE_NITS,
        (Some(factor), _) => factor,
        // Their colour is white by default, and their weight 0.
        (None, ShaderType::OslStandardSurface | ShaderType::ArnoldStandardSurface)
            if !is_textured =>
        {
            0.0
        }
        (None, _) => 1.0,
    };
    (color * factor).max(Vec3::ZERO)
}

/// Phong's model has a strength and an exponent of its highlight. The strength isn't meaningful for
/// a dielectric, except that the surface is matt if it is 0.
fn phong(material: &Material, look: &mut MaterialLook, approximated: &mut Approximations) {
    let fbx = &material.fbx;
    let strength = color(&fbx.specular_color).unwrap_or(Vec3::ZERO).max_element()
        * number(&fbx.specular_factor).unwrap_or(1.0);
    let is_textured = has_texture(&fbx.specular_color) || has_texture(&fbx.specular_factor);
    let exponent = number(&fbx.specular_exponent).filter(|exponent| *exponent >= 0.0);
    if let Some(exponent) = exponent.filter(|_| strength > 0.0 || is_textured) {
        // Walter et al., "Microfacet Models for Refraction through Rough Surfaces" (2007): the
        // width of a highlight with that exponent; roughness is its square root.
        look.roughness = (2.0 / (exponent + 2.0)).sqrt().sqrt();
        approximated.insert_if(true, Approximation::Shininess);
    }
    let is_left = is_textured || has_texture(&fbx.specular_exponent);
    approximated.insert_if(is_left, Approximation::LayerTextures);
}

/// Materials with the maps of physically based shading.
fn physical(material: &Material, look: &mut MaterialLook, approximated: &mut Approximations) {
    let (pbr, features) = (&material.pbr, &material.features);
    look.metallic = share(&pbr.metalness, 0.0);
    look.roughness = if has_texture(&pbr.glossiness) {
        UNSEEN_ROUGHNESS
    } else {
        match number(&pbr.glossiness) {
            Some(glossiness) => 1.0 - glossiness.clamp(0.0, 1.0),
            None => share(&pbr.roughness, default_roughness(material.shader_type)),
        }
    };
    let glossiness = Approximation::SpecularGlossinessTexture;
    approximated.insert_if(has_texture(&pbr.glossiness), glossiness);
    if material.shader_type == ShaderType::BlenderPhong {
        let strength = number(&material.fbx.bump_factor).filter(|_| has_texture(&pbr.normal_map));
        look.normal_scale = strength.unwrap_or(1.0);
        return;
    }
    if material.shader_type == ShaderType::E3DsMaxPbrSpecGloss {
        approximated.insert_if(true, Approximation::SpecularGlossiness);
        if let Some(color) =
            color(&pbr.specular_color).filter(|_| !has_texture(&pbr.specular_color))
        {
            // See `KHR_materials_ior`: the whole colour is reflected.
            look.ior = 0.0;
            look.specular_color = color.max(Vec3::ZERO);
        }
        return;
    }
    let is_gltf = material.shader_type == ShaderType::GltfMaterial;
    if !is_gltf || features.ior.enabled {
        look.ior = number(&pbr.specular_ior).filter(|ior| *ior >= 1.0).unwrap_or(look.ior);
    }
    if !is_gltf || features.specular.enabled {
        look.specular = share(&pbr.specular_factor, 1.0);
        look.specular_color = if has_texture(&pbr.specular_color) {
            Vec3::ONE
        } else {
            color(&pbr.specular_color).unwrap_or(Vec3::ONE).max(Vec3::ZERO)
        };
    }
    if features.coat.enabled {
        look.clearcoat = share(&pbr.coat_factor, 0.0);
        look.clearcoat_roughness = match number(&pbr.coat_glossiness) {
            Some(glossiness) => 1.0 - glossiness.clamp(0.0, 1.0),
            None => share(&pbr.coat_roughness, 0.0),
        };
    }
    if features.sheen.enabled {
        // Its colour is white by default, and its weight 0 if the model has one.
        let weight = share(&pbr.sheen_factor, if is_gltf { 1.0 } else { 0.0 });
        let color = color(&pbr.sheen_color).unwrap_or(Vec3::ZERO).max(Vec3::ZERO);
        look.sheen_color = color * weight;
        look.sheen_roughness = share(&pbr.sheen_roughness, 0.0);
    }
    if features.transmission.enabled {
        look.transmission = if has_texture(&pbr.transmission_factor) {
            // The parts that transmit light aren't known.
            0.0
        } else {
            share(&pbr.transmission_factor, 0.0)
        };
    }
    approximated.insert_if(look.transmission > 0.0, Approximation::Transmission);
    let layers = [
        &pbr.specular_factor,
        &pbr.specular_color,
        &pbr.coat_factor,
        &pbr.coat_roughness,
        &pbr.coat_normal,
        &pbr.sheen_color,
        &pbr.sheen_roughness,
        &pbr.transmission_factor,
    ];
    let is_textured = layers.into_iter().any(has_texture);
    approximated.insert_if(is_textured, Approximation::LayerTextures);
    let finer = [
        &pbr.subsurface_factor,
        &pbr.thin_film_factor,
        &pbr.specular_anisotropy,
        &pbr.diffuse_roughness,
    ];
    let is_finer = finer.into_iter().any(|map| number(map).is_some_and(|number| number != 0.0));
    approximated.insert_if(is_finer, Approximation::FinerLayers);
}

/// Default roughness by shader.
fn default_roughness(shader: ShaderType) -> f32 {
    match shader {
        ShaderType::OslStandardSurface | ShaderType::ArnoldStandardSurface => 0.2,
        ShaderType::OpenpbrMaterial => 0.3,
        _ => 0.5,
    }
}

/// Opacity, 1 for opaque, and whether a texture controls it.
///
/// Ambiguous: in the FBX SDK, transparency is colour times factor, but exporters write a factor of
/// 1 with a white colour for opaque materials; a completely invisible material is read as opaque.
fn opacity(material: &Material) -> (f32, bool) {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let opacity = if pbr.opacity.has_value {
        math::real(pbr.opacity.value_vec4.x)
    } else if fbx.transparency_factor.has_value {
        let factor = math::real(fbx.transparency_factor.value_vec4.x);
        let color = if fbx.transparency_color.has_value {
            math::vec4(fbx.transparency_color.value_vec4).truncate()
        } else {
            Vec3::ONE
        };
        1.0 - factor * (color.x + color.y + color.z) / 3.0
    } else {
        1.0
    };
    let textures = [&pbr.opacity, &fbx.transparency_color, &fbx.transparency_factor];
    let is_cut = textures.into_iter().any(has_texture);
    if opacity > MIN_OPACITY { (opacity.min(1.0), is_cut) } else { (1.0, is_cut) }
}
