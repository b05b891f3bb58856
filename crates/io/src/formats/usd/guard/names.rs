//! Names and paths that the library doesn't validate: a path whose parent is itself makes it recurse without end.
//!
//! Source: OpenUSD, `pathParser.h`: variant selections are `{set=selection}`.

/// The deepest path; the library recurses over the ancestors of a path.
pub(super) const MAX_DEPTH: usize = 512;

/// Whether a path isn't too deep, and its braces are those of variant selections.
pub(super) fn is_path(path: &[u8]) -> bool {
    let depth = path.iter().filter(|byte| matches!(byte, b'/' | b'{' | b'.' | b'[')).count();
    let mut rest = path;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'{' | b'}')) {
        let selection = rest.get(at..).unwrap_or_default();
        let Some(length) = selection.iter().position(|byte| *byte == b'}') else { return false };
        if !is_selection(selection.get(..=length).unwrap_or_default()) {
            return false;
        }
        rest = selection.get(length + 1..).unwrap_or_default();
    }
    depth <= MAX_DEPTH
}

/// Whether a name can be part of a path: it has no braces, except as a variant selection.
pub(super) fn is_name(name: &[u8]) -> bool {
    let has_brace = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'{' | b'}'));
    !has_brace(name) || is_selection(name)
}

/// `{set=selection}`
fn is_selection(text: &[u8]) -> bool {
    let inner = text.strip_prefix(b"{").and_then(|text| text.strip_suffix(b"}"));
    inner.is_some_and(|inner| {
        inner.contains(&b'=') && !inner.iter().any(|byte| matches!(byte, b'{' | b'}' | b'/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_must_be_those_of_variant_selections() {
        for path in ["/A/B.skel:joints", "/A{v=s}B/C", "/A{v=}{w=x-1}", "../A", "", "/A.rel[/B.c]"]
        {
            assert!(is_path(path.as_bytes()), "{path}");
        }
        for path in
            ["/A}", "/A}B", "/A{v=s", "/A{v}", "/A{v=s}}", "/A{v={w=x}}", "/A}{v=s}", "{a/b=c}"]
        {
            assert!(!is_path(path.as_bytes()), "{path}");
        }
        assert!(is_path("/a".repeat(MAX_DEPTH).as_bytes()));
        assert!(!is_path("/a".repeat(MAX_DEPTH + 1).as_bytes()));
        assert!(is_name(b"Hero") && is_name(b"{v=s}") && !is_name(b"A}") && !is_name(b"{"));
    }
}
