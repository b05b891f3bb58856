//! Finds images that samplers use but the config doesn't list, which are never drawn.

use crate::model::{EffectFacts, FindingKind, Model, Place, Report, findings};

findings! {
    pub(super) FINDINGS:
    UnlistedImage, "unlisted-image", Warning, Mesh,
        "a sampler of an effect refers to an image that the effect doesn't list",
        "the image is never drawn, so the surface lacks this texture",
        "list the image under assets.images, or remove the sampler",
        "sampler BaseColor of material skin refers to image skin, which the effect doesn't list at materials[0]";
}

/// Reports [`FindingKind::UnlistedImage`].
pub(super) fn check(effect: &EffectFacts, model: &Model, report: &Report) {
    let Some(first) = effect.unlisted_images.first() else { return };
    let place = Place::Material(first.material.0);
    let count = effect.unlisted_images.len() as u64;
    report.add_many(FindingKind::UnlistedImage, place, count, || {
        let texts = effect.unlisted_images.iter().map(|one| {
            let material = &model.material(one.material).name;
            let (sampler, image) = (&one.sampler, &one.image);
            format!(
                "sampler {sampler} of material {material} refers to image {image}, which the effect \
                 doesn't list"
            )
        });
        texts.collect::<Vec<_>>().join("; ")
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MaterialId, UnlistedImage};
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{effect, with};

    #[test]
    fn reference_to_an_unlisted_image_is_reported() {
        let unlisted = |image: &str| UnlistedImage {
            material: MaterialId(0),
            sampler: "tex_ao".into(),
            image: image.into(),
        };
        assert!(is_silent(&effect(), FindingKind::UnlistedImage));
        let broken = with(|facts| facts.unlisted_images = vec![unlisted("dust"), unlisted("x")]);
        let finding = the(&broken, FindingKind::UnlistedImage);
        assert_eq!((finding.count, finding.place), (2, Place::Material(0)));
        assert!(
            finding.message.starts_with("sampler tex_ao of material gold refers to image dust, which the effect doesn't list; "),
            "{}",
            finding.message
        );
    }
}
