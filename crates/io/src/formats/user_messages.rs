//! Read errors as sentences for users who don't know the format.
//!
//! Not for: programs and debugging. The text of the error itself has the problem, the place and the field.

use super::{Confidence, ProbeInput, ReadError, by_id};
use rigscope_core::model::Place;

impl ReadError {
    /// What is wrong with the file whose bytes are `file`.
    #[must_use]
    pub fn user_message(&self, file: &[u8]) -> String {
        if matches!(self, Self::Cancelled) {
            return "Reading was cancelled.".into();
        }
        if matches!(self, Self::Io(_)) {
            return "The file cannot be read.".into();
        }
        if file.is_empty() {
            return "The file is empty.".into();
        }
        let Some(failure) = self.failure() else {
            return "This is not a file format that can be read here.".into();
        };
        let name = abbreviation(failure.format);
        let article = article(&name);
        let input = ProbeInput::of(file);
        // Some formats are only recognized by their length, so a truncated file fails the probe.
        let whole = ProbeInput { len: u64::MAX, ..input };
        let format = by_id(failure.format);
        let own = [input, whole].map(|input| format.map(|format| (format.probe)(&input)));
        let no = Some(Confidence::No);
        let len = file.len() as u64;
        let is_cut = failure.bytes.as_ref().is_some_and(|bytes| bytes.end > len)
            || matches!(failure.place, Place::Offset(at) if at >= len);
        match (self, own) {
            (Self::Unsupported(_), _) => {
                format!("This is {article} {name} file with contents that cannot be read here.")
            }
            (Self::Limit(_), _) => "The file needs more memory than allowed.".into(),
            (_, [_, whole]) if whole == no => format!("This is not {article} {name} file."),
            (_, [own, _]) if own == no || is_cut => {
                format!("The {name} file ends too early: a part of it is missing.")
            }
            (_, [Some(Confidence::Strong), _]) => format!("The {name} file is damaged."),
            _ => format!("This is not {article} {name} file, or it is damaged."),
        }
    }
}

/// The id as spelled in the format's name, or else in capitals.
fn abbreviation(id: &str) -> String {
    let name = by_id(id).map_or("", |format| format.info.name);
    let at = name.to_ascii_lowercase().find(id);
    let spelled = at.and_then(|at| name.get(at..at + id.len()));
    spelled.map_or_else(|| id.to_uppercase(), str::to_owned)
}

/// The article for an abbreviation, which is read letter by letter.
fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'F', 'I', 'O', 'S', 'o']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use crate::formats::{ReadOptions, Source, open};
    use rigscope_core::model::Report;

    fn words(name: &str, bytes: &[u8]) -> String {
        let source = Source::new(name, bytes.to_vec());
        match open(&source, &ReadOptions::default(), &Report::new()) {
            Ok(_) => panic!("{name} could be read"),
            Err(error) => error.user_message(bytes),
        }
    }

    #[test]
    fn user_messages_contain_no_format_internals() {
        let sample = rigscope_assets::SAMPLE;
        let cut = &sample[..sample.len() / 2];
        for (name, bytes, wanted) in [
            ("a.fbx", &b""[..], "The file is empty."),
            ("a.bsm2", b"", "The file is empty."),
            ("a.fbx", b"\x89PNG\r\n\x1a\n0000", "This is not an FBX file."),
            ("a.gltf", b"hello", "This is not a glTF file."),
            ("a.xyz", b"hello", "This is not a file format that can be read here."),
            ("a.bsm2", cut, "The BSM2 file ends too early: a part of it is missing."),
        ] {
            assert_eq!(words(name, bytes), wanted, "{name}");
        }
    }
}
