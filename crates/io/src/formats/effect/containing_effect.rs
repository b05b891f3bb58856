//! A mesh that is opened by itself from an effect's folder gets the materials of the effect.

use super::config::parse;
use super::materials::apply_materials;
use super::probe::probe;
use crate::formats::bsm2;
use crate::formats::{Confidence, Format, ProbeInput, ReadOptions, Source, candidates};
use rigscope_core::model::{
    Cancelled, FindingKind, Model, Place, RelatedFileRole, RelatedFileUse, Report, counted,
    singular_or_plural,
};

/// The name of every effect's main file.
pub const CONFIG: &str = "config.json";
/// Read limit; the config of a real effect has at most a hundred kilobytes.
const MAX_CONFIG_BYTES: u64 = 8 << 20;

/// Whether the file may be a mesh of an effect in the folder above.
pub fn may_be_in_effect(source: &Source) -> bool {
    let likeliest = candidates(source);
    likeliest.first().is_some_and(|candidate| candidate.format.info.id == bsm2::ID)
}

/// Applies the materials of the effect that contains `source` to `model`. Returns the source with the
/// effect's folder added to the search for textures, or `None` without an effect.
///
/// # Errors If cancelled.
pub(in crate::formats) fn apply_containing_effect(
    model: &mut Model,
    format: &Format,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Option<Source>, Cancelled> {
    if format.info.id != bsm2::ID {
        return Ok(None);
    }
    let Some((folder, inside)) = source.in_effect() else { return Ok(None) };
    let Ok((bytes, _)) = folder.read_range(CONFIG, 0..MAX_CONFIG_BYTES) else { return Ok(None) };
    if probe(&ProbeInput::of(&bytes)) == Confidence::No {
        return Ok(None);
    }
    let role = RelatedFileRole::Material;
    let config = match parse(&bytes, &report.quiet()) {
        Ok(config) => config,
        Err(error) => {
            report.related_file(RelatedFileUse::unused(CONFIG, role, error.to_string()));
            return Ok(None);
        }
    };
    let has_own = model.materials.iter().any(|own| config.materials.contains_key(&own.name));
    if !has_own {
        let why = "it has no materials of the file";
        report.related_file(RelatedFileUse::unused(CONFIG, role, why));
        return Ok(None);
    }
    let num = apply_materials(model, &config, &inside, options, report)?;
    inside.mark_used(CONFIG);
    report.related_file(RelatedFileUse::used(CONFIG, role, "the effect that contains the file"));
    report.add_many(FindingKind::DressedByEffect, Place::File, 1, || {
        let materials = counted(num as u64, "material");
        let were = singular_or_plural(num as u64, "was", "were");
        let effect = config.scene.as_deref().unwrap_or("the effect in the folder above");
        format!("{materials} {were} taken from {effect}")
    });
    Ok(Some(inside))
}
