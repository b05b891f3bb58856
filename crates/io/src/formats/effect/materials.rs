//! Applies the materials and the light of an effect to meshes.

use super::config::{Config, ImageEntry, Shader};
use super::samplers::use_of;
use crate::formats::{ReadOptions, Source, last_part, leads_outside};
use rigscope_core::model::{
    AlphaMode, Approximation, ByteView, Cancelled, DrawState, Environment, FindingKind, Image,
    ImageId, ImageUse, Material, MaterialLook, Model, Place, RelatedFileRole, RelatedFileUse,
    Report, TextureRef, TextureRole,
};

/// Size limit of a light image.
const MAX_LIGHT_BYTES: usize = 256 << 20;

/// Applies the textures and states of the config to the materials with the same names. Returns the number of
/// materials found.
///
/// # Errors If cancelled.
pub(super) fn apply_materials(
    model: &mut Model,
    config: &Config,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<usize, Cancelled> {
    let mut bare: Vec<&str> = Vec::new();
    let mut light = Light::default();
    let num = model.materials.len();
    for material in &mut model.materials {
        match config.materials.get(&material.name) {
            Some(shader) => apply_shader(material, shader, config, &mut light),
            None => bare.push(&material.name),
        }
    }
    let num_bare = bare.len();
    report.add_many(FindingKind::MaterialNotInEffect, Place::File, num_bare as u64, || {
        format!("the effect has no material named {}", bare.join(", "))
    });
    light.read(model, source, options, report)?;
    Ok(num - num_bare)
}

/// The uses, names and entries of a material's samplers, without those of the SDK.
pub(super) fn uses<'a>(
    shader: &'a Shader,
    config: &'a Config,
) -> impl Iterator<Item = (ImageUse, &'a (String, String), Option<&'a ImageEntry>)> {
    let known = shader.samplers.iter();
    known.filter_map(|sampler| Some((use_of(&sampler.0)?, sampler, config.images.get(&sampler.1))))
}

fn apply_shader<'a>(
    material: &mut Material,
    shader: &'a Shader,
    config: &'a Config,
    light: &mut Light<'a>,
) {
    for (meant, _, entry) in uses(shader, config) {
        let Some(ImageEntry::File(path)) = entry else { continue };
        let place = match meant {
            ImageUse::Texture(role) => {
                material.textures.push(TextureRef::file(role, path));
                continue;
            }
            ImageUse::Irradiance => &mut light.irradiance,
            ImageUse::Prefiltered => &mut light.prefiltered,
            ImageUse::SplitSum => &mut light.split_sum,
        };
        place.get_or_insert(path);
    }
    let roles = || material.textures.iter().map(|texture| texture.role);
    let has_metallic = roles().any(|role| role.info().metallic.is_some());
    // Ambiguous: a material with a sampler of this name is drawn unlit.
    let is_unlit = shader.samplers.iter().any(|(name, _)| name == "tex");
    let draw = DrawState {
        order: config.order.get(&material.name).copied(),
        tests_depth: !shader.is_depth_untested,
        writes_depth: !shader.is_depth_unwritten,
    };
    let is_shown_so = draw.tests_depth && draw.writes_depth != shader.blends;
    material.approximated.insert_if(!is_shown_so, Approximation::DepthState);
    material.look = Some(Box::new(MaterialLook {
        alpha: if shader.blends { AlphaMode::Blend } else { AlphaMode::Opaque },
        draw: Some(draw),
        is_two_sided: shader.has_back_faces,
        is_depth_only: shader.is_depth_only,
        is_unlit: is_unlit && roles().all(|role| role == TextureRole::BaseColor),
        metallic: if has_metallic { 1.0 } else { 0.0 },
        ..MaterialLook::default()
    }));
}

/// Paths of the light images of an effect, taken from the first material that refers to them.
#[derive(Default)]
struct Light<'a> {
    irradiance: Option<&'a str>,
    prefiltered: Option<&'a str>,
    split_sum: Option<&'a str>,
}

impl Light<'_> {
    fn read(
        self,
        model: &mut Model,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<(), Cancelled> {
        let mut image = |path: Option<&str>| match path {
            Some(path) => read_image(path, model, source, options, report),
            None => Ok(None),
        };
        let environment = Environment {
            irradiance: image(self.irradiance)?,
            prefiltered: image(self.prefiltered)?,
            split_sum: image(self.split_sum)?,
        };
        if environment != Environment::default() {
            model.environment = Some(environment);
        }
        Ok(())
    }
}

/// Reads a light image if images are requested.
fn read_image(
    path: &str,
    model: &mut Model,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Option<ImageId>, Cancelled> {
    report.progress("looking for textures", 0.55)?;
    if leads_outside(path) {
        let what =
            format!("{path:?} is outside the folder; searching for {:?} instead", last_part(path));
        report.add(FindingKind::OutsidePath, Place::File, what);
    }
    let (role, named) = (RelatedFileRole::Texture, "the effect's light");
    let Some(name) = source.name_of(path) else {
        report.related_file(RelatedFileUse::missing(path, role, named));
        let what = format!("{path}, the effect's light, was not found");
        report.add(FindingKind::MissingTexture, Place::File, what);
        return Ok(None);
    };
    report.related_file(RelatedFileUse::used(&name, role, named));
    if !options.images {
        return Ok(None);
    }
    if let Some(at) = model.images.iter().position(|image| image.name == name) {
        return Ok(Some(ImageId::from_index(at)));
    }
    let file = match source.look_up_within(path, MAX_LIGHT_BYTES as u64) {
        Ok(file) if file.bytes.len() <= MAX_LIGHT_BYTES => file,
        _ => {
            report.related_file(RelatedFileUse::unused(
                &name,
                role,
                "too large, or cannot be read",
            ));
            let what = format!("{name}, the effect's light, is too large or can't be read");
            report.add(FindingKind::TextureTooLarge, Place::File, what);
            return Ok(None);
        }
    };
    let end = file.bytes.len();
    let Some(bytes) = ByteView::new(file.bytes, 0..end) else { return Ok(None) };
    model.images.push(Image { name, bytes, is_embedded: false });
    Ok(Some(ImageId::from_index(model.images.len() - 1)))
}
