//! Read errors as sentences for users who don't know the format.
//!
//! Not for: programs and debugging. The text of the error itself has the problem, the place and the field.

use super::error::{article, format_name};
use super::{FailureCause, ProbeInput, ReadError};

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
            return match self {
                Self::UnknownFormat { advice: Some(advice) } => format!("{}.", capitalized(advice)),
                _ => "This is not a file format that can be read here.".into(),
            };
        };
        let name = format_name(failure.format);
        let article = article(&name);
        match (self, FailureCause::of(failure, ProbeInput::of(file))) {
            (Self::Unsupported(_), _) => {
                format!("This is {article} {name} file with contents that cannot be read here.")
            }
            (Self::Limit(_), _) => "The file needs more memory than allowed.".into(),
            (_, FailureCause::OtherFormat(_)) => format!("This is not {article} {name} file."),
            (_, FailureCause::Truncated) => {
                format!("The {name} file ends too early: a part of it is missing.")
            }
            (_, FailureCause::Damaged) => format!("The {name} file is damaged."),
            (_, FailureCause::Unknown) => {
                format!("This is not {article} {name} file, or it is damaged.")
            }
        }
    }
}

/// The text with a capital first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::format_name;
    use crate::formats::{FORMATS, ReadOptions, Source, open};
    use rigscope_core::model::Report;

    fn words(name: &str, bytes: &[u8]) -> String {
        let source = Source::new(name, bytes.to_vec());
        match open(&source, &ReadOptions::default(), &Report::new()) {
            Ok(_) => panic!("{name} could be read"),
            Err(error) => error.user_message(bytes),
        }
    }

    #[test]
    fn names_in_messages_are_those_of_the_formats() {
        for format in FORMATS {
            let name = format_name(format.info.id);
            let known = format.info.name.to_lowercase();
            let is_acronym = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
            assert!(is_acronym || known.contains(&name.to_lowercase()), "{name}");
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
