//! Recognizes layers and packages by their first bytes.

use crate::formats::{Confidence, ProbeInput};

/// The first bytes of a binary layer.
pub(super) const BINARY: &[u8] = b"PXR-USDC";
/// The first bytes of a text layer.
pub(super) const TEXT: &[u8] = b"#usda";
/// The first bytes of an archive.
pub(super) const ARCHIVE: &[u8] = b"PK\x03\x04";
/// Where the name of an archive's first file begins.
const NAME: usize = 30;

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let head = input.head;
    if head.starts_with(BINARY) || head.starts_with(TEXT) || is_package(head) {
        Confidence::Strong
    } else {
        Confidence::No
    }
}

/// Whether an archive begins with a layer, as the specification of packages requires.
fn is_package(head: &[u8]) -> bool {
    let length =
        head.get(26..28).and_then(|bytes| Some(u16::from_le_bytes(bytes.try_into().ok()?)));
    let name = length.and_then(|length| head.get(NAME..NAME + usize::from(length)));
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let is_layer = |extension: &[u8]| name.ends_with(extension);
    head.starts_with(ARCHIVE) && [&b".usda"[..], b".usdc", b".usd"].into_iter().any(is_layer)
}
