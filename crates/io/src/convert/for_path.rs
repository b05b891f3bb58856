//! A conversion for an output path, which determines names and images. Nothing is written.

use super::{ConvertError, ConvertOptions, Converted, TextureMode, convert};
use crate::files::{ConversionFiles, image_places};
use crate::formats::Format;
use rigscope_core::model::{Model, Report};

/// Converts `model` to files of `format` for `files.target`: the main file is named after it, and images get
/// names that don't conflict with existing files.
///
/// # Errors
/// If the format can't store the model, or an option doesn't apply to it.
pub fn convert_for_path(
    model: &Model,
    format: &Format,
    options: &ConvertOptions,
    files: ConversionFiles<'_>,
    report: &Report,
) -> Result<Converted, ConvertError> {
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let extension = text(files.target.extension());
    let mut options = options.clone();
    options.write.stem = text(files.target.file_stem());
    let is_referenced = options.textures == TextureMode::Reference;
    let read_findings = files.read_findings.to_vec();
    options.write.images = image_places(model, is_referenced, files);
    let converted = convert(model, format, &extension, &options, report)?;
    Ok(Converted { read_findings, ..converted })
}
