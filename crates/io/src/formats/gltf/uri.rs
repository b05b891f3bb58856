//! URIs of buffers and images: `data:` URIs with inline bytes, or paths of files.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Accepts base64 with and without padding; some exporters leave it out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Whether the URI contains the data itself.
pub(super) fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The bytes of a `data:` URI (RFC 2397), or a description of the error.
pub(super) fn decode_data(uri: &str) -> Result<Vec<u8>, String> {
    let (head, payload) = uri.split_once(',').ok_or("a data URI has no comma")?;
    let is_base64 = head.to_ascii_lowercase().ends_with(";base64");
    let is_escaped = payload.contains('%');
    let bytes = if is_escaped {
        percent_encoding::percent_decode_str(payload).collect()
    } else {
        payload.as_bytes().to_vec()
    };
    if !is_base64 {
        return Ok(bytes);
    }
    let is_broken = bytes.iter().any(u8::is_ascii_whitespace);
    let bytes = if is_broken {
        bytes.into_iter().filter(|b| !b.is_ascii_whitespace()).collect()
    } else {
        bytes
    };
    BASE64
        .decode(bytes)
        .map_err(|error| format!("a data URI isn't valid base64: {error}").to_lowercase())
}

/// A `data:` URI with these bytes, and the type of another one.
pub(super) fn encode_data_like(other: &str, bytes: &[u8]) -> String {
    let (head, _) = other.split_once(',').unwrap_or_default();
    let is_base64 = head.to_ascii_lowercase().ends_with(";base64");
    let head = if is_base64 { head } else { "data:application/octet-stream;base64" };
    format!("{head},{}", BASE64.encode(bytes))
}

/// The path that a file URI encodes.
pub(super) fn decode_path(uri: &str) -> String {
    percent_encoding::percent_decode_str(uri).decode_utf8_lossy().into_owned()
}

/// Characters that stay unescaped in the path of a relative URI (RFC 3986, sections 2.3 and 4.2).
const PATH: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// The URI of a file at `path`.
pub(super) fn encode_path(path: &str) -> String {
    percent_encoding::utf8_percent_encode(path, &PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_are_base64_or_escaped_text() {
        assert!(is_data("DATA:,x") && !is_data("dat") && !is_data("dat\u{e9}:"));
        let decoded = |uri| decode_data(uri).unwrap();
        assert_eq!(decoded("data:a/b;base64,AAEC/w=="), [0, 1, 2, 255]);
        assert_eq!(decoded("data:;base64,AAEC/w"), [0, 1, 2, 255]);
        assert_eq!(decoded("data:;base64,AA EC\n%2Fw"), [0, 1, 2, 255]);
        assert_eq!(decoded("data:,a%20b"), *b"a b");
        assert!(decode_data("data:;base64").is_err());
        assert!(decode_data("data:;base64,A").is_err());
        assert!(decode_data("data:;base64,\u{e9}").is_err());
    }

    #[test]
    fn every_path_survives_escaping() {
        for path in ["a b/c.png", "C:\\x\\y#1?.png", "100%25.png", "\u{e9}/../\u{1f600}"] {
            let uri = encode_path(path);
            assert!(uri.is_ascii() && !is_data(&uri));
            assert_eq!(decode_path(&uri), path);
        }
        assert_eq!(encode_path("a b/c-1.png"), "a%20b/c-1.png");
    }

    #[test]
    fn paths_are_unescaped() {
        assert_eq!(decode_path("my%20skin%C3%A9.png"), "my skin\u{e9}.png");
        assert_eq!(decode_path("100%.png"), "100%.png");
    }
}
