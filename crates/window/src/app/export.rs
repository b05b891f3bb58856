//! Exports the open model to another format, on a separate thread.

use rigscope_core::model::{Model, Report};
use rigscope_io::convert::convert_for_path;
use rigscope_io::files::{
    ClaimedPaths, ConversionFiles, Inputs, check_target, outputs_of, save_set,
};
use rigscope_io::formats::by_id;
use rigscope_state::{ExportOutcome, ExportRequest};

/// Converts, verifies by reading back, and saves; an error is a sentence.
///
/// The user has agreed to overwrite the main file, but no other files in its folder.
pub(super) fn export(
    request: &ExportRequest,
    model: &Model,
    inputs: &Inputs,
    report: &Report,
) -> Result<ExportOutcome, String> {
    let format = by_id(request.format).ok_or("unknown format")?;
    let refused = |error: rigscope_io::files::SaveError| error.in_window();
    check_target(&request.path, true, inputs).map_err(refused)?;
    let files = ConversionFiles {
        target: &request.path,
        input: &request.path,
        with: &request.sources,
        inputs: inputs.clone(),
        force: false,
        claims: ClaimedPaths::default(),
        read_findings: &request.read_findings,
    };
    let converted = convert_for_path(model, format, &request.options, files, report)
        .map_err(|error| error.to_string())?;
    let outputs = outputs_of(&converted.files, &request.path, true, false);
    let is_written = save_set(&outputs, inputs).map_err(refused)?;
    let written = outputs.iter().zip(is_written).rev();
    Ok(ExportOutcome {
        files: (written.filter(|(_, is_written)| *is_written))
            .map(|(output, _)| (output.path.clone(), output.bytes.len() as u64))
            .collect(),
        unforeseen: converted.unforeseen(),
        dropped: (converted.dropped().into_iter().map(|finding| finding.message.clone()))
            .chain(converted.lost_precision().iter().map(ToString::to_string))
            .collect(),
        added: converted.added().map(|finding| finding.message.clone()).collect(),
        findings: converted.remarks().map(|finding| finding.message.clone()).collect(),
        errors: converted.errors.map(|errors| errors.to_string()).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use rigscope_io::convert::ConvertOptions;
    use rigscope_io::formats::{ReadOptions, Source, open};
    use rigscope_state::JobId;

    fn request(path: PathBuf) -> ExportRequest {
        ExportRequest {
            id: JobId::default(),
            path,
            sources: Vec::new(),
            read_findings: Vec::new(),
            format: "bsm2",
            options: ConvertOptions::default(),
        }
    }

    #[test]
    fn the_sample_is_exported_completely_and_never_overwrites_itself() {
        let bytes = rigscope_assets::SAMPLE.to_vec();
        let source = Source::new("sample.bsm2", bytes.clone());
        let report = Report::new();
        let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bsm2");
        let outcome = export(&request(path.clone()), &model, &Inputs::none(), &report).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert_eq!(outcome.files, [(path.clone(), bytes.len() as u64)]);
        assert!(outcome.errors.contains("positions exact"), "{}", outcome.errors);
        assert!(outcome.unforeseen.is_empty());

        let other = folder.path().join("taken");
        std::fs::write(&other, "kept").unwrap();
        let taken = rigscope_io::files::check_target(&other, false, &Inputs::none()).unwrap_err();
        assert!(taken.to_string().contains("--force"));
        let text = taken.in_window();
        assert!(text.contains("choose another") && !text.contains("--force"), "{text}");

        let inputs = Inputs::of([&path]);
        let error = export(&request(path), &model, &inputs, &report).unwrap_err();
        assert!(error.contains("never overwritten"), "{error}");
    }
}
