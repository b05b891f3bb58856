//! The format that a path selects, and the names of written files.

use std::collections::{HashMap, HashSet};

use crate::formats::{FORMATS, Format, OutputPlace, is_device, is_special};

/// The format, and the part of it, that `--to` or the extension of an output selects: by the extension of a
/// writable format or of one of its parts, else by id.
///
/// The second extension of a format may select a separate part, for example `.gltf` instead of `.glb`.
#[must_use]
pub fn target_of(name: &str) -> Option<(&'static Format, Option<&'static str>)> {
    let name = name.to_ascii_lowercase();
    let writers = || FORMATS.iter().copied().filter(|f| f.info.can_write);
    let part = |format: &Format| {
        let mut parts = format.info.parts.iter();
        parts.find(|part| part.extension == name).map(|part| part.id)
    };
    let usual = |format: &&Format| format.info.extensions.first() == Some(&name.as_str());
    let other = |format: &&Format| format.info.extensions.contains(&name.as_str());
    let by_extension = writers().find(usual).map(|format| (format, None));
    let by_other = || writers().find(other).map(|format| (format, part(format)));
    let by_part = || writers().find_map(|format| Some((format, Some(part(format)?))));
    let by_id = || writers().find(|f| f.info.id == name).map(|format| (format, None));
    by_extension.or_else(by_other).or_else(by_part).or_else(by_id)
}

/// Longest file name in bytes.
///
/// Source: `NAME_MAX` of Linux, and the components of NTFS and APFS, are 255 units.
const MAX_NAME_BYTES: usize = 255;

/// The name of a written file if the main file is called `stem.extension`.
///
/// It is a single component of a path on any system: names from the contents of a file must not lead out of
/// the output folder. Writers already propose such names.
#[must_use]
pub fn file_name(place: &OutputPlace, stem: &str, extension: &str) -> String {
    match place {
        OutputPlace::There(path) => path.clone(),
        OutputPlace::Main => with_extension(stem, extension),
        // The user chose the stem; the rest comes from names in the model.
        OutputPlace::Suffix(suffix) => {
            let room = MAX_NAME_BYTES.saturating_sub(stem.len() + extension.len() + 1);
            let suffix = if suffix.is_empty() { String::new() } else { plain(suffix) };
            let kept = suffix.floor_char_boundary(room);
            let suffix = suffix.get(..kept).unwrap_or_default();
            with_extension(&format!("{stem}{suffix}"), extension)
        }
        OutputPlace::Named(name) => match name.strip_prefix(stem) {
            Some(rest) if !stem.is_empty() => format!("{stem}{}", plain(rest)),
            _ => plain(name),
        },
    }
}

/// The names of files that are written together: those of [`file_name`], with a number added to duplicates,
/// which shortening can produce. Names that differ only in case are duplicates, as on Windows and macOS.
#[must_use]
pub fn file_names(places: &[&OutputPlace], stem: &str, extension: &str) -> Vec<String> {
    let main = with_extension(stem, extension);
    let mut taken = HashSet::from([main.to_lowercase()]);
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let name = |place: &&OutputPlace| {
        if **place == OutputPlace::Main {
            return main.clone();
        }
        if let OutputPlace::There(path) = place {
            return path.clone();
        }
        let proposed = file_name(place, stem, extension);
        let mut name = proposed.clone();
        while !taken.insert(name.to_lowercase()) {
            let number = numbers.entry(proposed.to_lowercase()).or_insert(1);
            *number += 1;
            name = numbered(&proposed, *number);
        }
        name
    };
    places.iter().map(name).collect()
}

/// `name` with a number in front of its extension.
fn numbered(name: &str, number: usize) -> String {
    let (stem, end) = name.split_at(extension_at(name));
    let mark = format!("-{number}");
    let room = MAX_NAME_BYTES.saturating_sub(end.len() + mark.len());
    let kept = stem.floor_char_boundary(room);
    let stem = stem.get(..kept).unwrap_or_default();
    format!("{stem}{mark}{end}")
}

/// Start of the extension that is kept when a name is shortened.
fn extension_at(name: &str) -> usize {
    let at = name.rfind('.');
    let short = at.filter(|at| name.len() - at <= MAX_NAME_BYTES / 2);
    short.unwrap_or(name.len())
}

fn with_extension(stem: &str, extension: &str) -> String {
    if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") }
}

