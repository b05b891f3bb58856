//! Materials as UsdPreviewSurface.
//!
//! Source: OpenUSD, "UsdPreviewSurface Specification". Colours are linear.

use glam::Vec3;
use openusd::sdf::{Path, Value};

use super::layer::{Layer, token};
use super::texture::{ImageNames, TextureWriter};
use super::values::vec3;
use rigscope_core::model::{
    AlphaMode, FindingKind, Material, MaterialId, MaterialLook, Model, Place, Report, TextureRef,
    TextureRole,
};

/// The textures of a material that the format stores: the first of each role.
pub(super) fn stored_textures(material: &Material) -> Vec<&TextureRef> {
    let mut out: Vec<&TextureRef> = Vec::new();
    for texture in &material.textures {
        let inputs = inputs(texture.role);
        let is_new =
            |own: &&TextureRef| self::inputs(own.role).iter().all(|own| !inputs.contains(own));
        if !inputs.is_empty() && out.iter().all(&is_new) {
            out.push(texture);
        }
    }
    out
}

/// The inputs of the surface that a texture is connected to, with its outputs.
fn inputs(role: TextureRole) -> &'static [(&'static str, &'static str)] {
    match role {
        TextureRole::BaseColor => &[("diffuseColor", "rgb")],
        TextureRole::Emissive => &[("emissiveColor", "rgb")],
        TextureRole::Normal => &[("normal", "rgb")],
        TextureRole::Occlusion => &[("occlusion", "r")],
        TextureRole::Metallic => &[("metallic", "r")],
        TextureRole::Roughness => &[("roughness", "r")],
        TextureRole::MetallicRoughness => &[("metallic", "b"), ("roughness", "g")],
        TextureRole::MetallicRoughnessOcclusion => {
            &[("metallic", "b"), ("roughness", "g"), ("occlusion", "r")]
        }
        TextureRole::Other => &[],
    }
}

/// Writes all materials below `scope`.
pub(super) fn write(
    scope: &Path,
    model: &Model,
    images: &ImageNames<'_>,
    layer: &mut Layer,
    report: &Report,
) -> Vec<Path> {
    let materials = model.materials.iter_enumerated();
    materials.map(|(id, material)| one(scope, model, id, material, images, layer, report)).collect()
}

fn one(
    scope: &Path,
    model: &Model,
    id: MaterialId,
    material: &Material,
    images: &ImageNames<'_>,
    layer: &mut Layer,
    report: &Report,
) -> Path {
    let prim = layer.prim(scope, &material.name, "Material");
    let look = material.look.as_deref().copied().unwrap_or_default();
    report_lost(&look, id, report);
    let surface = layer.prim(&prim, "Surface", "Shader");
    layer.attribute(&surface, "info:id", "token").uniform().value(token("UsdPreviewSurface"));
    let mut inputs = SurfaceInputs { surface: &surface, layer, connected: Vec::new() };
    let textures = stored_textures(material);
    let has_opacity = look.alpha != AlphaMode::Opaque;
    for texture in textures {
        let mut writer = TextureWriter { model, images, layer: inputs.layer, report };
        let scale = scale(texture.role, &look);
        let Some(shader) = writer.write(&prim, texture, scale) else { continue };
        for (input, output) in self::inputs(texture.role) {
            inputs.connect(input, &shader, output);
        }
        if texture.role == TextureRole::BaseColor && has_opacity {
            inputs.connect("opacity", &shader, "a");
        }
    }
    let color = |value: Vec3| Value::Vec3f(vec3(&value));
    inputs.set("diffuseColor", "color3f", color(look.base_color.truncate()));
    if look.emissive != Vec3::ZERO {
        inputs.set("emissiveColor", "color3f", color(look.emissive));
    }
    inputs.set("metallic", "float", Value::Float(metallic(material, &look)));
    inputs.set("roughness", "float", Value::Float(look.roughness));
    if look.ior != MaterialLook::default().ior {
        inputs.set("ior", "float", Value::Float(look.ior));
    }
    if look.clearcoat != 0.0 {
        inputs.set("clearcoat", "float", Value::Float(look.clearcoat));
        inputs.set("clearcoatRoughness", "float", Value::Float(look.clearcoat_roughness));
    }
    if has_opacity {
        inputs.set("opacity", "float", Value::Float(look.base_color.w));
    }
    if let AlphaMode::Mask(cutoff) = look.alpha {
        // Without a threshold above 0, opacity blends.
        inputs.set("opacityThreshold", "float", Value::Float(cutoff.max(f32::MIN_POSITIVE)));
    }
    layer.attribute(&surface, "outputs:surface", "token");
    if let Ok(output) = surface.append_property("outputs:surface") {
        layer.attribute(&prim, "outputs:surface", "token").connect(output);
    }
    prim
}

