//! Reads written files back and counts their contents.

use std::sync::Arc;

use super::deviation::{ConversionDeviation, deviation};
use super::prepare::Prepared;
use super::{Check, ConvertError, ConvertOptions, beside};
use crate::formats::losses::Counts;
use crate::formats::{Format, OutputFile, ReadError, ReadOptions, RelatedFile, Source, open};
use rigscope_core::model::{Model, Report};

/// Opens each of `files` that is a model, together with its related files.
///
/// `fps` is for formats that store no frame rate.
///
/// # Errors
/// If a file can't be read.
pub fn read_back(
    files: &[(String, OutputFile)],
    format: &Format,
    fps: f64,
    report: &Report,
) -> Result<Vec<Model>, ConvertError> {
    let there = beside::folder(files);
    let written = (files.iter()).filter(|(name, file)| !beside::is_beside(name, file));
    let shared: Vec<(RelatedFile, bool)> = written
        .map(|(name, file)| {
            let related_file = RelatedFile::new(name.clone(), file.bytes.clone());
            (related_file, file.is_related_file)
        })
        .collect();
    let along = shared.iter().filter(|(_, is_related_file)| *is_related_file);
    let along: Vec<RelatedFile> = along.map(|(related_file, _)| related_file.clone()).collect();
    let options = ReadOptions {
        format: Some(format.info.id.to_owned()),
        fps: Some(fps),
        images: true,
        ..ReadOptions::default()
    };
    let alone = shared.iter().filter(|(_, is_related_file)| !is_related_file);
    let read = |(main, _): &(RelatedFile, bool)| {
        let source = Source::new(main.name.clone(), Arc::clone(&main.bytes))
            .with_related_files(along.clone())
            .with_folders(vec![Arc::clone(&there)]);
        let opened = open(&source, &options, &report.quiet());
        opened.map(|opened| opened.model).map_err(|error| match error {
            ReadError::Cancelled => ConvertError::Cancelled,
            source => ConvertError::ReadBack { file: main.name.clone(), source },
        })
    };
    alone.map(read).collect()
}

/// Counts of the files read back, and their deviations from the prepared model.
pub(super) fn check(
    prepared: &Prepared,
    files: &[(String, OutputFile)],
    format: &Format,
    options: &ConvertOptions,
    report: &Report,
) -> Result<(Counts, Option<ConversionDeviation>), ConvertError> {
    let fps = format.written_fps(&prepared.model, options.rate);
    let models = read_back(files, format, fps, report)?;
    let counts = models.iter().map(Counts::of_model);
    let counts = counts.reduce(|known, own| known.joined(&own));
    let counts = counts.unwrap_or_else(|| Counts::of_model(&Model::default()));
    let errors = match options.check {
        Check::Full => Some(deviation(prepared, files, &models, report)?),
        _ => None,
    };
    Ok((counts, errors))
}
