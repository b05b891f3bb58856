//! Models from the output of a program that reads a format.

use crate::files::external::ReaderOutput;
use crate::formats::{FailureCause, Opened, ReadError};
use rigscope_core::model::{Detail, FindingKind, Place, Report};

/// Adds the warnings of the program and its name; an error says whose output is faulty.
pub(super) fn finish(
    opened: Result<Opened, ReadError>,
    reader: &ReaderOutput,
    report: &Report,
) -> Result<Opened, ReadError> {
    for warning in &reader.warnings {
        report.add(FindingKind::ReaderWarning, Place::File, warning);
    }
    let name = &reader.reader;
    let mut opened = opened.map_err(|error| in_output(error, name))?;
    opened.model.details.push(("reader", Detail::Text(name.clone())));
    Ok(opened)
}

fn in_output(error: ReadError, reader: &str) -> ReadError {
    let (make, mut failure): (fn(_) -> ReadError, _) = match error {
        ReadError::Malformed(failure) => (ReadError::Malformed, failure),
        ReadError::Unsupported(failure) => (ReadError::Unsupported, failure),
        ReadError::Limit(failure) => (ReadError::Limit, failure),
        other => return other,
    };
    failure.what = format!("output of the reader {reader}: {}", failure.what);
    // The reader is wrong, not the file: exporting it again wouldn't help.
    failure.cause = FailureCause::Unknown;
    make(failure)
}
