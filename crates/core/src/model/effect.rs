//! Facts about an effect of the Banuba SDK beyond its meshes and materials, for validation rules.

use super::{MaterialId, TextureRole};

/// An effect's config compared with its meshes and images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectFacts {
    /// Materials for meshes that don't exist.
    pub unused_materials: Vec<String>,
    /// Images that material samplers name but the config doesn't list.
    pub unlisted_images: Vec<UnlistedImage>,
    /// The image files that mesh materials read, each once.
    pub images: Vec<EffectImage>,
}

/// An image that a sampler names but the config doesn't list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedImage {
    /// The material with the sampler.
    pub material: MaterialId,
    /// Name of the sampler.
    pub sampler: String,
    /// Name of the image.
    pub image: String,
}

/// An image file of an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectImage {
    /// Path as the effect spells it.
    pub path: String,
    /// The image's uses, each once.
    pub uses: Vec<ImageUse>,
    /// The first material that reads it.
    pub material: MaterialId,
    /// Layout from the image's header; `None` if the file is missing or unreadable.
    pub layout: Option<ImageLayout>,
}

/// The use of an effect's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageUse {
    /// A surface texture.
    Texture(TextureRole),
    /// [`super::Environment::irradiance`].
    Irradiance,
    /// [`super::Environment::prefiltered`].
    Prefiltered,
    /// [`super::Environment::split_sum`].
    SplitSum,
}

impl ImageUse {
    /// Name shown to users.
    pub fn label(self) -> &'static str {
        match self {
            Self::Texture(role) => role.info().label,
            Self::Irradiance => "irradiance",
            Self::Prefiltered => "prefiltered light",
            Self::SplitSum => "split-sum table",
        }
    }

    /// Whether the image is sampled by direction.
    pub fn is_cube(self) -> bool {
        matches!(self, Self::Irradiance | Self::Prefiltered)
    }
}

/// How an image is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    /// Width and height of the largest level, in texels.
    pub size: [u32; 2],
    /// 1, or 6 for a cubemap.
    pub num_faces: u32,
    /// Number of mipmap levels, at least 1.
    pub num_levels: u32,
    /// Number of channels, 1 to 4.
    pub num_channels: u32,
    /// Whether the file declares its colours as sRGB-encoded; `None` if it doesn't state it.
    pub is_srgb: Option<bool>,
    /// Whether texels are stored in a GPU format; other images are decoded first.
    pub is_texels: bool,
    /// Size on the GPU: texels as stored, other images as RGBA with mipmaps.
    pub gpu_bytes: u64,
}
