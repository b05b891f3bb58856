//! Materials, the textures they refer to, and the images of these textures.

use glam::{Affine2, Vec3, Vec4};

use super::{Approximations, ImageId, TextureRole};

/// A material as stored in the file.
// Small on purpose: a packed file can hold a million empty names of four bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Textures, in no particular order; if several have the same role, the first is drawn.
    pub textures: Vec<TextureRef>,
    /// Surface properties other than textures; `None` if the file states none.
    pub look: Option<Box<MaterialLook>>,
    /// Differences between how the material is drawn and how the file defines it.
    pub approximated: Approximations,
}

/// Surface properties other than textures: the metallic-roughness model of glTF 2.0 (section 3.9
/// and its extensions), to which other formats are mapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialLook {
    /// Linear RGBA; multiplies the base colour texture.
    pub base_color: Vec4,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub is_two_sided: bool,
    /// Whether the colour is shown without lighting.
    pub is_unlit: bool,
    /// Whether it is only written to the depth buffer, so that it is invisible and hides surfaces
    /// behind it (effects of the Banuba SDK: `colorwrite`).
    pub is_depth_only: bool,
    /// 0 for a dielectric, 1 for a metal; multiplies the texture.
    pub metallic: f32,
    /// 0 for a mirror, 1 for a matt surface; multiplies the texture.
    pub roughness: f32,
    /// Emitted light, linear RGB of any strength; multiplies the texture.
    pub emissive: Vec3,
    /// Multiplies x and y of the normal map.
    pub normal_scale: f32,
    /// From 0, which ignores the occlusion texture, to 1, its full effect.
    pub occlusion_strength: f32,
    /// Index of refraction of a dielectric (KHR_materials_ior).
    pub ior: f32,
    /// Strength of a dielectric's reflection (KHR_materials_specular).
    pub specular: f32,
    /// Linear RGB of a dielectric's reflection at normal incidence (KHR_materials_specular).
    pub specular_color: Vec3,
    /// Strength of a clear coat over the surface (KHR_materials_clearcoat).
    pub clearcoat: f32,
    /// Roughness of the clear coat.
    pub clearcoat_roughness: f32,
    /// Linear RGB of the light that fibres scatter (KHR_materials_sheen).
    pub sheen_color: Vec3,
    /// Roughness of the sheen.
    pub sheen_roughness: f32,
    /// Share of light that passes through the surface (KHR_materials_transmission).
    pub transmission: f32,
    /// Draw order and depth state, if the file states them.
    pub draw: Option<DrawState>,
}

/// How a runtime draws a material (effects of the Banuba SDK).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawState {
    /// Position in the draw order, lowest first; `None` if it isn't listed.
    pub order: Option<u32>,
    /// Surfaces in front hide it.
    pub tests_depth: bool,
    /// It hides surfaces behind it that are drawn later.
    pub writes_depth: bool,
}

impl Default for MaterialLook {
    /// White and matt: the values of properties that a file doesn't state.
    fn default() -> Self {
        Self {
            base_color: Vec4::ONE,
            alpha: AlphaMode::Opaque,
            is_two_sided: false,
            is_unlit: false,
            is_depth_only: false,
            metallic: 0.0,
            roughness: 1.0,
            emissive: Vec3::ZERO,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            ior: 1.5,
            specular: 1.0,
            specular_color: Vec3::ONE,
            clearcoat: 0.0,
            clearcoat_roughness: 0.0,
            sheen_color: Vec3::ZERO,
            sheen_roughness: 0.0,
            transmission: 0.0,
            draw: None,
        }
    }
}

impl MaterialLook {
    /// Sets the factors of a texture of `role` to 1; returns whether any factor was different.
    pub fn reset_factors(&mut self, role: TextureRole) -> bool {
        let before = *self;
        let info = role.info();
        if info.metallic.is_some() {
            self.metallic = 1.0;
        }
        if info.roughness.is_some() {
            self.roughness = 1.0;
        }
        if role == TextureRole::Emissive {
            self.emissive = Vec3::ONE;
        }
        *self != before
    }

