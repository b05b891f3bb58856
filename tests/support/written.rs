//! Models written in a format and read back.

use std::path::Path;

use rigscope_core::model::{Model, Report};
use rigscope_io::convert::{ConvertOptions, Converted, convert};
use rigscope_io::formats::loss_list::Loss;
use rigscope_io::formats::{
    OutputFile, ReadOptions, RelatedFile, Source, WriteOptions, by_id, open,
};

/// Writes `model` as `a.<extension>` with its related files, reads it back and compares it.
pub fn converted(model: &Model, format: &str, part: Option<&str>) -> Converted {
    let format = by_id(format).unwrap();
    let options = ConvertOptions {
        write: WriteOptions {
            stem: "a".into(),
            part: part.map(str::to_owned),
            ..WriteOptions::default()
        },
        ..ConvertOptions::default()
    };
    let extension = format.info.extensions[0];
    convert(model, format, extension, &options, &Report::new()).unwrap()
}

/// Reads the first of `files` with the others along.
pub fn reopened(files: &[(String, OutputFile)], options: &ReadOptions) -> Model {
    let mut all =
        files.iter().map(|(name, file)| RelatedFile::new(name.clone(), file.bytes.clone()));
    let main = all.next().unwrap();
    let source = Source::new(main.name, main.bytes).with_related_files(all.collect());
    open(&source, options, &Report::new()).unwrap().model
}

/// The aspects that are lost, as predicted and as observed, where these differ.
pub fn disagreement(converted: &Converted) -> Option<String> {
    let codes = |losses: &[Loss]| -> Vec<&str> {
        losses.iter().map(|loss| loss.aspect.info().code).collect()
    };
    let (predicted, observed) = (codes(&converted.predicted), codes(&converted.observed));
    (predicted != observed).then(|| format!("predicted {predicted:?}, observed {observed:?}"))
}

/// The end of a path, for messages.
pub fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).collect();
    parts.into_iter().rev().map(|p| p.to_string_lossy()).collect::<Vec<_>>().join("/")
}
