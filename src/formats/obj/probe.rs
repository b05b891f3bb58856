//! Telling OBJ from other text: it has no signature, but few words.

use crate::formats::{Confidence, ProbeInput};

/// This many statements are looked at.
const MAX_STATEMENTS: usize = 64;
/// Words before numbers, and how many there must be.
const NUMERIC: [(&[u8], usize); 4] = [(b"v", 3), (b"vt", 1), (b"vn", 3), (b"vp", 1)];
/// Words before references to vertices.
const REFERRING: [&[u8]; 3] = [b"f", b"l", b"p"];
/// Words before names, numbers or nothing.
const NAMING: [&[u8]; 6] = [b"o", b"g", b"s", b"mtllib", b"usemtl", b"mg"];

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let is_whole = input.head.len() as u64 == input.len;
    let text = input.head.strip_prefix(b"\xef\xbb\xbf");
    let mut lines: Vec<&[u8]> = text.unwrap_or(input.head).split(|&b| b == b'\n').collect();
    if !is_whole {
        // Cut anywhere.
        lines.pop();
    }
    let mut statements = lines
        .into_iter()
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
        .take(MAX_STATEMENTS)
        .peekable();
    let mut has_geometry = false;
    if statements.peek().is_none() {
        return Confidence::No;
    }
    for line in statements {
        match statement(line) {
            Some(is_geometry) => has_geometry |= is_geometry,
            None => return Confidence::No,
        }
    }
    match has_geometry {
        true => Confidence::Strong,
        false => Confidence::Weak(64),
    }
}

/// Whether a line is one of OBJ's statements, and then whether it is geometry.
fn statement(line: &[u8]) -> Option<bool> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    let is_number = |word: &[u8]| {
        let text = std::str::from_utf8(word).ok();
        text.is_some_and(|text| text.parse::<f64>().is_ok())
    };
    if let Some(&(_, least)) = NUMERIC.iter().find(|(word, _)| *word == first) {
        let mut num = 0;
        let is_numeric = words.inspect(|_| num += 1).all(is_number);
        return (is_numeric && num >= least).then_some(true);
    }
    if REFERRING.contains(&first) {
        let digits = |word: &[u8]| {
            word.iter()
                .all(|&b| b.is_ascii_digit() || b == b'/' || b == b'-')
        };
        let mut words = words.peekable();
        return (words.peek().is_some() && words.all(digits)).then_some(true);
    }
    NAMING.contains(&first).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> Confidence {
        probe(&ProbeInput::of(text.as_bytes()))
    }

    #[test]
    fn geometry_after_comments_and_names_is_claimed() {
        assert_eq!(claim("# Blender\no Cube\nv 1 2 3\n"), Confidence::Strong);
        assert_eq!(
            claim("v 1 2 3 1 0.5 0.5 0.5\r\nf 1//1 2//1 -1//1\r\n"),
            Confidence::Strong
        );
        assert_eq!(claim("mtllib a b.mtl\ng\ns off\n"), Confidence::Weak(64));
    }

    #[test]
    fn other_words_and_comments_alone_are_not() {
        for text in [
            "",
            "# nothing\n",
            "newmtl skin\nKd 1 1 1\n",
            "v one two three\n",
            "f\n",
        ] {
            assert_eq!(claim(text), Confidence::No, "{text:?}");
        }
    }

    #[test]
    fn a_window_may_end_inside_a_line() {
        let text = "v 1.5 2.5 3.5\n".repeat(5000);
        assert_eq!(claim(&text), Confidence::Strong);
    }
}
