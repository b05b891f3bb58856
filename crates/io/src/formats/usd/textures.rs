//! Textures of materials: `UsdUVTexture` with its transform and UV set.

use std::collections::HashMap;

use glam::{Affine2, Vec2, Vec4};
use openusd::sdf::{Path, Value};

use super::attributes::Attributes;
use super::layers::Layers;
use super::shaders::{Input, Shaders};
use super::values::{number, real, token};
use rigscope_core::model::{ByteView, Image, ImageId, Material, TextureRef, TextureRole, Wrap};

/// Textures of all materials.
pub(super) struct Textures<'a> {
    attributes: &'a Attributes<'a>,
    layers: &'a Layers,
    /// Images in packages.
    pub(super) images: Vec<Image>,
    known: HashMap<String, Option<ImageId>>,
    /// Names of the UV sets of the mesh whose material is read.
    pub(super) uv_names: Vec<String>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(attributes: &'a Attributes<'a>, layers: &'a Layers) -> Self {
        Self { attributes, layers, images: Vec::new(), known: HashMap::new(), uv_names: Vec::new() }
    }

    /// Adds the texture of an input, if it has one.
    pub(super) fn add(
        &mut self,
        material: &mut Material,
        role: TextureRole,
        input: &Input,
        shaders: &Shaders<'_>,
    ) {
        if let Input::Texture { shader, .. } = input {
            let texture = self.texture(shader, role, shaders);
            material.textures.extend(texture);
        }
    }

    /// Adds the textures of metallic and roughness: one, if they are channels of the same as in glTF.
    pub(super) fn add_metal(
        &mut self,
        material: &mut Material,
        metallic: &Input,
        roughness: &Input,
        shaders: &Shaders<'_>,
    ) {
        if let (
            Input::Texture { shader, output: of_metal },
            Input::Texture { shader: other, output: of_roughness },
        ) = (metallic, roughness)
            && shader == other
            && of_metal == "b"
            && of_roughness == "g"
        {
            self.add(material, TextureRole::MetallicRoughness, metallic, shaders);
            return;
        }
        self.add(material, channel_role(metallic, TextureRole::Metallic), metallic, shaders);
        self.add(material, channel_role(roughness, TextureRole::Roughness), roughness, shaders);
    }

    /// The factor of a colour texture.
    pub(super) fn color_scale(&self, input: &Input) -> Option<Vec4> {
        let Input::Texture { shader, .. } = input else { return None };
        match self.attributes.value(shader, "inputs:scale")? {
            Value::Vec4f(scale) => Some(Vec4::new(scale.x, scale.y, scale.z, scale.w)),
            _ => None,
        }
    }

    /// The factor of a texture with a number in one of its channels.
    pub(super) fn factor(&self, input: &Input) -> f32 {
        let Input::Texture { output, .. } = input else { return 1.0 };
        let Some(scale) = self.color_scale(input) else { return 1.0 };
        match output.as_str() {
            "g" => scale.y,
            "b" => scale.z,
            "a" => scale.w,
            _ => scale.x,
        }
    }

    fn texture(
        &mut self,
        shader: &Path,
        role: TextureRole,
        shaders: &Shaders<'_>,
    ) -> Option<TextureRef> {
        let Input::Value(Some(Value::AssetPath(file))) = shaders.input(shader, "file") else {
            return None;
        };
        let resolved = file.resolved_path().unwrap_or(file.asset_path()).to_owned();
        let (uv_name, transform) = self.placement(shader, shaders);
        let wrap = |name: &str| {
            let stated = match shaders.input(shader, name) {
                Input::Value(value) => value.and_then(token),
                Input::Texture { .. } => None,
            };
            match stated.as_deref() {
                Some("clamp" | "black") => Wrap::Clamp,
                Some("mirror") => Wrap::Mirror,
                _ => Wrap::Repeat,
            }
        };
        let image = self.image(&resolved);
        Some(TextureRef {
            image,
            path: if image.is_some() { String::new() } else { resolved },
            uv_set: self.uv_set(&uv_name),
            wrap: [wrap("wrapS"), wrap("wrapT")],
            texture_from_uv: transform.map(Box::new),
            ..TextureRef::file(role, "")
        })
    }

    /// The image of a package at a path.
    fn image(&mut self, path: &str) -> Option<ImageId> {
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        // Other files are found like those of all formats.
        let is_packaged = openusd::ar::is_package_relative_path(path);
        let found = self.layers.file(path).filter(|_| is_packaged).map(|(bytes, _)| bytes);
        let image = found.map(|bytes| {
            let name = path.trim_end_matches(']').rsplit(['/', '[']).next().unwrap_or_default();
            self.images.push(Image {
                name: name.to_owned(),
                bytes: ByteView::whole(bytes.to_vec()),
                is_embedded: true,
            });
            ImageId::from_index(self.images.len() - 1)
        });
        self.known.insert(path.to_owned(), image);
        image
    }

    /// The UV set of the mesh with that name, or else its first.
    fn uv_set(&self, name: &str) -> u8 {
        let place = self.uv_names.iter().position(|own| own == name);
        u8::try_from(place.unwrap_or_default()).unwrap_or_default()
    }

    /// The name of the UV set and the transform of its UVs, v down.
    fn placement(&self, texture: &Path, shaders: &Shaders<'_>) -> (String, Option<Affine2>) {
        let mut source = shaders.source(texture, "st");
        let mut transform = None;
        if let Some(own) = source.clone().filter(|own| shaders.id(own) == "UsdTransform2d") {
            transform = Some(self.transform(&own, shaders));
            source = shaders.source(&own, "in");
        }
        let name = source.and_then(|reader| match shaders.input(&reader, "varname") {
            Input::Value(value) => value.and_then(token),
            Input::Texture { .. } => None,
        });
        (name.unwrap_or_else(|| "st".to_owned()), transform)
    }

    /// Scale, rotation counter-clockwise in degrees and translation, of UVs with v up.
    fn transform(&self, shader: &Path, shaders: &Shaders<'_>) -> Affine2 {
        let value = |name| match shaders.input(shader, name) {
            Input::Value(value) => value,
            Input::Texture { .. } => None,
        };
        let pair = |name, usual: Vec2| match value(name) {
            Some(Value::Vec2f(own)) => Vec2::new(own.x, own.y),
            _ => usual,
        };
        let degrees = value("rotation").and_then(|own| number(&own)).unwrap_or_default();
        let (scale, offset) = (pair("scale", Vec2::ONE), pair("translation", Vec2::ZERO));
        let up = Affine2::from_scale_angle_translation(scale, real(degrees).to_radians(), offset);
        let flip = Affine2::from_cols(Vec2::X, Vec2::NEG_Y, Vec2::Y);
        flip * up * flip
    }
}

/// The role of a texture with a number in one of its channels; only red has a role.
fn channel_role(input: &Input, role: TextureRole) -> TextureRole {
    match input {
        Input::Texture { output, .. } if output != "r" => TextureRole::Other,
        _ => role,
    }
}