    /// Replaces every non-finite number by its default and returns how many there were.
    pub(super) fn replace_non_finite(&mut self) -> u64 {
        let plain = Self::default();
        let mut num_bad = 0;
        let colors = [
            (&mut self.emissive, plain.emissive),
            (&mut self.specular_color, plain.specular_color),
            (&mut self.sheen_color, plain.sheen_color),
        ];
        for (color, default) in colors {
            if !color.is_finite() {
                *color = default;
                num_bad += 1;
            }
        }
        let numbers = [
            (&mut self.metallic, plain.metallic),
            (&mut self.roughness, plain.roughness),
            (&mut self.normal_scale, plain.normal_scale),
            (&mut self.occlusion_strength, plain.occlusion_strength),
            (&mut self.ior, plain.ior),
            (&mut self.specular, plain.specular),
            (&mut self.clearcoat, plain.clearcoat),
            (&mut self.clearcoat_roughness, plain.clearcoat_roughness),
            (&mut self.sheen_roughness, plain.sheen_roughness),
            (&mut self.transmission, plain.transmission),
        ];
        for (number, default) in numbers {
            if !number.is_finite() {
                *number = default;
                num_bad += 1;
            }
        }
        if !self.base_color.is_finite() {
            self.base_color = plain.base_color;
            num_bad += 1;
        }
        if let AlphaMode::Mask(cutoff) = &mut self.alpha
            && !cutoff.is_finite()
        {
            *cutoff = 0.5;
            num_bad += 1;
        }
        num_bad
    }
}

/// Image-based lighting from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// A cubemap of the light that reaches a matt surface, by its normal.
    pub irradiance: Option<ImageId>,
    /// A cubemap of the light from each direction, rougher with each mipmap level.
    pub prefiltered: Option<ImageId>,
    /// Scale and bias of the reflectance at normal incidence, by view angle (u) and roughness (v).
    pub split_sum: Option<ImageId>,
}

/// How alpha is used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Parts with alpha below the threshold are cut out.
    Mask(f32),
    /// Alpha is opacity.
    Blend,
}

/// How a texture continues beyond its edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// It repeats.
    #[default]
    Repeat,
    /// The edge texels are repeated.
    Clamp,
    /// It repeats, mirrored every other time.
    Mirror,
}

/// A texture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureRef {
    /// The role of the texture.
    pub role: TextureRole,
    /// The path as the file spells it; empty for an embedded image.
    pub path: String,
    /// The image, set by readers for embedded images and by `formats::open` for files that were
    /// found.
    pub image: Option<ImageId>,
    /// Index into [`super::Streams::uv_sets`].
    pub uv_set: u8,
    /// Wrapping along u and v.
    pub wrap: [Wrap; 2],
    /// Applied to UVs (v down) before sampling; `None` for the identity.
    pub texture_from_uv: Option<Box<Affine2>>,
    /// The file doesn't name the texture; it was found by the material's name.
    pub is_found_by_name: bool,
}

impl TextureRef {
    /// A repeating texture on the first UV set, in a separate file.
    #[must_use]
    pub fn file(role: TextureRole, path: impl Into<String>) -> Self {
        Self {
            role,
            path: path.into(),
            image: None,
            uv_set: 0,
            wrap: [Wrap::Repeat; 2],
            texture_from_uv: None,
            is_found_by_name: false,
        }
    }

    /// A repeating texture on the first UV set, embedded in the model's file.
    #[must_use]
    pub fn embedded(role: TextureRole, image: ImageId) -> Self {
        Self { image: Some(image), ..Self::file(role, "") }
    }
}

impl Material {
    /// Whether the file states surface properties, other than those of textures that were found by
    /// name.
    #[must_use]
    pub fn states_look(&self) -> bool {
        let mut found = MaterialLook::default();
        let by_name = self.textures.iter().filter(|texture| texture.is_found_by_name);
        let num_taken = by_name.filter(|texture| found.reset_factors(texture.role)).count();
        self.look.as_deref().is_some_and(|look| num_taken == 0 || *look != found)
    }

    /// The first texture of that role whose image is loaded.
    pub fn image_of(&self, role: TextureRole) -> Option<&TextureRef> {
        let mut textures = self.textures.iter();
        textures.find(|texture| texture.role == role && texture.image.is_some())
    }
}

/// An encoded image file (PNG, JPEG, …) as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Name in the file, or the path of the image file.
    pub name: String,
    /// The encoded bytes.
    pub bytes: super::ByteView,
    /// Whether it is embedded in the model's file.
    pub is_embedded: bool,
}
