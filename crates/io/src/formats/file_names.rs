//! File names: parsing paths stored in files, and making names valid on every system.

use std::collections::HashSet;

/// Printable characters that are invalid in file names on some system.
///
/// Source: Naming Files, Paths, and Namespaces (Windows).
const SPECIAL: [char; 9] = ['<', '>', ':', '"', '/', '\\', '|', '?', '*'];
/// Device names on Windows, with any extension. The names in `NUMBERED_DEVICES` are followed by a digit.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Whether a path (with either separator) is absolute, contains `..`, or names a drive or network share.
#[must_use]
pub fn leads_outside(path: &str) -> bool {
    let is_separator = |c| c == '/' || c == '\\';
    path.starts_with(is_separator)
        || path.split(is_separator).any(|part| part == "..")
        || path.contains(':')
}

/// The extension of a file name in lower case, without dot; empty without one.
pub fn extension_of(name: &str) -> String {
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    extension.to_ascii_lowercase()
}

/// The part after the last separator of a path.
#[must_use]
pub fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Normalizes a path stored in a file to a path below a folder: separated by `/`, without empty and `.`
/// parts. `None` if it leads outside or is empty.
#[must_use]
pub(crate) fn below(path: &str) -> Option<String> {
    let parts = path.split(['/', '\\']).map(str::trim);
    let parts = parts.filter(|part| !matches!(*part, "" | "."));
    let below = parts.collect::<Vec<_>>().join("/");
    (!below.is_empty() && !leads_outside(path.trim())).then_some(below)
}

/// `name` as a valid file name on any system: without separators, and not a device.
#[must_use]
pub(crate) fn safe_name(name: &str) -> String {
    let name = name.replace(is_special, "_");
    // Windows doesn't allow a dot or space at the end.
    let name = name.trim().trim_end_matches(['.', ' ']);
    if name.is_empty() || is_device(name) { format!("_{name}") } else { name.to_owned() }
}

/// A path stored in a file as a valid path to write, below the folder of the file that contains it.
#[must_use]
pub(crate) fn safe_path(path: &str) -> String {
    match below(path) {
        Some(below) => below.split('/').map(safe_name).collect::<Vec<_>>().join("/"),
        None => safe_name(last_part(path)),
    }
}

/// Maximum length of a clip's name in its file name, in characters: even with 4 bytes each, valid in all file
/// systems.
const MAX_CLIP_CHARS: usize = 48;

/// The file name suffix for a clip: `.` and its name, or `unnamed`, reduced to valid characters and made unique.
pub(crate) fn clip_suffix(name: &str, unnamed: &str, taken: &mut HashSet<String>) -> String {
    let clean = |c: char| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' };
    let name: String = name.chars().take(MAX_CLIP_CHARS).map(clean).collect();
    let name = match name.trim() {
        "" => unnamed,
        name => name,
    };
    let mut suffix = format!(".{name}");
    let mut count = 1;
    // Some file systems ignore case.
    while !taken.insert(suffix.to_lowercase()) {
        count += 1;
        suffix = format!(".{name}-{count}");
    }
    suffix
}

/// Whether a character is invalid in file names on some system.
pub fn is_special(c: char) -> bool {
    c.is_control() || SPECIAL.contains(&c)
}

/// Whether Windows treats a name as a device, for example `CON.png`.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}');
    let is_numbered = |device: &&str| {
        let rest = stem.strip_prefix(*device).unwrap_or_default();
        let mut chars = rest.chars();
        chars.next().is_some_and(is_digit) && chars.next().is_none()
    };
    DEVICES.contains(&&*stem) || NUMBERED_DEVICES.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_unix_paths_resolve_to_the_same_relative_path() {
        for path in [
            "textures/skin.png",
            "textures\\skin.png",
            ".\\textures\\skin.png",
            "./textures//skin.png",
            "textures/.\\skin.png",
            " textures\\ skin.png ",
        ] {
            assert_eq!(below(path).as_deref(), Some("textures/skin.png"), "{path}");
            assert_eq!(safe_path(path), "textures/skin.png");
        }
        for path in [
            "C:\\artist\\tex\\skin.png",
            "..\\skin.png",
            "a/../../skin.png",
            "/etc/skin.png",
            "\\\\server\\skin.png",
            "file:///x/skin.png",
        ] {
            assert_eq!(below(path), None, "{path}");
            assert_eq!(safe_path(path), "skin.png", "{path}");
        }
        for path in ["", ".", "./", "\\"] {
            assert_eq!(below(path), None, "{path:?}");
            assert_eq!(safe_path(path), "_", "{path:?}");
        }
    }

    #[test]
    fn device_names_and_special_characters_are_replaced() {
        for (name, safe) in [
            ("CON.png", "_CON.png"),
            ("nul.txt.png", "_nul.txt.png"),
            ("Com1", "_Com1"),
            ("lpt\u{b9}.tga", "_lpt\u{b9}.tga"),
            ("COM.png", "COM.png"),
            ("com12.png", "com12.png"),
            ("console.png", "console.png"),
            ("a<b>:\"/\\|?*\n.png", "a_b_________.png"),
            ("skin. ", "skin"),
            ("..", "_"),
            (" ", "_"),
            ("\u{e9}t\u{e9}.png", "\u{e9}t\u{e9}.png"),
        ] {
            assert_eq!(safe_name(name), safe, "{name:?}");
        }
    }
}
