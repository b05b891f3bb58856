//! How a failure relates to the whole file: the file is damaged, ends too early, or has another format.

use super::{Confidence, Failure, FailureCause, FormatKind, ProbeInput, ReadError, by_id};
use rigscope_core::model::Place;

impl ReadError {
    /// Determines the cause of a failure, unless the reader knows it or the file has another format, in a file with the
    /// beginning and length of `input`.
    #[must_use]
    pub(super) fn with_cause(self, input: ProbeInput<'_>) -> Self {
        match self {
            Self::Malformed(mut failure) => {
                let cause = FailureCause::of(&failure, input);
                let is_known = failure.cause != FailureCause::Unknown;
                if !is_known || matches!(cause, FailureCause::OtherFormat(Some(_))) {
                    failure.cause = cause;
                }
                Self::Malformed(failure)
            }
            other => other,
        }
    }
}

/// Longer than any file, with room for the sums and products of probes.
pub(super) const ANY_LEN: u64 = 1 << 48;

impl FailureCause {
    /// The cause of `failure` in a file with the beginning and length of `input`.
    pub(super) fn of(failure: &Failure, input: ProbeInput<'_>) -> Self {
        // Some formats are only recognized by their length, so a truncated file fails the probe.
        let whole = ProbeInput { len: ANY_LEN, ..input };
        let probe = |input| by_id(failure.format).map(|format| (format.probe)(input));
        let (own, whole) = (probe(&input), probe(&whole));
        let ends_early = failure.bytes.as_ref().is_some_and(|bytes| bytes.end > input.len)
            || matches!(failure.place, Place::Offset(at) if at >= input.len);
        let content = content_name(input.head);
        let is_text_format =
            by_id(failure.format).is_some_and(|format| format.info.kind == FormatKind::Text);
        if whole == Some(Confidence::No) && is_text_format && content == Some("text") {
            // The probe of a text format also rejects files with faults near their beginning.
            Self::Unknown
        } else if whole == Some(Confidence::No) {
            Self::OtherFormat(content)
        } else if own == Some(Confidence::No) || ends_early {
            Self::Truncated
        } else if own == Some(Confidence::Strong) {
            Self::Damaged
        } else {
            Self::Unknown
        }
    }
}

/// First bytes of files that are often renamed or confused with models.
const SIGNATURES: [(&[u8], &str); 12] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"DDS ", "a DDS image"),
    (b"BLENDER", "a Blender file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"%PDF", "a PDF document"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file with `git lfs pull`"),
    (b"<!DOCTYPE html", "a web page"),
    (b"<html", "a web page"),
];

/// The kind of file that begins with `head`.
pub(super) fn content_name(head: &[u8]) -> Option<&'static str> {
    let known = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature));
    let is_text = || {
        let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e | 0x80..);
        !head.is_empty() && head.iter().all(is_plain)
    };
    known.map(|(_, name)| *name).or_else(|| is_text().then_some("text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_files_are_recognized_by_their_first_bytes() {
        assert_eq!(content_name(b"hello\nworld"), Some("text"));
        assert_eq!(content_name(b"\x89PNG\r\n\x1a\n"), Some("a PNG image"));
        assert_eq!(content_name(b"<html>"), Some("a web page"));
        assert_eq!(content_name(b"\0\x01\x02"), None);
        assert_eq!(content_name(b""), None);
    }
}
