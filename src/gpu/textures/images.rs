//! The images that materials need, decoded and uploaded.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::decode::{self, MAX_TOTAL_BYTES, Pixels, Refusal};
use super::mips::{Space, chain};
use super::upload::texture;
use crate::gpu::{Gpu, SceneError};
use crate::model::{ImageId, MaterialId, Model, Place, Report};

/// What can be had of each image; `None` where it was refused.
pub(super) type Textures = BTreeMap<(ImageId, Space), Option<wgpu::TextureView>>;

/// Decodes and uploads images, a few at a time, so that not all lie decoded in memory at once.
pub(super) fn upload_images(
    gpu: &Gpu,
    model: &Model,
    wanted: &BTreeMap<(ImageId, Space), MaterialId>,
    report: &Report,
) -> Result<Textures, SceneError> {
    let mut textures = Textures::new();
    let mut accepted = Vec::new();
    let mut bytes_left = MAX_TOTAL_BYTES;
    let refuse = |material: MaterialId, refusal: Refusal| {
        let (kind, message) = refusal.note();
        report.note(kind, Place::Material(material.0), message);
    };
    for (&key, &material) in wanted {
        textures.insert(key, None);
        let Some(image) = model.images.get(key.0.index()) else {
            continue;
        };
        let header = decode::header(image, gpu.caps.max_texture);
        let header = header.and_then(|header| match header.num_bytes <= bytes_left {
            true => Ok(header),
            false => Err(Refusal::TooLarge(format!(
                "{:?} does not fit into the {MAX_TOTAL_BYTES} bytes that all images may take",
                image.name
            ))),
        });
        match header {
            Ok(header) => {
                bytes_left -= header.num_bytes;
                accepted.push((key, material, image, header));
            }
            Err(refusal) => refuse(material, refusal),
        }
    }
    let at_once = rayon::current_num_threads().max(1);
    for (number, some) in accepted.chunks(at_once).enumerate() {
        let fraction = (number * at_once) as f32 / accepted.len() as f32;
        report
            .progress("reading textures", fraction)
            .map_err(|_| SceneError::Cancelled)?;
        let decoded: Vec<Result<Vec<Pixels>, Refusal>> = some
            .par_iter()
            .map(|&((_, space), _, image, header)| {
                decode::pixels(image, header).map(|pixels| chain(pixels, space))
            })
            .collect();
        for (&(key, material, image, _), levels) in some.iter().zip(decoded) {
            match levels {
                Ok(levels) => {
                    let view = texture(gpu, &image.name, &levels, key.1);
                    textures.insert(key, Some(view));
                }
                Err(refusal) => refuse(material, refusal),
            }
        }
    }
    Ok(textures)
}