/// `name` without characters that are invalid on some system, shortened before its extension if it is too long.
fn plain(name: &str) -> String {
    let name = name.replace(is_special, "_");
    // Windows removes dots and spaces at the end.
    let name = name.trim_end_matches(['.', ' ']);
    if name.is_empty() {
        return "_".to_owned();
    }
    let name = if is_device(name) { format!("_{name}") } else { name.to_owned() };
    let (stem, end) = name.split_at(extension_at(&name));
    let kept = stem.floor_char_boundary(MAX_NAME_BYTES - end.len());
    let stem = stem.get(..kept).unwrap_or_default();
    format!("{stem}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_format_is_selected_by_id_or_extension_of_a_writable_format() {
        let id = |name| target_of(name).map(|(format, _)| format.info.id);
        assert_eq!(id("bsm2"), Some("bsm2"));
        assert_eq!(id("BSM2"), Some("bsm2"));
        assert_eq!(id("fbx"), None, "read only");
        assert_eq!(id("glb"), Some("gltf"));
        assert_eq!(target_of("glb").map(|(_, part)| part), Some(None));
        assert_eq!(target_of("gltf").map(|(_, part)| part), Some(Some("gltf")));
        assert_eq!(target_of("cfp").map(|(_, part)| part), Some(Some("cfp")));
        assert_eq!(id("nothing"), None);
    }

    #[test]
    fn names_cannot_escape_the_output_folder() {
        let named = |name: &str| file_name(&OutputPlace::Named(name.into()), "a", "bcf");
        assert_eq!(named("../../up.cfp"), ".._.._up.cfp");
        assert_eq!(named("/etc/x\n"), "_etc_x_");
        assert_eq!(named("..\\up"), ".._up");
        assert_eq!(named("CON.cfp"), "_CON.cfp", "a device");
        for name in ["", ".", ".."] {
            assert_eq!(named(name), "_");
        }
        let long = named(&format!("{}.cfp", "\u{4e00}".repeat(300)));
        assert!(long.len() <= MAX_NAME_BYTES && long.ends_with("\u{4e00}.cfp"));
        assert_eq!(named("Armature|walk?.cfp"), "Armature_walk_.cfp");
        let suffix = OutputPlace::Suffix("/../x".into());
        assert_eq!(file_name(&suffix, "a", "ozz"), "a_.._x.ozz");
    }

    #[test]
    fn truncated_names_stay_unique() {
        let long = "\u{4e00}".repeat(100);
        let named = |end: &str| OutputPlace::Named(format!("{long}{end}"));
        let suffix = |end: &str| OutputPlace::Suffix(format!(".{long}{end}"));
        let places = [
            OutputPlace::Main,
            named("a.cfp"),
            named("b.cfp"),
            suffix("a"),
            suffix("b"),
            OutputPlace::Named("a.ozz".into()),
        ];
        let places: Vec<&OutputPlace> = places.iter().collect();
        let names = file_names(&places, "a", "ozz");
        let all: HashSet<&String> = names.iter().collect();
        assert_eq!(all.len(), names.len(), "{names:?}");
        assert!(names.iter().all(|name| name.len() <= MAX_NAME_BYTES));
        assert_eq!(names[0], "a.ozz");
        assert!(names[1].ends_with("\u{4e00}.cfp"), "{}", names[1]);
        assert!(names[2].ends_with("\u{4e00}-2.cfp"), "{}", names[2]);
        assert_eq!(names[5], "a-2.ozz");
        let places = ["Walk", "walk", "WALK"].map(|name| OutputPlace::Named(format!("{name}.ozz")));
        let places: Vec<&OutputPlace> = places.iter().collect();
        assert_eq!(file_names(&places, "a", "ozz"), ["Walk.ozz", "walk-2.ozz", "WALK-3.ozz"]);
    }

    #[test]
    fn additional_files_append_a_suffix_to_the_stem_or_have_their_own_name() {
        let suffix = OutputPlace::Suffix(".0".into());
        assert_eq!(file_name(&suffix, "a.b", "bsm2"), "a.b.0.bsm2");
        assert_eq!(file_name(&suffix, "a", ""), "a.0");
        assert_eq!(file_name(&OutputPlace::Main, "a", "glb"), "a.glb");
        assert_eq!(file_name(&OutputPlace::Named("x.cfp".into()), "a", "bcf"), "x.cfp");
    }
}
