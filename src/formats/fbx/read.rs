//! Reading: all of it is the library's and `ufbx_scene`'s work. The library tells no places, so that
//! of the bytes only the header of a binary file is known.

use super::ID;
use crate::formats::ufbx_scene::{Kind, convert, load};
use crate::formats::{ReadError, ReadOptions, Source};
use crate::model::{Element, Field, Model, Report, Span};

/// What a binary file begins with.
const HEADER_MAGIC: &[u8] = b"Kaydara FBX Binary";
/// Bytes before the first node of a binary file.
const HEADER_BYTES: usize = 27;
const HEADER_FIELDS: &[Field] = &[
    Field::new("magic", 0, 23, "char[23]"),
    Field::new("version", 23, 4, "u32"),
];

/// Reads a whole file.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    if source.bytes.starts_with(HEADER_MAGIC) && source.bytes.len() >= HEADER_BYTES {
        report.span(Span::new(Element::Header, 0, HEADER_BYTES, 1).with_fields(HEADER_FIELDS));
    }
    let scene = load(ID, &source.bytes, Kind::Fbx, options, report)?;
    let mut model = convert(ID, scene, options, report)?.model;
    model.provenance = report.take_provenance();
    Ok(model)
}
