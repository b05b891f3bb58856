//! Faults of images.

use crate::diagnose::cause::causes;
use crate::diagnose::edit::recode_image;
use crate::diagnose::evidence::images::{
    NORMAL_MAPS, distance_from_flat, normal_maps, some_texels,
};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{linear_from_srgb, srgb_from_linear};

type Change = fn(f64) -> f64;

causes! {
    NORMAL_MAP_SPACE: "normal-map-color-space", is_guess: true,
        "the normal map was converted between sRGB and linear as if it were a colour texture",
        "treat the normal map as non-colour data in every step (Blender: Color Space > Non-Color)",
        &[];
}

pub(super) const ROWS: &[Hypothesis] = &[Hypothesis {
    cause: NORMAL_MAP_SPACE,
    evidence: &[&NORMAL_MAPS],
    trials: |case, _, items| {
        let all = normal_maps(&case.model);
        let images: Vec<_> = items.iter().filter_map(|item| all.get(*item).copied()).collect();
        let changes: [(&str, Change); 2] = [
            ("decoded from sRGB to linear", srgb_from_linear),
            ("encoded from linear to sRGB", linear_from_srgb),
        ];
        let mut trials = Vec::new();
        for (name, change) in changes {
            // Encoding an image is slow, so it is done only if the result will look like a normal map.
            let fits = |id: &crate::model::ImageId| {
                distance_from_flat(&some_texels(case, &case.model, *id), change) < NORMAL_MAPS.noise
            };
            if !images.is_empty() && images.iter().all(fits) {
                let images = images.clone();
                trials.push(Trial::new(name, move |model| {
                    images.iter().for_each(|id| recode_image(model, *id, change));
                }));
            }
        }
        trials
    },
}];
