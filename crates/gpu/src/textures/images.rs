//! Decodes and uploads the images that materials need.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::budget::{Batches, halvings};
use super::pixels::{ColorSpace, Levels};
use super::requirements::ImageUse;
use super::upload::texture;
use super::{compressed, decode};
use crate::pending::finish_uploads;
use crate::{Gpu, SceneError};
use rigscope_core::images::{ImageHeader, Refusal};
use rigscope_core::model::{FindingKind, Image, ImageId, MaterialId, Place, Report};

/// Uploaded images; `None` if the image was refused.
pub(super) type Textures = BTreeMap<(ImageId, ColorSpace), Option<Texture>>;

/// An image on the GPU.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    pub(super) view: wgpu::TextureView,
    /// Known to be opaque everywhere.
    pub(super) is_solid: bool,
}

/// An image to decode.
struct ImageJob<'a> {
    key: (ImageId, ColorSpace),
    usage: ImageUse,
    image: &'a Image,
    header: ImageHeader,
    /// Number of its largest levels that are omitted.
    num_halvings: u32,
}

impl ImageJob<'_> {
    /// The levels to upload to a device that supports the `compressed` formats.
    fn levels(&self, compressed: wgpu::Features) -> Result<Levels, Refusal> {
        let space = decode::space_in_file(self.header, self.key.1);
        let first = self.num_halvings;
        let stored = compressed::levels(self.image, self.header, first, space, compressed)?;
        if let Some(levels) = stored {
            return Ok(levels);
        }
        let mut pixels = decode::pixels(self.image, self.header, space, self.usage.alpha)?;
        pixels.drain(..(first as usize).min(pixels.len().saturating_sub(1)));
        Ok(Levels::of(pixels, space))
    }
}

/// Decodes and uploads images, a few at a time to limit the decoded ones in memory.
pub(super) fn upload_images(
    gpu: &Gpu,
    images: &[Image],
    wanted: &BTreeMap<(ImageId, ColorSpace), ImageUse>,
    report: &Report,
) -> Result<Textures, SceneError> {
    let mut textures = Textures::new();
    let mut accepted = Vec::new();
    let refuse = |image: &Image, material: MaterialId, refusal: &Refusal| {
        let (kind, message) = decode::finding_of(image, refusal);
        report.add(kind, Place::Material(material.0), message);
    };
    for (&key, &usage) in wanted {
        textures.insert(key, None);
        let Some(image) = images.get(key.0.index()) else { continue };
        match decode::header(image, gpu.caps.max_texture) {
            Ok(header) => accepted.push(ImageJob { key, usage, image, header, num_halvings: 0 }),
            Err(refusal) => refuse(image, usage.material, &refusal),
        }
    }
    fit_into_budget(&mut accepted, report);
    let at_once = rayon::current_num_threads().max(1);
    let mut num_done = 0;
    let sizes = accepted.iter().map(|wanted| wanted.header.num_bytes);
    for batch in Batches::of(sizes, at_once) {
        let fraction = num_done as f32 / accepted.len() as f32;
        report.progress("reading textures", fraction).map_err(|_| SceneError::Cancelled)?;
        let some = accepted.get(batch).unwrap_or_default();
        num_done += some.len();
        let compressed = gpu.caps.compressed;
        let made: Vec<Result<Levels, Refusal>> =
            some.par_iter().map(|wanted| wanted.levels(compressed)).collect();
        for (wanted, levels) in some.iter().zip(made) {
            match levels {
                Ok(levels) => {
                    let view = texture(gpu, &wanted.image.name, &levels);
                    let is_solid = levels.is_solid();
                    textures.insert(wanted.key, Some(Texture { view, is_solid }));
                }
                Err(refusal) => refuse(wanted.image, wanted.usage.material, &refusal),
            }
        }
        // Frees the staging memory, which otherwise holds a copy of all textures.
        finish_uploads(gpu);
    }
    Ok(textures)
}

/// Omits the largest levels of the largest images until all fit in the budget.
fn fit_into_budget(accepted: &mut [ImageJob<'_>], report: &Report) {
    let texels = accepted.iter().map(|wanted| wanted.header.num_texels());
    let halvings = halvings(texels);
    let mut reduced = Vec::new();
    for (wanted, num_halvings) in accepted.iter_mut().zip(halvings) {
        wanted.num_halvings = num_halvings;
        if num_halvings > 0 {
            reduced.push((wanted.usage.material, wanted.image.name.clone(), num_halvings));
        }
    }
    if let Some((material, name, num_halvings)) = reduced.first() {
        let place = Place::Material(material.0);
        report.add_many(FindingKind::ReducedTexture, place, reduced.len() as u64, || {
            format!(
                "{name:?} is shown at 1/{} of its size; all textures together are limited to {} MiB",
                1u64 << num_halvings,
                super::budget::MAX_TOTAL_BYTES >> 20
            )
        });
    }
}
