//! Decodes the bytes of a row: the record, and each field that begins in the row, with its value.

use std::ops::Range;

use super::detail::name;
use super::style::ROW_BYTES;
use rigscope_core::model::{Hit, decode};
use rigscope_io::formats::Content;
use rigscope_state::FileBytes;

/// Maximum number of bytes decoded per value: more wouldn't fit, and a text may be as long as the file.
const MAX_BYTES: u64 = 96;

/// A field, or a sequence of records with one value each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DecodedField {
    /// The record, if it differs from the previous field's.
    pub(super) record: Option<String>,
    /// The field, if the record has more than one.
    pub(super) field: Option<&'static str>,
    /// The decoded value.
    pub(super) value: String,
    /// Its range in the file.
    pub(super) bytes: Range<u64>,
}

/// The fields of row `row`. A field that began in an earlier row is only included if there is no other.
pub(super) fn fields(file: &FileBytes<'_>, row: u64) -> Vec<DecodedField> {
    let start = row * ROW_BYTES;
    let end = (start + ROW_BYTES).min(file.content.len());
    let mut fields: Vec<DecodedField> = Vec::new();
    let mut last: Option<Hit<'_>> = None;
    let mut at = start;
    while at < end {
        let Some(hit) = file.provenance.at(at) else {
            at += 1;
            continue;
        };
        let reached = hit.field_bytes.end.max(at + 1);
        // A field is shown in the row where it begins.
        if hit.field_bytes.start < start && reached < end {
            at = reached;
            continue;
        }
        let is_same = |last: &Hit<'_>| std::ptr::eq(last.span, hit.span);
        let is_run = last.as_ref().is_some_and(is_same) && hit.span.fields.len() <= 1;
        match fields.last_mut() {
            Some(piece) if is_run => {
                piece.bytes.end = hit.field_bytes.end;
                if let Some(more) = value(&hit, file.content) {
                    piece.value = format!("{}, {more}", piece.value);
                }
            }
            _ => fields.push(piece(file, &hit, last.as_ref(), start)),
        }
        at = reached;
        last = Some(hit);
    }
    fields
}

fn piece(file: &FileBytes<'_>, hit: &Hit<'_>, last: Option<&Hit<'_>>, start: u64) -> DecodedField {
    let is_same = |last: &Hit<'_>| std::ptr::eq(last.span, hit.span) && last.record == hit.record;
    let has_begun = hit.field_bytes.start < start;
    DecodedField {
        record: (!last.is_some_and(is_same)).then(|| name(hit)),
        field: hit.field.map(|field| field.name).filter(|_| hit.span.fields.len() > 1),
        value: if has_begun { "…".into() } else { value(hit, file.content).unwrap_or_default() },
        bytes: hit.field_bytes.clone(),
    }
}

/// The field's value, or the beginning of it.
fn value(hit: &Hit<'_>, content: &Content) -> Option<String> {
    let field = hit.field?;
    let Range { start, end } = hit.field_bytes;
    let cut = end.min(start + MAX_BYTES);
    let part = content.part(start..cut).ok()?;
    let more = if cut < end { " …" } else { "" };
    Some(format!("{}{more}", decode(field, &part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::{Element, Field, Provenance, Scalar, Span};

    const FIELDS: &[Field] = &[
        Field::new("place", 0, Scalar::F32.times(3)),
        Field::new("bones", 12, Scalar::U8.times(4)),
        Field::new("shares", 16, Scalar::U8.times(4)),
    ];

    #[test]
    fn a_row_shows_its_records_and_the_fields_that_begin_in_it() {
        let mut bytes = vec![0u8; 2];
        for _ in 0..2 {
            bytes.extend([1.0f32, 0.5, -2.0].iter().flat_map(|value| value.to_le_bytes()));
            bytes.extend([1, 2, 3, 4, 255, 0, 0, 0]);
        }
        bytes.extend([5, 0, 6, 0, 7, 0]);
        let vertices = Span::new(Element::Vertex { mesh: 0 }, 2, 20, 2).with_fields(FIELDS);
        const ONE: &[Field] = &[Field::new("index", 0, Scalar::U16.one())];
        let indices = Span::new(Element::Index { mesh: 0 }, 42, 2, 3).with_fields(ONE);
        let provenance = Provenance::from_spans(vec![vertices, indices]);
        let content = Content::from(bytes);
        let file =
            FileBytes { name: "file", content: &content, provenance: &provenance, failure: None };
        let said = |row| {
            let texts = fields(&file, row).into_iter().map(|piece| {
                let record = piece.record.map_or(String::new(), |record| record + ": ");
                format!("{record}{} {}", piece.field.unwrap_or_default(), piece.value)
            });
            texts.collect::<Vec<_>>()
        };
        let vertex = name(&provenance.at(2).unwrap());
        let next = name(&provenance.at(22).unwrap());
        let index = name(&provenance.at(42).unwrap());
        assert_eq!(
            said(0),
            [format!("{vertex}: place 1 0.5 -2"), " bones 1 2 3 4".trim_start().into()]
        );
        assert_eq!(
            said(1),
            [format!("{vertex}: shares 255 0 0 0"), format!("{next}: place 1 0.5 -2")]
        );
        assert_eq!(said(2)[2], format!("{index}:  5, 6, 7"));
        assert_eq!(fields(&file, 2)[2].bytes, 42..48);
    }

    #[test]
    fn a_row_inside_a_long_value_shows_that_value() {
        let content = Content::from(vec![b'a'; 64]);
        let text = Span::new(Element::Json, 4, 60, 1);
        let provenance = Provenance::from_spans(vec![text]);
        let file =
            FileBytes { name: "file", content: &content, provenance: &provenance, failure: None };
        let inside = fields(&file, 2);
        assert_eq!(inside.len(), 1);
        assert_eq!((inside[0].value.as_str(), &inside[0].bytes), ("…", &(4..64)));
    }
}
