//! Whether a file can be a model at all, from its beginning, before the rest of it is read.
//!
//! Not for: choosing a format (`registry`).

use super::failure_cause::{ANY_LEN, content_name};
use super::registry::candidates_of;
use super::{Confidence, Format, FormatKind, ProbeInput};

/// Whether a reader would get further than the beginning of a file with that extension: a format recognizes the
/// content, or the one with the extension might, if the file is truncated or is text with a fault.
#[must_use]
pub fn may_be_model(input: &ProbeInput<'_>, extension: &str) -> bool {
    candidates_of(input, extension).iter().any(|candidate| {
        candidate.confidence > Confidence::No || may_be_faulty(candidate.format, input)
    })
}

/// Whether a format recognizes the beginning of a stream, whose length is unknown.
#[must_use]
pub fn may_begin_model(head: &[u8]) -> bool {
    let input = ProbeInput { head, len: ANY_LEN };
    candidates_of(&input, "").iter().any(|candidate| candidate.confidence > Confidence::No)
}

/// Whether a file that the probe of `format` rejects may still be a truncated or faulty one of that format.
fn may_be_faulty(format: &Format, input: &ProbeInput<'_>) -> bool {
    // Some formats are only recognized by their length. The probe of a text format also rejects files with faults near
    // their beginning, and the probe of glTF, which is binary or JSON, those whose first part is very long.
    let is_json = || input.head.trim_ascii_start().starts_with(b"{");
    (format.probe)(&ProbeInput { len: ANY_LEN, ..*input }) > Confidence::No
        || (content_name(input.head) == Some("text")
            && (format.info.kind == FormatKind::Text || is_json()))
}
