//! What samplers of effects are for, by their names; counted over 66 effects.

use rigscope_core::model::{ImageUse, TextureRole};

/// Names and uses; the rest is shown by name alone.
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
    // The one texture of materials without light.
    ("tex", ImageUse::Texture(TextureRole::BaseColor)),
];
/// The SDK fills samplers of these names: bones, morphs, what lies behind, videos.
const BUILT_IN: [&str; 2] = ["bnb_", "glfx_"];

/// What a sampler is for; `None` for the SDK's own.
pub(super) fn use_of(sampler: &str) -> Option<ImageUse> {
    if BUILT_IN.iter().any(|own| sampler.starts_with(own)) {
        return None;
    }
    let known = SAMPLERS.iter().find(|(name, _)| *name == sampler);
    Some(known.map_or(ImageUse::Texture(TextureRole::Other), |(_, meant)| *meant))
}
