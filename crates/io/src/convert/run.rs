//! The steps of a conversion.

use std::collections::BTreeSet;

use super::check::check;
use super::deviation::ConversionDeviation;
use super::prepare::prepare;
use super::{Check, ConvertError, ConvertOptions, TextureMode, file_names};
use crate::formats::loss_list::{Loss, observed, predicted_of_part};
use crate::formats::losses::Counts;
use crate::formats::{Format, OutputFile, WriteError, WriteOptions, write};
use rigscope_core::model::{Finding, FindingKind, MaterialId, Model, Place, Report};

/// The result of a conversion.
#[derive(Clone, Debug)]
pub struct Converted {
    /// Names and contents of the files, the main one first.
    pub files: Vec<(String, OutputFile)>,
    /// Losses predicted from the format's table.
    pub predicted: Vec<Loss>,
    /// Losses found when the files were read back; empty without this check.
    pub observed: Vec<Loss>,
    /// Deviations from the source; `None` without this check.
    pub errors: Option<ConversionDeviation>,
    /// Findings of the writer.
    pub findings: Vec<Finding>,
    /// Findings of the reader of the model; empty unless [`convert_for_path`](super::convert_for_path) knows them.
    pub read_findings: Vec<Finding>,
}

impl Converted {
    /// Losses that are worse than predicted.
    pub fn unforeseen(&self) -> Vec<Loss> {
        let is_foreseen = |loss: &Loss| {
            let mut known = self.predicted.iter();
            known.any(|known| known.aspect == loss.aspect && known.after <= loss.after)
        };
        let found = self.observed.iter();
        found.filter(|loss| !is_foreseen(loss)).copied().collect()
    }
}

/// Predicted losses of `model`, which has the counts `before`, considering only the texture mode and the
/// writer's part of `options`.
#[must_use]
pub fn foreseen(
    model: &Model,
    before: &Counts,
    format: &Format,
    options: &ConvertOptions,
) -> Vec<Loss> {
    let mut left = None;
    if options.textures == TextureMode::None {
        let mut without = model.clone();
        leave_out_textures(&mut without);
        left = Some(without);
    }
    let kept = left.as_ref().map(Counts::of_model);
    let (model, kept) = (left.as_ref().unwrap_or(model), kept.as_ref().unwrap_or(before));
    predicted_of_part(model, before, kept, format, &options.write)
}

/// Removes all textures and images. Returns whether there were any.
fn leave_out_textures(model: &mut Model) -> bool {
    let has_textures = model.materials.iter().any(|m| !m.textures.is_empty());
    for material in &mut model.materials {
        material.textures.clear();
    }
    let has_images = !model.images.is_empty();
    model.images.as_mut_vec().clear();
    has_textures || has_images
}

/// Reports the images of used materials that couldn't be read and therefore aren't written.
fn report_missing(model: &Model, report: &Report) {
    let subsets = model.meshes.iter().flat_map(|mesh| &mesh.subsets);
    let used: BTreeSet<usize> =
        subsets.filter_map(|subset| subset.material.map(MaterialId::index)).collect();
    let materials = used.iter().filter_map(|&at| model.materials.get(MaterialId::from_index(at)));
    let textures = materials.flat_map(|material| &material.textures);
    let missing = textures.filter(|texture| texture.image.is_none() && !texture.path.is_empty());
    let missing: BTreeSet<&str> = missing.map(|texture| texture.path.as_str()).collect();
    let num = missing.len() as u64;
    report.add_many(FindingKind::MissingTexture, Place::File, num, || {
        let missing: Vec<&str> = missing.into_iter().collect();
        format!("images that can't be read: {}", missing.join(", "))
    });
}

/// Refuses extensions that the writer of `format` has no files for.
fn check_extension(format: &Format, extension: &str) -> Result<(), WriteError> {
    let unwritten = format.writer.map_or(&[][..], |writer| writer.unwritten);
    match unwritten.iter().find(|own| own.eq_ignore_ascii_case(extension)) {
        Some(extension) => {
            let usual = format.info.extensions.first().copied().unwrap_or(format.info.id);
            Err(WriteError::ReadOnlyExtension { extension, usual })
        }
        None => Ok(()),
    }
}

/// Converts `model` to files of `format` that are named after `options.write.stem`, with `extension`.
///
/// # Errors
/// If the model can't be written.
pub fn convert(
    model: &Model,
    format: &Format,
    extension: &str,
    options: &ConvertOptions,
    report: &Report,
) -> Result<Converted, ConvertError> {
    report.progress("preparing", 0.0)?;
    check_extension(format, extension)?;
    let mut prepared = prepare(model, format, options)?;
    let write_options = WriteOptions { rate: options.rate, ..options.write.clone() };
    let before = Counts::of_model(&prepared.model);
    let kept = if options.textures == TextureMode::None && leave_out_textures(&mut prepared.model) {
        Counts::of_model(&prepared.model)
    } else {
        before.clone()
    };
    report_missing(&prepared.model, report);
    let predicted = predicted_of_part(&prepared.model, &before, &kept, format, &write_options);
    report.progress("writing", 0.2)?;
    let written = write(&prepared.model, format, &write_options, report)?;
    let stem = &write_options.stem;
    let places: Vec<_> = written.iter().map(|file| &file.place).collect();
    let names = file_names(&places, stem, extension);
    let files: Vec<(String, OutputFile)> = names.into_iter().zip(written).collect();
    let mut converted = Converted {
        files,
        predicted,
        observed: Vec::new(),
        errors: None,
        findings: report.findings(),
        read_findings: Vec::new(),
    };
    let can_be_read = converted.files.iter().any(|(_, file)| !file.is_related_file);
    if options.check != Check::None && can_be_read {
        report.progress("reading back", 0.5)?;
        let (after, errors) = check(&prepared, &converted.files, format, options, report)?;
        converted.observed = observed(&before, &after);
        converted.errors = errors;
    }
    report.progress("done", 1.0)?;
    Ok(converted)
}
