//! Finds light images that aren't cubemaps, or that lack levels for rough surfaces.

use super::{read, report_finding};
use crate::model::{EffectFacts, FindingKind, ImageUse, Model, Report, findings};

findings! {
    pub(super) FINDINGS:
    NotACube, "not-a-cube", Warning, Mesh,
        "an effect uses an image without six faces as light, or a cubemap as a texture",
        "the light of the effect isn't used, or the texture shows a wrong image",
        "save light as a cubemap with six faces, and textures with one",
        "images/ibl_diff.png (irradiance) has 1 face instead of 6 at materials[0]";
    CubeWithoutLevels, "cube-without-levels", Warning, Mesh,
        "the prefiltered light of an effect has only one mip level",
        "rough surfaces reflect like mirrors",
        "save the cubemap with one mip level per step of roughness",
        "images/ibl_spec.ktx has only one mip level at materials[0]";
}

/// Reports [`FindingKind::NotACube`] and [`FindingKind::CubeWithoutLevels`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let flat = read(effect).filter_map(|(image, layout)| {
        let is_cube = layout.num_faces == 6;
        let meant = image.uses.iter().find(|meant| meant.is_cube() != is_cube)?;
        let num = layout.num_faces;
        let faces = if num == 1 { "1 face".to_owned() } else { format!("{num} faces") };
        let wanted = if meant.is_cube() { 6 } else { 1 };
        Some((image, format!("({}) has {faces} instead of {wanted}", meant.label())))
    });
    report_finding(flat.collect(), FindingKind::NotACube, report);
    let plain = read(effect).filter(|(image, layout)| {
        let is_alone = layout.num_levels == 1 && layout.size != [1, 1];
        is_alone && layout.num_faces == 6 && image.uses.contains(&ImageUse::Prefiltered)
    });
    let plain = plain.map(|(image, _)| (image, "has only one mip level".to_owned()));
    report_finding(plain.collect(), FindingKind::CubeWithoutLevels, report);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{change, effect};

    #[test]
    fn environment_light_must_be_a_cube_map_with_mip_levels() {
        for kind in [FindingKind::NotACube, FindingKind::CubeWithoutLevels] {
            assert!(is_silent(&effect(), kind), "{kind:?}");
        }
        let flat = change("spec.ktx", |layout| (layout.num_faces, layout.num_levels) = (1, 1));
        let finding = the(&flat, FindingKind::NotACube);
        assert_eq!(finding.message, "spec.ktx (prefiltered light) has 1 face instead of 6");
        assert!(is_silent(&flat, FindingKind::CubeWithoutLevels));
        let cube = change("color.png", |layout| layout.num_faces = 6);
        assert_eq!(
            the(&cube, FindingKind::NotACube).message,
            "color.png (base colour) has 6 faces instead of 1"
        );
        let plain = change("spec.ktx", |layout| layout.num_levels = 1);
        assert_eq!(
            the(&plain, FindingKind::CubeWithoutLevels).message,
            "spec.ktx has only one mip level"
        );
        let matt = change("diff.ktx", |layout| layout.num_levels = 1);
        assert!(is_silent(&matt, FindingKind::CubeWithoutLevels), "matt light needs none");
    }
}
