//! Numbers with their nouns: `1 byte`, `2 bytes`, `3 vertices`, `bone 3 "hand"`.
//!
//! Not for: the formatting of the number itself.

use super::numbers::grouped;

/// `one` where `number` is 1, else its plural.
pub fn plural(number: u64, one: &str) -> String {
    if number == 1 {
        return one.to_owned();
    }
    match one.strip_suffix("ex") {
        // A vertex, an index.
        Some(stem) => format!("{stem}ices"),
        None if one.ends_with("sh") => format!("{one}es"),
        None => format!("{one}s"),
    }
}

/// `1 byte`, `2 bytes`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{} {}", grouped(number), plural(number, one))
}

/// The form that agrees with `number`: `one` for 1, otherwise `many`.
pub fn singular_or_plural<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// Longest name that a message quotes in full, in characters.
const MAX_QUOTED: usize = 120;

/// An item by number, and by name if it has one: `bone 3 "hand"`.
pub fn numbered(what: &str, number: usize, name: &str) -> String {
    match name.char_indices().nth(MAX_QUOTED) {
        _ if name.is_empty() => format!("{what} {number}"),
        None => format!("{what} {number} {name:?}"),
        Some((end, _)) => format!("{what} {number} {:?}…", name.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let texts = [(1, "error"), (0, "error"), (2, "vertex"), (1200, "mesh")];
        let texts = texts.map(|(number, one)| counted(number, one));
        assert_eq!(texts, ["1 error", "0 errors", "2 vertices", "1,200 meshes"]);
        assert_eq!(numbered("bone", 3, "hand"), "bone 3 \"hand\"");
        assert_eq!(numbered("bone", 3, ""), "bone 3");
        assert_eq!(numbered("bone", 3, &"é".repeat(1000)).chars().count(), 7 + 2 + 120 + 1);
        assert_eq!(
            [0, 1, 2].map(|number| singular_or_plural(number, "is", "are")),
            ["are", "is", "are"]
        );
    }
}
