//! Reads a file with the ufbx library and `ufbx_scene`. The library doesn't locate errors, so the
//! place of damage is searched for in the records or tokens of the file.

use super::{FbxFault, ID, records, tokens};
use crate::formats::record::fields;
use crate::formats::ufbx_scene::{convert, load};
use crate::formats::{Failure, FailureCause, ReadError, ReadOptions, Source, text};
use rigscope_core::model::{Element, Field, Layout, Model, Report, Scalar, Span};

/// Magic bytes of a binary file.
const HEADER_MAGIC: &[u8] = b"Kaydara FBX Binary";
const HEADER_FIELDS: &[Field] =
    &fields([("magic", Layout::chars(23)), ("version", Scalar::U32.one())]);

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let is_binary = bytes.starts_with(HEADER_MAGIC);
    if is_binary && bytes.len() >= records::HEADER_BYTES {
        let header = Span::new(Element::Header, 0, records::HEADER_BYTES, 1);
        report.span(header.with_fields(HEADER_FIELDS));
    }
    let bytes =
        if is_binary { std::borrow::Cow::Borrowed(bytes.as_slice()) } else { text::plain(&bytes) };
    let scene = load(ID, &bytes, options, report).map_err(|error| {
        let fault =
            || if is_binary { records::first_fault(&bytes) } else { tokens::first_fault(&bytes) };
        placed(error, fault)
    })?;
    let mut model = convert(ID, scene, options, report)?;
    model.provenance = report.take_provenance();
    Ok(model)
}

/// Adds the place of the first fault to an error of the library.
fn placed(error: ReadError, fault: impl FnOnce() -> Option<FbxFault>) -> ReadError {
    let add = |failure: Box<Failure>| -> Box<Failure> {
        let Some(fault) = fault() else { return failure };
        Box::new(Failure {
            what: match failure.cause {
                FailureCause::Truncated => fault.what,
                _ => format!("{}: {}", failure.what, fault.what),
            },
            place: fault.place,
            field: fault.field,
            ..*failure
        })
    };
    match error {
        ReadError::Malformed(failure) => ReadError::Malformed(add(failure)),
        ReadError::Unsupported(failure) => ReadError::Unsupported(add(failure)),
        other => other,
    }
}
