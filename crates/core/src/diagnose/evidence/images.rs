//! Normal maps whose texels don't look like normals.

use super::{Evidence, Items, Kind};
use crate::diagnose::specimen::Specimen;
use crate::model::{ImageId, Model, TextureRole, linear_from_srgb, numbers, spread};

pub(super) const ALL: &[&Evidence] = &[&NORMAL_MAPS];

/// Deviation of a normal map's mean red and green from 0.5, the value for a flat surface; one item per image.
pub(crate) const NORMAL_MAPS: Evidence = Evidence {
    name: "normal-map-mean",
    meaning: "the deviation of a normal map's mean red and green from 0.5",
    unit: "texel value",
    kind: Kind::Drawn,
    items: Items::Own,
    noise: 0.04,
    weight: 1.0,
    measure: |case, model| {
        normal_maps(model).into_iter().map(|id| deviation(case, model, id)).collect()
    },
    text: |value| numbers::significant(value, 2),
};

/// The most images to decode, because this takes long.
const MAX_IMAGES: usize = 3;
/// The most texels to average.
const MAX_TEXELS: usize = 20_000;

/// The images of normal textures, without duplicates.
pub(in crate::diagnose) fn normal_maps(model: &Model) -> Vec<ImageId> {
    let textures = model.materials.iter().flat_map(|material| &material.textures);
    let of_normals = textures.filter(|texture| texture.role == TextureRole::Normal);
    let mut images: Vec<ImageId> = of_normals.filter_map(|texture| texture.image).collect();
    images.sort_unstable_by_key(|id| id.0);
    images.dedup();
    images.truncate(MAX_IMAGES);
    images
}

/// Texels spread over an image, with channels from 0 to 1; empty if it can't be decoded.
pub(in crate::diagnose) fn some_texels(
    case: &Specimen,
    model: &Model,
    id: ImageId,
) -> Vec<[f64; 3]> {
    let Some(picture) = case.pictures.get(model.image(id)) else { return Vec::new() };
    let texels = &picture.texels;
    let some = spread(texels.len(), MAX_TEXELS).filter_map(|at| texels.get(at));
    let value = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if picture.has_encoded_numbers { linear_from_srgb(value) } else { value }
    };
    some.map(|&[r, g, b, _]| [r, g, b].map(value)).collect()
}

/// Deviation of the mean texel from a flat normal, after applying `change` to each channel.
pub(in crate::diagnose) fn distance_from_flat(
    texels: &[[f64; 3]],
    change: impl Fn(f64) -> f64,
) -> f64 {
    let mean = |channel: usize| {
        let all = texels.iter().map(|texel| change(texel[channel]));
        all.sum::<f64>() / texels.len() as f64
    };
    if texels.is_empty() { f64::NAN } else { (mean(0) - 0.5).abs().max((mean(1) - 0.5).abs()) }
}

fn deviation(case: &Specimen, model: &Model, id: ImageId) -> f64 {
    distance_from_flat(&some_texels(case, model, id), |value| value)
}
