//! The uses of samplers in effects, by name; collected from 66 effects.

use rigscope_core::model::{ImageUse, TextureRole};

/// Names and uses; textures of other samplers are only listed by name.
const SAMPLERS: &[(&str, ImageUse)] = &[
    ("tex_diffuse", ImageUse::Texture(TextureRole::BaseColor)),
    ("tex_normal", ImageUse::Texture(TextureRole::Normal)),
    ("tex_metallic", ImageUse::Texture(TextureRole::Metallic)),
    ("tex_roughness", ImageUse::Texture(TextureRole::Roughness)),
    ("tex_mrao", ImageUse::Texture(TextureRole::MetallicRoughnessOcclusion)),
    ("tex_ao", ImageUse::Texture(TextureRole::Occlusion)),
    ("tex_brdf", ImageUse::SplitSum),
    ("tex_ibl_diff", ImageUse::Irradiance),
    ("tex_ibl_spec", ImageUse::Prefiltered),
    // The only texture of unlit materials.
    ("tex", ImageUse::Texture(TextureRole::BaseColor)),
];
/// Prefixes of samplers filled by the SDK: bones, morphs, the camera image, videos.
const BUILT_IN: [&str; 2] = ["bnb_", "glfx_"];

/// The use of a sampler; `None` for those of the SDK.
pub(super) fn use_of(sampler: &str) -> Option<ImageUse> {
    if BUILT_IN.iter().any(|own| sampler.starts_with(own)) {
        return None;
    }
    let known = SAMPLERS.iter().find(|(name, _)| *name == sampler);
    Some(known.map_or(ImageUse::Texture(TextureRole::Other), |(_, meant)| *meant))
}
