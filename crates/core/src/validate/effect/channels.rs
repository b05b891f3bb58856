//! Finds images with fewer channels than the shaders read.

use super::{read, report_finding};
use crate::model::{EffectFacts, FindingKind, ImageUse, Model, Report, TextureRole, findings};

findings! {
    pub(super) FINDINGS:
    TooFewChannels, "too-few-channels", Warning, Mesh,
        "a texture of an effect has fewer channels than are read from it",
        "missing channels are read as constants, so colours are tinted, the relief is skewed or the gloss is wrong",
        "save the image with all channels: three for colours, normals and packed numbers, two for the split-sum table",
        "images/skin_normal.png has only 1 of the 3 channels that are read from it (normals) at materials[0]";
}

/// Number of channels that the shaders of effects read from an image.
fn num_read(meant: ImageUse) -> u32 {
    match meant {
        ImageUse::Texture(role) => match role {
            TextureRole::BaseColor
            | TextureRole::Normal
            | TextureRole::Emissive
            | TextureRole::MetallicRoughnessOcclusion => 3,
            _ => 1,
        },
        ImageUse::Irradiance | ImageUse::Prefiltered => 3,
        ImageUse::SplitSum => 2,
    }
}

/// Reports [`FindingKind::TooFewChannels`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let found = read(effect).filter_map(|(image, layout)| {
        let num = layout.num_channels;
        // Images with one channel are grey: they are expanded to all channels and are valid
        // colours.
        let is_grey = |meant: ImageUse| {
            !layout.is_texels && num < 3 && meant == ImageUse::Texture(TextureRole::BaseColor)
        };
        let mut uses = image.uses.iter().copied();
        let meant = uses.find(|&meant| num < num_read(meant) && !is_grey(meant))?;
        let (label, all) = (meant.label(), num_read(meant));
        Some((
            image,
            format!("has only {num} of the {all} channels that are read from it ({label})"),
        ))
    });
    report_finding(found.collect(), FindingKind::TooFewChannels, report);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{change, effect};

    #[test]
    fn textures_with_missing_channels_are_reported() {
        assert!(is_silent(&effect(), FindingKind::TooFewChannels));
        let grey = change("color.png", |layout| layout.num_channels = 1);
        assert!(is_silent(&grey, FindingKind::TooFewChannels));
        for (path, num, told) in [
            (
                "normal.ktx",
                2,
                "normal.ktx has only 2 of the 3 channels that are read from it (normals)",
            ),
            (
                "mrao.ktx",
                1,
                "mrao.ktx has only 1 of the 3 channels that are read from it (metallic, roughness, occlusion)",
            ),
            (
                "table.ktx",
                1,
                "table.ktx has only 1 of the 2 channels that are read from it (split-sum table)",
            ),
        ] {
            let broken = change(path, |layout| layout.num_channels = num);
            assert_eq!(the(&broken, FindingKind::TooFewChannels).message, told);
        }
    }
}
