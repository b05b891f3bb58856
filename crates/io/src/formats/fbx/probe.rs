//! Recognizes FBX files.

use crate::formats::{Confidence, ProbeInput};

const BINARY_MAGIC: &[u8] = b"Kaydara FBX Binary";
/// Start of the first comment of a text file.
const TEXT_MAGIC: &[u8] = b"; FBX ";
/// The first node of a text file without that comment.
const FIRST_NODE: &[u8] = b"FBXHeaderExtension:";

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(BINARY_MAGIC) {
        return Confidence::Strong;
    }
    let text = &input.text().bytes;
    let is_known = text.starts_with(TEXT_MAGIC)
        || first_statement(text).is_some_and(|line| line.starts_with(FIRST_NODE));
    if is_known { Confidence::Strong } else { Confidence::No }
}

/// The first line that is neither empty nor a comment.
fn first_statement(text: &[u8]) -> Option<&[u8]> {
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_recognized_and_nothing_else() {
        let claim = |bytes: &[u8]| probe(&ProbeInput::of(bytes));
        for own in [
            &b"Kaydara FBX Binary  \0\x1a\0"[..],
            b"; FBX 6.1.0 project file\n",
            b"\xef\xbb\xbf; FBX 7.5.0 project file\n",
            b"; made by hand\r\n\r\nFBXHeaderExtension:  {\r\n",
            b"; made on an old Mac\r\rFBXHeaderExtension:  {\r",
            b"\xff\xfe;\x00 \x00F\x00B\x00X\x00 \x007\x00",
        ] {
            assert_eq!(claim(own), Confidence::Strong);
        }
        for other in [&b""[..], b"Kaydara", b"; ini\n[section]\n", b"; FBXish"] {
            assert_eq!(claim(other), Confidence::No);
        }
    }
}
