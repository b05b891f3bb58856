//! Which format a path asks for, and what written files are called.

use crate::formats::{FORMATS, Format, OutputPlace};

/// The format, and the part of it, that `--to` or an output's extension names: an extension of a
/// format that can be written, or of a part of one, else an id.
///
/// A second extension of a format may mean a part of its own, as `.gltf` does beside `.glb`.
#[must_use]
pub fn target_of(name: &str) -> Option<(&'static dyn Format, Option<&'static str>)> {
    let name = name.to_ascii_lowercase();
    let writers = || FORMATS.iter().copied().filter(|f| f.info().can_write);
    let part = |format: &dyn Format| {
        let mut parts = format.info().parts.iter();
        parts
            .find(|part| part.extension == name)
            .map(|part| part.id)
    };
    let usual = |format: &&dyn Format| format.info().extensions.first() == Some(&name.as_str());
    let other = |format: &&dyn Format| format.info().extensions.contains(&name.as_str());
    let by_extension = writers().find(usual).map(|format| (format, None));
    let by_other = || writers().find(other).map(|format| (format, part(format)));
    let by_part = || writers().find_map(|format| Some((format, Some(part(format)?))));
    let by_id = || {
        writers()
            .find(|f| f.info().id == name)
            .map(|format| (format, None))
    };
    by_extension
        .or_else(by_other)
        .or_else(by_part)
        .or_else(by_id)
}

/// The name of a written file, where the main one is called `stem.extension`.
#[must_use]
pub fn file_name(place: &OutputPlace, stem: &str, extension: &str) -> String {
    match place {
        OutputPlace::Main if extension.is_empty() => stem.to_owned(),
        OutputPlace::Main => format!("{stem}.{extension}"),
        OutputPlace::Suffix(suffix) if extension.is_empty() => format!("{stem}{suffix}"),
        OutputPlace::Suffix(suffix) => format!("{stem}{suffix}.{extension}"),
        OutputPlace::Named(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_an_id_or_an_extension_of_something_that_can_be_written() {
        let id = |name| target_of(name).map(|(format, _)| format.info().id);
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
    fn files_beside_share_the_stem_or_have_their_own_name() {
        let suffix = OutputPlace::Suffix(".0".into());
        assert_eq!(file_name(&suffix, "a.b", "bsm2"), "a.b.0.bsm2");
        assert_eq!(file_name(&suffix, "a", ""), "a.0");
        assert_eq!(file_name(&OutputPlace::Main, "a", "glb"), "a.glb");
        assert_eq!(
            file_name(&OutputPlace::Named("x.cfp".into()), "a", "bcf"),
            "x.cfp"
        );
    }
}
