//! An open file: its model, and the files that it was read from.

use std::path::{Path, PathBuf};

use crate::files::{ClaimedPaths, ConversionFiles, Inputs};
use crate::formats::FormatInfo;
use rigscope_core::model::{Finding, Model, RelatedFileUse, Report, check};
use rigscope_core::summary::{FileRead, Info, info_of};

/// A model and its origin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The checked contents of the file: indices in range, numbers finite, no cycles.
    pub model: Model,
    /// The format of the file; none for [`Document::of_model`].
    pub format: Option<&'static FormatInfo>,
    /// Length of the file in bytes; 0 for [`Document::of_model`].
    pub num_bytes: u64,
    /// Findings of the reader, worst first.
    pub findings: Vec<Finding>,
    /// The related files, used or not.
    pub related_files: Vec<RelatedFileUse>,
    pub(super) path: PathBuf,
    pub(super) with: Vec<PathBuf>,
    /// Files that were read, which must not be overwritten.
    pub(super) inputs: Inputs,
}

impl Document {
    /// A document of a model that a program made. The model is checked as if it came from a file: values
    /// out of range or not finite are fixed and reported as findings.
    pub fn of_model(mut model: Model) -> Self {
        let report = Report::new();
        check::check(&mut model, &report);
        Self {
            model,
            format: None,
            num_bytes: 0,
            findings: report.findings(),
            related_files: Vec::new(),
            path: PathBuf::new(),
            with: Vec::new(),
            inputs: Inputs::none(),
        }
    }

    /// The findings of the reader, then those of the rules.
    #[must_use]
    pub fn findings(&self, of_rules: &Report) -> Vec<Finding> {
        [self.findings.clone(), of_rules.findings()].concat()
    }
}

/// A summary of the file, under the given `name`.
pub fn info(document: &Document, name: &str) -> Info {
    let file = FileRead {
        model: &document.model,
        format: format_id(document),
        num_bytes: document.num_bytes,
        related_files: &document.related_files,
        findings: &document.findings,
    };
    info_of(name, &file)
}

/// Id of the format; empty for [`Document::of_model`].
pub fn format_id(document: &Document) -> &'static str {
    document.format.map_or("", |format| format.id)
}

/// Files that were read, by all users of the same [`Opener`](super::Opener).
pub fn inputs(document: &Document) -> &Inputs {
    &document.inputs
}

/// The path that the file was read from; none for [`Document::of_model`] and files in memory.
pub fn path(document: &Document) -> Option<&Path> {
    Some(&*document.path).filter(|path| document.inputs.holds(path))
}

/// Adds the files that another document was read from to those that must not be overwritten.
pub fn add_inputs(document: &mut Document, of: &Document) {
    let all = Inputs::none();
    all.add_all(&document.inputs);
    all.add_all(&of.inputs);
    document.inputs = all;
}

/// The files of a conversion to `target`.
pub fn conversion_files<'a>(
    document: &'a Document,
    target: &'a Path,
    force: bool,
    claims: ClaimedPaths,
) -> ConversionFiles<'a> {
    let Document { path: input, with, inputs, findings: read_findings, .. } = document;
    ConversionFiles { target, input, with, inputs: inputs.clone(), force, claims, read_findings }
}
