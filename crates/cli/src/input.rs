//! Opens input files for commands, with the duration of each step and with errors that name the file.

use std::path::Path;

use super::exit::at_path;
use super::found_files;
use super::info_text::finding_text;
use super::output::Output;
use super::timings;
use rigscope_core::model::{Finding, Report, Severity};
use rigscope_core::summary::FindingEntry;
use rigscope_io::OpenOptions;
use rigscope_io::files::{ExternalReaders, Pipes};
use rigscope_io::open::{Document, OpenError, Opener};

/// Reads the related files that the arguments name. Files of further formats are read by the programs of the user.
pub(super) fn opener(options: &OpenOptions) -> anyhow::Result<Opener> {
    opener_without_programs(&OpenOptions { readers: readers()?, ..options.clone() })
}

/// The same, for files that the user hasn't named.
pub(super) fn opener_without_programs(options: &OpenOptions) -> anyhow::Result<Opener> {
    Opener::new(options, Pipes::Allowed, &Report::new())
        .map(Opener::with_stdin)
        .map_err(|(path, error)| at_path(error, &path))
}

/// The programs in the settings of the user.
pub(super) fn readers() -> anyhow::Result<ExternalReaders> {
    ExternalReaders::of_user().map_err(anyhow::Error::msg)
}

/// Reads and checks one file. The findings are in the document, or in `report` after an error.
pub(super) fn open(opener: &Opener, path: &Path, report: &Report) -> Result<Document, OpenError> {
    let _work = timings::begin("reading");
    opener.open(path, report)
}

/// Reads one file, and prints which files of its folder are used, and warnings and errors about the content, to stderr.
pub(super) fn open_and_report(
    opener: &Opener,
    path: &Path,
    output: &Output,
) -> anyhow::Result<Document> {
    let document = open(opener, path, &timings::report()).map_err(|error| at_path(error, path))?;
    report_document(&document, path, output);
    Ok(document)
}

/// Prints which files of the folder are used, and warnings and errors about the content, to stderr.
pub(super) fn report_document(document: &Document, path: &Path, output: &Output) {
    found_files::announce(&document.related_files, path, output);
    print_findings(&document.findings, path, output);
}

/// Prints the warnings and errors among the `findings` about the file at `path` to stderr.
pub(super) fn print_findings(findings: &[Finding], path: &Path, output: &Output) {
    for finding in findings {
        if finding.severity() > Severity::Info {
            let text = finding_text(&FindingEntry::from(finding));
            output.report_at(finding.severity(), path, &text);
        }
    }
}
