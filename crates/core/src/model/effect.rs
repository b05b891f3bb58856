//! What an effect of the Banuba SDK says beyond meshes and materials, for those who judge it.

use super::{MaterialId, TextureRole};

/// An effect's config against its meshes and images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectFacts {
    /// Materials for meshes that no mesh has.
    pub unused_materials: Vec<String>,
    /// Images that samplers of materials name and the config does not list.
    pub unlisted_images: Vec<UnlistedImage>,
    /// The image files that materials of meshes read, each once.
    pub images: Vec<EffectImage>,
}

/// An image that is named and not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedImage {
    /// By the material.
    pub material: MaterialId,
    /// By this sampler.
    pub sampler: String,
    /// The name.
    pub image: String,
}

/// An image file of an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectImage {
    /// Path as the effect spells it.
    pub path: String,
    /// What for, each once.
    pub uses: Vec<ImageUse>,
    /// The first material that reads it.
    pub material: MaterialId,
    /// What its file says; `None` where it is missing or cannot be read.
    pub layout: Option<ImageLayout>,
}

/// What an effect's image is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageUse {
    /// A texture of surfaces.
    Texture(TextureRole),
    /// [`super::Environment::irradiance`].
    Irradiance,
    /// [`super::Environment::prefiltered`].
    Prefiltered,
    /// [`super::Environment::split_sum`].
    SplitSum,
}

impl ImageUse {
    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Texture(role) => role.info().label,
            Self::Irradiance => "irradiance",
            Self::Prefiltered => "prefiltered light",
            Self::SplitSum => "split-sum table",
        }
    }

    /// Whether it is read by direction.
    pub fn is_cube(self) -> bool {
        matches!(self, Self::Irradiance | Self::Prefiltered)
    }
}

/// How an image is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    /// Texels of the largest level.
    pub size: [u32; 2],
    /// 1, or 6 of a cubemap.
    pub num_faces: u32,
    /// At least 1.
    pub num_levels: u32,
    /// 1 to 4.
    pub num_channels: u32,
    /// Whether the file says that an sRGB curve is on its colours; `None` where it does not say.
    pub is_srgb: Option<bool>,
    /// Whether texels are stored as a GPU takes them; pictures are decoded first.
    pub is_texels: bool,
    /// What it takes on the GPU: texels as stored, pictures as RGBA with smaller levels.
    pub gpu_bytes: u64,
}
