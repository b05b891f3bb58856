//! Textures: `UsdUVTexture` with its transform and UV set.
//!
//! Source: OpenUSD, "UsdPreviewSurface Specification". UVs have v up.

use glam::{Affine2, Vec2};
use openusd::gf::{Vec2f, Vec4f};
use openusd::sdf::{Path, Value};

use super::layer::{Layer, asset, token};
use super::mesh::uv_name;
use crate::formats::image_bytes::Takes;
use crate::formats::related_images::{RelatedImages, missing_path};
use rigscope_core::model::{
    FindingKind, Model, Place, Report, TextureRef, TextureRole, TextureTransform, Wrap,
};

/// Image formats of packages ("USDZ File Format Specification") that Rigscope decodes.
pub(super) const TAKES: Takes = Takes::Only(&["png", "jpg", "jpeg"]);
/// Tolerance for a transform to equal the one rebuilt from its parts.
const TOLERANCE: f32 = 1e-5;

/// The paths by which textures refer to images.
pub(super) struct ImageNames<'a> {
    pub(super) files: &'a RelatedImages,
}

/// Writes textures of a material.
pub(super) struct TextureWriter<'a> {
    pub(super) model: &'a Model,
    pub(super) images: &'a ImageNames<'a>,
    pub(super) layer: &'a mut Layer,
    pub(super) report: &'a Report,
}

impl TextureWriter<'_> {
    /// The shader of a texture; `None` if its image can't be named.
    pub(super) fn write(
        &mut self,
        material: &Path,
        texture: &TextureRef,
        scale: [f32; 4],
    ) -> Option<Path> {
        let file = self.file(texture)?;
        let role = texture.role;
        let shader = self.layer.prim(material, &format!("{role:?}Texture"), "Shader");
        self.layer.attribute(&shader, "info:id", "token").uniform().value(token("UsdUVTexture"));
        self.layer.attribute(&shader, "inputs:file", "asset").value(asset(&file));
        let is_color = matches!(role, TextureRole::BaseColor | TextureRole::Emissive);
        let space = if is_color { "sRGB" } else { "raw" };
        self.layer.attribute(&shader, "inputs:sourceColorSpace", "token").value(token(space));
        for (name, wrap) in ["inputs:wrapS", "inputs:wrapT"].into_iter().zip(texture.wrap) {
            let mode = match wrap {
                Wrap::Repeat => "repeat",
                Wrap::Clamp => "clamp",
                Wrap::Mirror => "mirror",
            };
            self.layer.attribute(&shader, name, "token").value(token(mode));
        }
        let four = |[x, y, z, w]: [f32; 4]| Value::Vec4f(Vec4f { x, y, z, w });
        if role == TextureRole::Normal {
            // Images store 0 to 1, and normals are -1 to 1.
            let (scale, bias) = ([2.0, 2.0, 2.0, 1.0], [-1.0, -1.0, -1.0, 0.0]);
            self.layer.attribute(&shader, "inputs:scale", "float4").value(four(scale));
            self.layer.attribute(&shader, "inputs:bias", "float4").value(four(bias));
        } else if scale != [1.0; 4] {
            self.layer.attribute(&shader, "inputs:scale", "float4").value(four(scale));
        }
        let uvs = self.uvs(material, texture);
        self.layer.attribute(&shader, "inputs:st", "float2").connect(uvs);
        for (output, type_name) in
            [("rgb", "float3"), ("r", "float"), ("g", "float"), ("b", "float"), ("a", "float")]
        {
            self.layer.attribute(&shader, &format!("outputs:{output}"), type_name);
        }
        Some(shader)
    }

    fn file(&self, texture: &TextureRef) -> Option<String> {
        if texture.image.is_none() {
            let is_named = !texture.path.trim().is_empty();
            return is_named.then(|| missing_path(self.model, texture));
        }
        self.images.files.name(texture).map(str::to_owned)
    }

    /// The output with the UVs of a texture.
    fn uvs(&mut self, material: &Path, texture: &TextureRef) -> Path {
        let reader = self.layer.prim(material, "Uvs", "Shader");
        let id = token("UsdPrimvarReader_float2");
        self.layer.attribute(&reader, "info:id", "token").uniform().value(id);
        let name = uv_name(usize::from(texture.uv_set));
        self.layer.attribute(&reader, "inputs:varname", "string").value(Value::String(name));
        self.layer.attribute(&reader, "outputs:result", "float2");
        let output = |shader: &Path| {
            shader.append_property("outputs:result").unwrap_or_else(|_| shader.clone())
        };
        let Some(matrix) = texture.texture_from_uv.as_deref() else { return output(&reader) };
        let placement = self.layer.prim(material, "Transform", "Shader");
        let id = token("UsdTransform2d");
        self.layer.attribute(&placement, "info:id", "token").uniform().value(id);
        self.layer.attribute(&placement, "inputs:in", "float2").connect(output(&reader));
        let parts = TextureTransform::from_affine(matrix);
        let is_near = parts.to_affine().abs_diff_eq(*matrix, TOLERANCE);
        self.report.add_many(FindingKind::Altered, Place::File, u64::from(!is_near), || {
            "the shear of a texture's transform is left out".to_owned()
        });
        let flip = Affine2::from_cols(Vec2::X, Vec2::NEG_Y, Vec2::Y);
        let up = flip * parts.to_affine() * flip;
        let pair = |v: Vec2| Value::Vec2f(Vec2f { x: v.x, y: v.y });
        // With v up, the rotation is counter-clockwise, as in the parts.
        let degrees = Value::Float(parts.rotation_rad.to_degrees());
        self.layer.attribute(&placement, "inputs:scale", "float2").value(pair(parts.scale));
        self.layer.attribute(&placement, "inputs:rotation", "float").value(degrees);
        let offset = pair(up.translation);
        self.layer.attribute(&placement, "inputs:translation", "float2").value(offset);
        self.layer.attribute(&placement, "outputs:result", "float2");
        output(&placement)
    }
}
