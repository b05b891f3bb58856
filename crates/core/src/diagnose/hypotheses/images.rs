//! Faults of images.

use crate::diagnose::cause;
use crate::diagnose::edit::recode_image;
use crate::diagnose::evidence::images::{
    NORMAL_MAPS, distance_from_flat, normal_maps, some_texels,
};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{linear_from_srgb, srgb_from_linear};

type Change = fn(f64) -> f64;

pub(super) const ROWS: &[Hypothesis] = &[Hypothesis {
    cause: cause::NORMAL_MAP_SPACE,
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
