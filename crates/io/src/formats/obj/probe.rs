//! Distinguishes OBJ from other text: it has no signature, but few keywords.

use super::statements::{Statement, Statements};
use crate::formats::text::is_not_finite;
use crate::formats::{Confidence, ProbeInput};

/// Number of statements checked.
const MAX_STATEMENTS: usize = 64;
/// Keywords followed by numbers, with the minimum count.
const NUMERIC: [(&[u8], usize); 4] = [(b"v", 3), (b"vt", 1), (b"vn", 3), (b"vp", 1)];
/// Keywords followed by references to vertices.
const REFERRING: [&[u8]; 3] = [b"f", b"l", b"p"];
/// Keywords followed by names, numbers or nothing; those after the sixth are for curves and surfaces and for
/// display.
const NAMING: [&[u8]; 30] = [
    b"o",
    b"g",
    b"s",
    b"mtllib",
    b"usemtl",
    b"mg",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"usemap",
    b"maplib",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
];

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let head = input.text();
    let text: &[u8] = match head.beyond {
        0 => &head.bytes,
        // Text has no zeros: a large file of zeros may begin with a line of text.
        _ if head.bytes.contains(&0) => return Confidence::No,
        // The window may end inside a line.
        _ => {
            let end = head.bytes.iter().rposition(|&byte| byte == b'\n');
            head.bytes.get(..end.unwrap_or(0)).unwrap_or_default()
        }
    };
    let (mut statements, mut statement) = (Statements::of(text), Statement::default());
    let (mut num, mut has_geometry) = (0, false);
    while num < MAX_STATEMENTS && statements.next(&mut statement, |_| true) {
        let mut words = statement.words.iter().filter_map(|word| text.get(word.clone()));
        let Some(first) = words.next().filter(|word| !word.starts_with(b"#")) else { continue };
        num += 1;
        match is_geometry(first, words) {
            Some(is_geometry) => has_geometry |= is_geometry,
            None => return Confidence::No,
        }
    }
    match (num, has_geometry) {
        (0, _) => Confidence::No,
        (_, true) => Confidence::Strong,
        (_, false) => Confidence::Weak(64),
    }
}

/// Whether a statement is geometry; `None` if it isn't an OBJ statement.
fn is_geometry<'a>(first: &[u8], words: impl Iterator<Item = &'a [u8]>) -> Option<bool> {
    let is_number = |word: &[u8]| {
        let text = std::str::from_utf8(word).ok();
        text.is_some_and(|text| text.parse::<f64>().is_ok() || is_not_finite(text))
    };
    if let Some(&(_, least)) = NUMERIC.iter().find(|(word, _)| *word == first) {
        let mut num = 0;
        let is_numeric = words.inspect(|_| num += 1).all(is_number);
        return (is_numeric && num >= least).then_some(true);
    }
    if REFERRING.contains(&first) {
        let digits =
            |word: &[u8]| word.iter().all(|&b| b.is_ascii_digit() || b == b'/' || b == b'-');
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
    fn geometry_after_comments_and_names_is_recognized() {
        assert_eq!(claim("# Blender\no Cube\nv 1 2 3\n"), Confidence::Strong);
        assert_eq!(claim("v 1 2 3 1 0.5 0.5 0.5\r\nf 1//1 2//1 -1//1\r\n"), Confidence::Strong);
        assert_eq!(claim("mtllib a b.mtl\ng\ns off\n"), Confidence::Weak(64));
        assert_eq!(claim("v 1 2 \\\n 1.#QNAN # a point\n"), Confidence::Strong);
        assert_eq!(claim("cstype bspline\nv 0 0 0\n"), Confidence::Strong);
    }

    #[test]
    fn other_text_is_not_recognized() {
        for text in ["", "# nothing\n", "newmtl skin\nKd 1 1 1\n", "v one two three\n", "f\n"] {
            assert_eq!(claim(text), Confidence::No, "{text:?}");
        }
    }

    #[test]
    fn the_probe_window_may_end_inside_a_line() {
        let text = "v 1.5 2.5 3.5\n".repeat(5000);
        assert_eq!(claim(&text), Confidence::Strong);
    }

    #[test]
    fn a_line_before_zeros_is_no_model() {
        assert_eq!(claim(&format!("v 0 0 0\n{}", "\0".repeat(100_000))), Confidence::No);
    }
}
