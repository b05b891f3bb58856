//! Writing the open model in another format, on a thread of its own.

use std::path::{Path, PathBuf};

use crate::cli::{is_same_file, save_all};
use crate::convert::{ConvertError, convert};
use crate::formats::{OutputPlace, by_id};
use crate::model::{Model, Report};
use crate::state::{ExportOutcome, ExportRequest};

/// Converts, reads back, compares and saves; why not, as a sentence.
///
/// The user has agreed to write over the main file, but not over others beside it.
pub(super) fn export(
    request: &ExportRequest,
    model: &Model,
    inputs: &[PathBuf],
    report: &Report,
) -> Result<ExportOutcome, String> {
    let format = by_id(request.format).ok_or("there is no such format")?;
    refuse_input(&request.path, inputs)?;
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let extension = text(request.path.extension());
    let mut options = request.options.clone();
    options.write.stem = text(request.path.file_stem());
    let converted = convert(model, format, &extension, &options, report)
        .map_err(|error: ConvertError| error.to_string())?;
    let folder = request.path.parent().unwrap_or(Path::new(""));
    let mut files: Vec<(PathBuf, &[u8])> = Vec::new();
    for (name, file) in &converted.files {
        let path = match file.place {
            OutputPlace::Main => request.path.clone(),
            _ => folder.join(name),
        };
        refuse_input(&path, inputs)?;
        if file.place != OutputPlace::Main && path.symlink_metadata().is_ok() {
            return Err(format!("{} exists already", path.display()));
        }
        files.push((path, &file.bytes));
    }
    // The main file last: where it is, all that it names is.
    let by = usize::from(files.len() > 1);
    files.rotate_left(by);
    save_all(&files, true).map_err(|error| format!("{error:#}"))?;
    files.rotate_right(by);
    let foreseen = &converted.predicted;
    let is_new = |loss: &&crate::formats::losses::Loss| !foreseen.contains(loss);
    Ok(ExportOutcome {
        files: files
            .iter()
            .map(|(path, bytes)| (path.clone(), bytes.len() as u64))
            .collect(),
        unforeseen: converted.observed.iter().filter(is_new).copied().collect(),
        errors: converted
            .errors
            .map(|errors| errors.to_string())
            .unwrap_or_default(),
        notes: converted
            .notes
            .iter()
            .map(|note| note.message.clone())
            .collect(),
    })
}

fn refuse_input(path: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    match inputs.iter().any(|input| is_same_file(input, path)) {
        true => Err(format!(
            "{} is what is shown, and never written over",
            path.display()
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::ConvertOptions;
    use crate::formats::{ReadOptions, Source, open};

    fn request(path: PathBuf) -> ExportRequest {
        ExportRequest {
            id: 1,
            path,
            format: "bsm2",
            options: ConvertOptions::default(),
        }
    }

    #[test]
    fn the_sample_is_written_whole_and_never_over_itself() {
        let bytes = include_bytes!("../../assets/sample.bsm2").to_vec();
        let source = Source::new("sample.bsm2", bytes.clone());
        let report = Report::new();
        let model = open(&source, &ReadOptions::default(), &report)
            .unwrap()
            .model;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bsm2");
        let outcome = export(&request(path.clone()), &model, &[], &report).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert_eq!(outcome.files, [(path.clone(), bytes.len() as u64)]);
        assert!(
            outcome.errors.contains("positions exact"),
            "{}",
            outcome.errors
        );
        assert!(outcome.unforeseen.is_empty());

        let inputs = [path.clone()];
        let error = export(&request(path), &model, &inputs, &report).unwrap_err();
        assert!(error.contains("never written over"), "{error}");
    }
}
