//! Materials: UsdPreviewSurface with its textures.
//!
//! Source: OpenUSD, "UsdPreviewSurface Specification" and `UsdShadeMaterialBindingAPI`. Other shaders aren't read.

use std::collections::HashMap;

use glam::{Vec3, Vec4};
use openusd::sdf::{Path, Value};

use super::attributes::Attributes;
use super::layers::Layers;
use super::prims::Prims;
use super::shaders::{Input, Shaders};
use super::textures::Textures;
use super::values::{number, real, vec3};
use rigscope_core::model::{
    AlphaMode, Approximation, Image, Material, MaterialId, MaterialLook, TextureRole,
};

const BINDING: &str = "material:binding";
const SURFACE: &str = "UsdPreviewSurface";

/// How a mesh uses a material: the model stores these properties in materials.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Use {
    pub(super) is_two_sided: bool,
    /// The names of the mesh's UV sets, which textures refer to.
    pub(super) uv_names: Vec<String>,
}

/// Materials that meshes are bound to, read on demand.
pub(super) struct Materials<'a> {
    shaders: Shaders<'a>,
    textures: Textures<'a>,
    pub(super) list: Vec<Material>,
    /// The path of each material.
    paths: Vec<String>,
    known: HashMap<(String, Use), MaterialId>,
}

impl<'a> Materials<'a> {
    pub(super) fn new(attributes: &'a Attributes<'a>, layers: &'a Layers) -> Self {
        Self {
            shaders: Shaders { attributes },
            textures: Textures::new(attributes, layers),
            list: Vec::new(),
            paths: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The materials, their paths, and the embedded images of textures.
    pub(super) fn into_parts(self) -> (Vec<Material>, Vec<String>, Vec<Image>) {
        (self.list, self.paths, self.textures.images)
    }

    /// The material of a prim or its nearest bound ancestor.
    pub(super) fn bound_to(&mut self, prims: &Prims, prim: usize, own: &Use) -> Option<MaterialId> {
        let attributes = self.shaders.attributes;
        let targets = prims.inherited(prim, |path| attributes.targets(path, BINDING))?;
        self.material(targets.first()?, own)
    }

    /// The material that a prim itself is bound to.
    pub(super) fn own_of(&mut self, prims: &Prims, prim: usize, own: &Use) -> Option<MaterialId> {
        let targets = self.shaders.attributes.targets(&prims.list.get(prim)?.path, BINDING)?;
        self.material(targets.first()?, own)
    }

    fn material(&mut self, path: &Path, own: &Use) -> Option<MaterialId> {
        let key = (path.as_str().to_owned(), own.clone());
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.shaders.attributes.type_name(path) != "Material" {
            return None;
        }
        let id = MaterialId::from_index(self.list.len());
        self.textures.uv_names.clone_from(&own.uv_names);
        let mut material = self.read(path);
        if let Some(look) = &mut material.look {
            look.is_two_sided = own.is_two_sided;
        }
        self.list.push(material);
        self.paths.push(path.as_str().to_owned());
        self.known.insert(key, id);
        Some(id)
    }

    fn read(&mut self, path: &Path) -> Material {
        let name = self.shaders.attributes.display_name(path);
        let surface = self.shaders.surface(path).filter(|own| self.shaders.id(own) == SURFACE);
        let Some(surface) = surface else {
            let look = Some(Box::default());
            return Material { name, look, ..Material::default() };
        };
        let mut out = Material { name, ..Material::default() };
        // The fallbacks of the specification.
        let mut look = MaterialLook {
            base_color: Vec4::new(0.18, 0.18, 0.18, 1.0),
            roughness: 0.5,
            ..MaterialLook::default()
        };
        let color = |value: Option<Value>, usual: Vec3| {
            value.and_then(vec3).map_or(usual, |value| value.as_vec3())
        };
        let float = |value: Option<Value>, usual: f32| {
            value.and_then(|value| number(&value)).map_or(usual, real)
        };
        let input = |name: &str| self.shaders.input(&surface, name);
        let (diffuse, opacity, emissive) =
            (input("diffuseColor"), input("opacity"), input("emissiveColor"));
        let (metallic, roughness) = (input("metallic"), input("roughness"));
        let (normal, occlusion) = (input("normal"), input("occlusion"));
        let (threshold, ior) = (input("opacityThreshold"), input("ior"));
        let (coat, coat_roughness) = (input("clearcoat"), input("clearcoatRoughness"));
        look.base_color = match &diffuse {
            Input::Texture { .. } => Vec4::ONE,
            Input::Value(value) => color(value.clone(), Vec3::splat(0.18)).extend(1.0),
        };
        look.emissive = match &emissive {
            Input::Texture { .. } => Vec3::ONE,
            Input::Value(value) => color(value.clone(), Vec3::ZERO),
        };
        let factor = |input: &Input, usual: f32| match input {
            Input::Texture { .. } => self.textures.factor(input),
            Input::Value(value) => float(value.clone(), usual),
        };
        (look.metallic, look.roughness) = (factor(&metallic, 0.0), factor(&roughness, 0.5));
        (look.ior, look.clearcoat) = (factor(&ior, 1.5), factor(&coat, 0.0));
        look.clearcoat_roughness = factor(&coat_roughness, 0.01);
        let cutoff = factor(&threshold, 0.0);
        self.textures.add(&mut out, TextureRole::BaseColor, &diffuse, &self.shaders);
        if let Some(scale) = self.textures.color_scale(&diffuse) {
            look.base_color *= scale;
        }
        self.textures.add(&mut out, TextureRole::Emissive, &emissive, &self.shaders);
        if let Some(scale) = self.textures.color_scale(&emissive) {
            look.emissive *= scale.truncate();
        }
        self.textures.add(&mut out, TextureRole::Normal, &normal, &self.shaders);
        self.textures.add(&mut out, TextureRole::Occlusion, &occlusion, &self.shaders);
        self.textures.add_metal(&mut out, &metallic, &roughness, &self.shaders);
        let alpha = if cutoff > 0.0 { AlphaMode::Mask(cutoff) } else { AlphaMode::Blend };
        match &opacity {
            Input::Value(value) => {
                look.base_color.w = float(value.clone(), 1.0);
                if look.base_color.w < 1.0 {
                    look.alpha = alpha;
                }
            }
            Input::Texture { .. } => {
                look.alpha = alpha;
                if !opacity.is_alpha_of(&diffuse) {
                    out.approximated.insert_if(true, Approximation::OpacityTexture);
                    look.alpha = AlphaMode::Opaque;
                }
            }
        }
        out.look = Some(Box::new(look));
        out
    }
}
