//! Names valid in the files: Windows-1252, on one line, and unique ignoring case, because files and bones are
//! looked up by name.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::skeleton::NO_PARENT;
use crate::formats::is_device;

/// Maximum length of a name, with room for a suffix: longer strings are stored in a form that no known file
/// uses.
const MAX_BYTES: usize = 200;
/// Texture names of skins that mean a colour or no texture instead of a file.
const NO_TEXTURE: [&str; 4] = ["x", "white", "grey", "gray"];

/// Text in Windows-1252, which must be able to represent it.
pub(super) fn to_bytes(text: &str) -> Cow<'_, [u8]> {
    encoding_rs::WINDOWS_1252.encode(text).0
}

fn is_storable(c: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = c.encode_utf8(&mut buffer);
    !encoding_rs::WINDOWS_1252.encode(text).2
}

/// `text` as a string valid in both forms; unchanged if it's valid already.
pub(super) fn storable(text: &str) -> String {
    let is_sound = |c: char| !c.is_control() && is_storable(c);
    let kept = text.trim().chars().map(|c| if is_sound(c) { c } else { '_' });
    let cut: String = kept.take(MAX_BYTES).collect();
    cut.trim_end().to_owned()
}

/// `text` as a file name without extension.
pub(super) fn file_stem(text: &str) -> String {
    let is_special = |c| matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let stem = storable(text).replace(is_special, "_");
    let stem = stem.trim_matches('.');
    if is_device(stem) { format!("{stem}_") } else { stem.to_owned() }
}

/// A texture name for a skin: without folder and extension, and different from the special names.
pub(super) fn texture(path: &str) -> String {
    let name = file_stem(crate::formats::stem(crate::formats::last_part(path)));
    if is_texture(&name) || name.is_empty() { name } else { format!("{name}_") }
}

/// Whether a skin's texture name refers to a file.
pub(super) fn is_texture(name: &str) -> bool {
    !name.is_empty() && !NO_TEXTURE.iter().any(|n| name.eq_ignore_ascii_case(n))
}

/// The names used so far.
#[derive(Default)]
pub(super) struct UniqueNames {
    taken: BTreeSet<String>,
    /// Number of names that had to be changed.
    pub(super) num_changed: u64,
}

impl UniqueNames {
    /// For bones: reserves the name that means no parent.
    pub(super) fn bones() -> Self {
        let mut names = Self::default();
        names.taken.insert(NO_PARENT.to_lowercase());
        names
    }

    /// `stored` if it's free, or else with a number appended. Counts as changed if it differs from a
    /// non-empty `wanted`.
    pub(super) fn take(&mut self, wanted: &str, stored: String) -> String {
        let mut name = stored.clone();
        let mut number = 2u64;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stored}_{number}");
            number += 1;
        }
        self.num_changed += u64::from(!wanted.is_empty() && name != wanted);
        name
    }
}

/// `name`, or `other` if it's empty.
pub(super) fn or(name: String, other: impl FnOnce() -> String) -> String {
    if name.is_empty() { other() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_storable_and_unique() {
        assert_eq!(storable(" L\u{e9}g\u{4e00}\n1 "), "L\u{e9}g__1");
        assert_eq!(storable(&"x".repeat(300)).len(), MAX_BYTES);
        assert_eq!(file_stem("a/b|c."), "a_b_c");
        assert_eq!(file_stem("Con"), "Con_", "a device");
        assert_eq!(texture("t/Coat.BMP"), "Coat");
        assert_eq!(texture("White.png"), "White_");
        let mut names = UniqueNames::bones();
        let mut take = |name: &str| names.take(name, name.to_owned());
        assert_eq!(take("Arm"), "Arm");
        assert_eq!(take("ARM"), "ARM_2");
        assert_eq!(take("null"), "null_2");
        assert_eq!(names.num_changed, 2);
    }

    #[test]
    fn every_byte_round_trips_through_its_character() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let text = crate::formats::text::windows_1252(&bytes);
        assert_eq!(&*to_bytes(&text), bytes);
    }
}
