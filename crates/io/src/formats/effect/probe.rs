//! Distinguishes the config of an effect from other JSON by the keys at its beginning.

use crate::formats::{Confidence, ProbeInput};

/// Keys of `assets`; two of them identify an effect.
const KEYS: [&[u8]; 7] =
    [b"attachments", b"faces", b"images", b"materials", b"media", b"meshes", b"morphs"];
/// Confidence with one of them, of 255.
const ONE_KEY: u8 = 60;

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let head = input.text();
    match num_keys(&head.bytes) {
        0 => Confidence::No,
        1 => Confidence::Weak(ONE_KEY),
        _ => Confidence::Strong,
    }
}

/// Number of [`KEYS`] in the top-level object `assets`, in the text available.
fn num_keys(text: &[u8]) -> usize {
    let text = text.trim_ascii_start();
    if !text.starts_with(b"{") {
        return 0;
    }
    let (mut depth, mut is_assets, mut found) = (0usize, false, 0usize);
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            b'"' => {
                let Some((string, after)) = string(rest) else { break };
                rest = after;
                if !rest.trim_ascii_start().starts_with(b":") {
                    continue;
                }
                match depth {
                    1 => is_assets = string == b"assets",
                    2 if is_assets && KEYS.contains(&string) => found += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

/// The bytes up to the closing quote of a string, and the rest.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut is_escaped = false;
    let end = text.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_with_effect_keys_is_recognized() {
        let strong = Confidence::Strong;
        for (text, is) in [
            (r#"{"assets": {"images": {}, "meshes": {}}}"#, strong),
            (
                "\u{feff} {\"a\": [\"assets\", {}], \"assets\":\n{\"faces\" : {}, \"materials\": {\"",
                strong,
            ),
            (r#"{"assets": {"images": {"meshes": 1}}}"#, Confidence::Weak(ONE_KEY)),
            (r#"{"asset": {"version": "2.0"}, "meshes": [], "materials": []}"#, Confidence::No),
            (r#"{"assets": {}, "images": {}, "meshes": {}}"#, Confidence::No),
            (r#"["assets", {"images": {}, "meshes": {}}]"#, Confidence::No),
            (r#"{"as\"sets": {"images": {}, "meshes": {}}}"#, Confidence::No),
            (r#"{"assets"#, Confidence::No),
            ("assets: images, meshes", Confidence::No),
            ("", Confidence::No),
        ] {
            assert_eq!(probe(&ProbeInput::of(text.as_bytes())), is, "{text}");
        }
    }
}
