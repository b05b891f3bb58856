//! Finds numeric textures with an sRGB format, and colour textures with a linear one.
//!
//! Both are right if the values were written for it, as the SDK's converter does. Engines that choose the
//! transfer function by the use of a texture display them wrong. Hence both are only infos.

use super::{read, report_finding};
use crate::model::{
    EffectFacts, EffectImage, FindingKind, ImageUse, Model, Report, TextureRole, findings,
};

findings! {
    pub(super) FINDINGS:
    SrgbNumbers, "srgb-numbers", Info, Mesh,
        "a texture of an effect stores numbers in a format with an sRGB curve",
        "none in the SDK if its converter wrote the texture; if not, the relief is tilted and gloss is wrong",
        "no action needed if the SDK's converter wrote the texture; if not, convert normals, metallic and roughness to a linear format",
        "images/skin_normal.ktx stores numbers (normals) in an sRGB format at materials[0]";
    LinearColors, "linear-colors", Info, Mesh,
        "a texture of an effect stores colours in a format without an sRGB curve",
        "none in the SDK; in runtimes that use the curve of the file, colours are too bright and washed out",
        "no action needed for the SDK; for runtimes that use the curve of the file, save colours in an sRGB format",
        "images/skin.ktx stores colours (base colour) in a linear format at materials[0]";
}

/// Reports [`FindingKind::SrgbNumbers`] and [`FindingKind::LinearColors`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let of = |is_srgb: bool,
              is_wrong: fn(ImageUse) -> bool,
              what: &str,
              format: &str|
     -> Vec<(&EffectImage, String)> {
        let stated = read(effect).filter(|(image, layout)| {
            layout.is_texels
                && layout.is_srgb == Some(is_srgb)
                && image.uses.iter().copied().any(is_wrong)
        });
        let told = stated.filter_map(|(image, _)| {
            let label = image.uses.iter().copied().find(|&meant| is_wrong(meant))?.label();
            Some((image, format!("stores {what} ({label}) in {format} format")))
        });
        told.collect()
    };
    report_finding(of(true, is_numbers, "numbers", "an sRGB"), FindingKind::SrgbNumbers, report);
    report_finding(of(false, is_colors, "colours", "a linear"), FindingKind::LinearColors, report);
}

fn is_numbers(meant: ImageUse) -> bool {
    match meant {
        ImageUse::Texture(role) => !role.info().is_color,
        // Light is stored in linear values.
        ImageUse::Irradiance | ImageUse::Prefiltered | ImageUse::SplitSum => true,
    }
}

fn is_colors(meant: ImageUse) -> bool {
    meant == ImageUse::Texture(TextureRole::BaseColor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{change, effect};

    #[test]
    fn srgb_data_textures_and_linear_color_textures_are_reported() {
        for kind in [FindingKind::SrgbNumbers, FindingKind::LinearColors] {
            assert!(is_silent(&effect(), kind), "{kind:?}");
        }
        let curved = change("normal.ktx", |layout| layout.is_srgb = Some(true));
        assert_eq!(
            the(&curved, FindingKind::SrgbNumbers).message,
            "normal.ktx stores numbers (normals) in an sRGB format"
        );
        let straight = |is_texels: bool| {
            change("color.png", move |layout| {
                (layout.is_srgb, layout.is_texels) = (Some(false), is_texels);
            })
        };
        let finding = the(&straight(true), FindingKind::LinearColors);
        assert_eq!(finding.message, "color.png stores colours (base colour) in a linear format");
        assert!(is_silent(&straight(false), FindingKind::LinearColors), "pictures do not say");
    }
}
