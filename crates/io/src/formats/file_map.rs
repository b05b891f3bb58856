//! The meaning of every byte of a file, also for a file that can't be read to its end.
//!
//! For: hex views. A reader reports its spans as it goes, so that after a failure the spans read before are
//! available, together with the bytes of the failed field and the reason.
//! Not for: opening files for display; [`super::open`] returns the same spans with the model.

use std::ops::Range;

use super::{ReadError, ReadOptions, Source, open, text};
use rigscope_core::model::{Place, Provenance, Report};

/// The byte map of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileMap {
    /// Spans read before reading stopped.
    pub provenance: Provenance,
    /// Why reading stopped; `None` if it reached the end.
    pub failure: Option<FailureMark>,
}

/// The field that made reading fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureMark {
    /// Its bytes, clamped to the file; empty at the end of the file if the whole field is missing. `None` if
    /// unknown: the problem isn't in one place, or not in this file.
    pub bytes: Option<Range<u64>>,
    /// The field in the format's terms; empty if the failure isn't in a field.
    pub field: &'static str,
    /// The error message, with format, place and field.
    pub message: String,
}

/// Reads a file only for its byte map.
#[must_use]
pub fn map(source: &Source, options: &ReadOptions, report: &Report) -> FileMap {
    match open(source, options, report) {
        Ok(opened) => FileMap { provenance: opened.model.provenance, failure: None },
        Err(error) => {
            let bytes = source.whole().unwrap_or_default();
            FileMap::of_failure(&error, &bytes, report)
        }
    }
}

impl FileMap {
    /// The map of a file that [`open`] refused with `error`. Takes the spans out of `report`.
    pub fn of_failure(error: &ReadError, file: &[u8], report: &Report) -> Self {
        let provenance = report.take_provenance();
        let bytes = error.failure().and_then(|failure| {
            let known = failure.bytes.clone();
            known.or_else(|| bytes_of(failure.place, file, &provenance))
        });
        let end = file.len() as u64;
        let inside = |bytes: Range<u64>| bytes.start.min(end)..bytes.end.min(end);
        Self {
            failure: Some(FailureMark {
                bytes: bytes.map(inside),
                field: error.failure().map_or("", |failure| failure.field),
                message: error.to_string(),
            }),
            provenance,
        }
    }
}

/// The bytes at a place of a file.
fn bytes_of(place: Place, file: &[u8], provenance: &Provenance) -> Option<Range<u64>> {
    match place {
        Place::Offset(at) => {
            let hit = provenance.at(at);
            let field = hit.map(|hit| hit.field_bytes).filter(|f| f.start == at);
            Some(field.unwrap_or(at..at.saturating_add(1)))
        }
        Place::Line { line, column } => text::line_bytes(file, line, column),
        other => provenance.of_place(other).into_iter().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ReadOptions;
    use rigscope_core::model::Element;

    #[test]
    fn a_truncated_file_has_spans_and_a_failure() {
        let mut bytes = rigscope_assets::SAMPLE.to_vec();
        bytes.truncate(1000);
        let source = Source::new("a.bsm2", bytes);
        let options = ReadOptions { format: Some("bsm2".into()), ..ReadOptions::default() };
        let map = map(&source, &options, &Report::new());
        let elements: Vec<_> = map.provenance.spans.iter().map(|s| s.element).collect();
        assert_eq!(elements, [Element::Header]);
        let failure = map.failure.unwrap();
        assert_eq!(failure.bytes, Some(24..1000));
        assert_eq!(failure.field, "number of vertices");
        assert!(failure.message.starts_with("truncated BSM2 file: "), "{failure:?}");
    }

    #[test]
    fn failures_have_byte_ranges_in_binary_and_text_files() {
        let binary =
            [&b"Kaydara FBX Binary  \0\x1a\0"[..], &[0xe8, 0x1c, 0, 0, 1, 0, 0, 0], &[0; 9]];
        let text = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7\u{1}4\n}\n";
        for (bytes, known) in [(binary.concat(), 27..28), (text.as_bytes().to_vec(), 62..64)] {
            let map = map(&Source::new("a.fbx", bytes), &ReadOptions::default(), &Report::new());
            let failure = map.failure.unwrap();
            assert_eq!(failure.bytes, Some(known), "{failure:?}");
        }
    }

    #[test]
    fn an_unknown_format_has_a_failure_without_spans_or_range() {
        let source = Source::new("a", b"?".to_vec());
        let map = map(&source, &ReadOptions::default(), &Report::new());
        let failure = map.failure.unwrap();
        assert_eq!((failure.bytes, failure.field), (None, ""));
        assert!(map.provenance.spans.is_empty());
    }
}