/// The metallic factor; 0 if the metallic texture isn't written, because otherwise the whole surface would be metal.
fn metallic(material: &Material, look: &MaterialLook) -> f32 {
    let has_texture = material.textures.iter().any(|own| own.role.info().metallic.is_some());
    if has_texture { 0.0 } else { look.metallic }
}

/// The factors of a texture: red, green, blue, alpha.
fn scale(role: TextureRole, look: &MaterialLook) -> [f32; 4] {
    match role {
        TextureRole::BaseColor => look.base_color.to_array(),
        TextureRole::Emissive => look.emissive.extend(1.0).to_array(),
        TextureRole::Metallic => [look.metallic, 1.0, 1.0, 1.0],
        TextureRole::Roughness => [look.roughness, 1.0, 1.0, 1.0],
        TextureRole::MetallicRoughness | TextureRole::MetallicRoughnessOcclusion => {
            [1.0, look.roughness, look.metallic, 1.0]
        }
        TextureRole::Normal | TextureRole::Occlusion | TextureRole::Other => [1.0; 4],
    }
}

struct SurfaceInputs<'a> {
    surface: &'a Path,
    layer: &'a mut Layer,
    connected: Vec<&'static str>,
}

impl SurfaceInputs<'_> {
    fn connect(&mut self, name: &'static str, shader: &Path, output: &str) {
        let type_name = match name {
            "diffuseColor" | "emissiveColor" => "color3f",
            "normal" => "normal3f",
            _ => "float",
        };
        if let Ok(source) = shader.append_property(format!("outputs:{output}")) {
            let name = format!("inputs:{name}");
            self.layer.attribute(self.surface, &name, type_name).connect(source);
        }
        self.connected.push(name);
    }

    /// Sets a value that isn't connected.
    fn set(&mut self, name: &str, type_name: &str, value: Value) {
        if !self.connected.contains(&name) {
            self.layer.attribute(self.surface, &format!("inputs:{name}"), type_name).value(value);
        }
    }
}

/// Reports parameters that the surface doesn't have.
fn report_lost(look: &MaterialLook, id: MaterialId, report: &Report) {
    let usual = MaterialLook::default();
    let lost = [
        ("unlit", look.is_unlit),
        (
            "specular",
            look.specular != usual.specular || look.specular_color != usual.specular_color,
        ),
        ("sheen", look.sheen_color != usual.sheen_color),
        ("transmission", look.transmission != usual.transmission),
        ("normal scale", look.normal_scale != usual.normal_scale),
        ("occlusion strength", look.occlusion_strength != usual.occlusion_strength),
    ];
    let names: Vec<&str> =
        lost.iter().filter(|(_, is_lost)| *is_lost).map(|(name, _)| *name).collect();
    report.add_many(
        FindingKind::LeftOut,
        Place::Material(id.0),
        u64::from(!names.is_empty()),
        || format!("UsdPreviewSurface doesn't store: {}", names.join(", ")),
    );
}
