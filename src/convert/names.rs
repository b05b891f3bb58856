//! Which format a path asks for, and what written files are called.

use crate::formats::{FORMATS, Format, OutputPlace};

/// The format, and the part of it, that `--to` or an output's extension names: an id, else an
/// extension of a format that can be written, else the extension of a part.
#[must_use]
pub fn target_of(name: &str) -> Option<(&'static dyn Format, Option<&'static str>)> {
    let name = name.to_ascii_lowercase();
    let writers = || FORMATS.iter().copied().filter(|f| f.info().can_write);
    let by_id = writers().find(|format| format.info().id == name);
    let by_extension = || writers().find(|f| f.info().extensions.contains(&name.as_str()));
    let by_part = || {
        writers().find_map(|format| {
            let mut parts = format.info().parts.iter();
            let part = parts.find(|part| part.extension == name)?;
            Some((format, Some(part.id)))
        })
    };
    let whole = by_id.or_else(by_extension).map(|format| (format, None));
    whole.or_else(by_part)
}

/// The name of a written file, where the main one is called `stem.extension`.
#[must_use]
pub fn file_name(place: &OutputPlace, stem: &str, extension: &str) -> String {
    match place {
        OutputPlace::Main => format!("{stem}.{extension}"),
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
        assert_eq!(id("nothing"), None);
    }

    #[test]
    fn files_beside_share_the_stem_or_have_their_own_name() {
        let suffix = OutputPlace::Suffix(".0".into());
        assert_eq!(file_name(&suffix, "a.b", "bsm2"), "a.b.0.bsm2");
        assert_eq!(file_name(&OutputPlace::Main, "a", "glb"), "a.glb");
        assert_eq!(
            file_name(&OutputPlace::Named("x.cfp".into()), "a", "bcf"),
            "x.cfp"
        );
    }
}
