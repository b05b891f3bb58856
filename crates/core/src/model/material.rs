//! Materials, the textures they name, and the images that these are read from.

use glam::{Affine2, Vec3, Vec4};

use super::{Approximations, ImageId, TextureRole};

/// A material as the file has it.
// Small on purpose: a packed file can hold a million empty names of four bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Textures, in no particular order; of several with one role the first is drawn.
    pub textures: Vec<TextureRef>,
    /// How the surface looks besides; `None` where the file says nothing.
    pub look: Option<Box<MaterialLook>>,
    /// What of it is shown otherwise than the file means it.
    pub approximated: Approximations,
}

/// How a surface looks besides its textures: the metallic-roughness model of glTF 2.0 (section 3.9 and
/// its extensions), to which other formats are mapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialLook {
    /// Linear RGBA; multiplies the base colour texture.
    pub base_color: Vec4,
    /// What alpha means.
    pub alpha: AlphaMode,
    /// Back faces are meant to be seen.
    pub is_two_sided: bool,
    /// The colour is shown as it is, without light.
    pub is_unlit: bool,
    /// Nothing of it is seen: it hides what is behind it (effects of the Banuba SDK: `colorwrite`).
    pub is_depth_only: bool,
    /// 0 for a dielectric, 1 for a metal; multiplies the texture's.
    pub metallic: f32,
    /// 0 for a mirror, 1 for chalk; multiplies the texture's.
    pub roughness: f32,
    /// Light that the surface gives, linear RGB of any strength; multiplies the texture's.
    pub emissive: Vec3,
    /// Multiplies right and up of the normal map.
    pub normal_scale: f32,
    /// 0 takes no notice of the occlusion texture, 1 all.
    pub occlusion_strength: f32,
    /// Index of refraction of a dielectric (KHR_materials_ior).
    pub ior: f32,
    /// Strength of a dielectric's reflection (KHR_materials_specular).
    pub specular: f32,
    /// Linear RGB of a dielectric's reflection seen from the front (KHR_materials_specular).
    pub specular_color: Vec3,
    /// Strength of a clear layer over all (KHR_materials_clearcoat).
    pub clearcoat: f32,
    /// Roughness of that layer.
    pub clearcoat_roughness: f32,
    /// Linear RGB of the light that fibres scatter (KHR_materials_sheen).
    pub sheen_color: Vec3,
    /// Roughness of those fibres.
    pub sheen_roughness: f32,
    /// Share of light that goes through the surface (KHR_materials_transmission).
    pub transmission: f32,
    /// When and how it is drawn among others, where the file says so.
    pub draw: Option<DrawState>,
}

/// How an engine draws a material (effects of the Banuba SDK).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawState {
    /// Its place in the list of what is drawn, the lowest first; `None` where it is not listed.
    pub order: Option<u32>,
    /// What lies before it hides it.
    pub tests_depth: bool,
    /// It hides what is drawn after it and lies behind.
    pub writes_depth: bool,
}

impl Default for MaterialLook {
    /// White and matt: what is taken for things that a file does not say.
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
    /// Sets what a texture of `role` is multiplied with to 1; whether it was something else.
    pub fn take_whole(&mut self, role: TextureRole) -> bool {
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

    /// Gives every number that is not finite its default, and says how many there were.
    pub(super) fn mend(&mut self) -> u64 {
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

/// The light that a file brings along: images of its environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// A cube of the light that falls on a matt surface, by its normal.
    pub irradiance: Option<ImageId>,
    /// A cube of the light that comes from each direction, rougher with each level.
    pub prefiltered: Option<ImageId>,
    /// Scale and bias of the reflection at right angles, over the angle of view (u) and roughness (v).
    pub split_sum: Option<ImageId>,
}

/// What alpha means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// What is below the threshold is not there.
    Mask(f32),
    /// How much of what is behind is hidden.
    Blend,
}

/// What lies beyond the edge of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The last texel.
    Clamp,
    /// The texture again, turned round.
    Mirror,
}

/// One texture of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureRef {
    /// What it is for.
    pub role: TextureRole,
    /// The path as the file spells it; empty where only an embedded image is meant.
    pub path: String,
    /// Its pixels: set by readers for embedded images, by `formats::open` for files found.
    pub image: Option<ImageId>,
    /// Which of [`super::Streams::uv_sets`] places it.
    pub uv_set: u8,
    /// Along u and v.
    pub wrap: [Wrap; 2],
    /// Applied to coordinates (v down) before the texture is read; `None` for no change.
    pub texture_from_uv: Option<Box<Affine2>>,
    /// The file does not name it: it was found by the material's name.
    pub is_found_by_name: bool,
}

impl TextureRef {
    /// A repeated texture on the first UV set, in a file of its own.
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

    /// A repeated texture on the first UV set, inside the model's file.
    #[must_use]
    pub fn embedded(role: TextureRole, image: ImageId) -> Self {
        Self { image: Some(image), ..Self::file(role, "") }
    }
}

impl Material {
    /// Whether the file says something of its look: not only textures that were found by its name.
    #[must_use]
    pub fn states_look(&self) -> bool {
        let mut found = MaterialLook::default();
        let by_name = self.textures.iter().filter(|texture| texture.is_found_by_name);
        let num_taken = by_name.filter(|texture| found.take_whole(texture.role)).count();
        self.look.as_deref().is_some_and(|look| num_taken == 0 || *look != found)
    }

    /// The first texture of that role whose pixels there are.
    pub fn image_of(&self, role: TextureRole) -> Option<&TextureRef> {
        let mut textures = self.textures.iter();
        textures.find(|texture| texture.role == role && texture.image.is_some())
    }
}

/// An image file, still encoded: PNG, JPEG … as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Name in the file, or the file's own path.
    pub name: String,
    /// As stored.
    pub bytes: super::ByteView,
    /// Whether it lies inside the model's file.
    pub is_embedded: bool,
}
