//! Facts about an effect's images for the rules: their headers, and the materials that use them.

use super::config::{Config, ImageEntry};
use super::materials::uses;
use crate::formats::{ReadOptions, Source};
use rigscope_core::images::{ImageHeader, header};
use rigscope_core::model::{
    Cancelled, EffectFacts, EffectImage, FindingKind, ImageLayout, ImageUse, MaterialId, Model,
    Place, Report, UnlistedImage,
};

/// Limit on the total size of the examined files.
const MAX_BYTES: usize = 64 << 20;
/// Limit on the size of one of them.
const MAX_ONE_BYTES: u64 = 1 << 30;
/// Limit on the number of examined images.
const MAX_IMAGES: usize = 1 << 10;

/// Compares the config with the meshes' materials, and examines the headers of the images that they use.
///
/// # Errors If cancelled.
pub(super) fn facts(
    model: &Model,
    config: &Config,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<EffectFacts, Cancelled> {
    let mut facts = EffectFacts::default();
    for (at, material) in model.materials.iter().enumerate() {
        let Some(shader) = config.materials.get(&material.name) else { continue };
        for (meant, (sampler, image), entry) in uses(shader, config) {
            let material = MaterialId::from_index(at);
            match entry {
                Some(ImageEntry::File(path)) => add(&mut facts.images, path, meant, material),
                Some(ImageEntry::Made) => {}
                None => facts.unlisted_images.push(UnlistedImage {
                    material,
                    sampler: sampler.clone(),
                    image: image.clone(),
                }),
            }
        }
    }
    let is_used = |name: &str| model.materials.iter().any(|material| material.name == name);
    let own = config.materials.keys().filter(|name| !config.built_in_materials.contains(*name));
    facts.unused_materials = own.filter(|name| !is_used(name)).cloned().collect();

    let mut num_bytes = 0usize;
    for image in &mut facts.images {
        report.progress("looking into textures", 0.58)?;
        if num_bytes > MAX_BYTES {
            break;
        }
        let Ok(file) = source.look_up_within(&image.path, MAX_ONE_BYTES) else { continue };
        num_bytes = num_bytes.saturating_add(file.bytes.len());
        match header(&file.bytes, &file.name) {
            Ok(header) => image.layout = Some(layout(&header)),
            // If images are read, an undecodable one is reported when it's decoded.
            Err(_) if options.images && !image.uses.iter().all(|u| is_light(*u)) => {}
            Err(refusal) => report.add(
                FindingKind::UnreadableTexture,
                Place::Material(image.material.0),
                format!("{} {refusal}", file.name),
            ),
        }
    }
    Ok(facts)
}

fn is_light(meant: ImageUse) -> bool {
    !matches!(meant, ImageUse::Texture(_))
}

fn add(images: &mut Vec<EffectImage>, path: &str, meant: ImageUse, material: MaterialId) {
    match images.iter().position(|image| image.path == path) {
        Some(at) => {
            if let Some(image) = images.get_mut(at).filter(|image| !image.uses.contains(&meant)) {
                image.uses.push(meant);
            }
        }
        None if images.len() < MAX_IMAGES => images.push(EffectImage {
            path: path.to_owned(),
            uses: vec![meant],
            material,
            layout: None,
        }),
        None => {}
    }
}

fn layout(header: &ImageHeader) -> ImageLayout {
    let size = [header.width, header.height];
    let level_bytes = |level| {
        let size = header.size_of(level);
        match header.format {
            Some(format) => format.surface_bytes(size) as u64,
            // Images are uploaded as RGBA.
            None => 4 * u64::from(size[0]) * u64::from(size[1]),
        }
    };
    let num_levels = match header.format {
        Some(_) => header.num_levels,
        // Their mip levels are generated on the GPU.
        None => size[0].max(size[1]).max(1).ilog2() + 1,
    };
    let all = (0..num_levels).map(level_bytes).fold(0, u64::saturating_add);
    ImageLayout {
        size,
        num_faces: header.num_faces,
        num_levels: header.num_levels,
        num_channels: header.num_channels,
        is_srgb: header.is_srgb,
        is_texels: header.format.is_some(),
        gpu_bytes: all.saturating_mul(u64::from(header.num_faces)),
    }
}
