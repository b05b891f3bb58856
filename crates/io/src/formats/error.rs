//! Why a file couldn't be read or written, by cause.

use rigscope_core::model::Place;

/// A problem in a file, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Id of the format.
    pub format: &'static str,
    /// The field that was read, in the format's terms.
    pub field: &'static str,
    pub place: Place,
    /// The bytes of the field, if known; a truncated field may extend past the end of the file.
    pub bytes: Option<std::ops::Range<u64>>,
    /// The problem, for example `vertex count 9 exceeds 4 left`.
    pub what: String,
    pub cause: FailureCause,
}

impl Failure {
    /// A problem without known bytes or cause.
    pub fn new(format: &'static str, field: &'static str, place: Place, what: String) -> Self {
        Self { format, field, place, bytes: None, what, cause: FailureCause::Unknown }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { format, field, place, what, cause, .. } = self;
        let name = format_name(format);
        let at = match place {
            Place::File => String::new(),
            place => format!(" at {place}"),
        };
        match *cause {
            FailureCause::Unknown => write!(f, "{what} ({name} {field}{at})"),
            FailureCause::Damaged => {
                write!(f, "damaged {name} file: {what} ({field}{at}). Export it again")
            }
            FailureCause::Truncated => {
                write!(f, "truncated {name} file: {what} ({field}{at}). Export it again")
            }
            FailureCause::OtherFormat(Some(content)) => {
                write!(f, "not {} {name} file (it looks like {content})", article(&name))
            }
            FailureCause::OtherFormat(None) => {
                let article = article(&name);
                write!(f, "not {article} {name} file, or damaged: {what} ({field}{at})")
            }
        }
    }
}

/// The name of a format in messages, by its id.
pub(super) fn format_name(id: &str) -> String {
    match id {
        "gltf" => "glTF".to_owned(),
        "bonespro" => "BonesPro".to_owned(),
        "ozz" | "effect" => id.to_owned(),
        _ => id.to_uppercase(),
    }
}

/// The article of the name, which is read letter by letter.
pub(super) fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'F', 'I', 'O', 'S', 'e', 'o']) { "an" } else { "a" }
}

/// The most likely cause of a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailureCause {
    /// Not determined; [`super::open`] does that for the files that it opens.
    #[default]
    Unknown,
    /// The file violates its format.
    Damaged,
    /// The file ends too early.
    Truncated,
    /// The content doesn't have the format; the text describes it, if it can be recognized.
    OtherFormat(Option<&'static str>),
}

/// Why a file couldn't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file violates its format.
    #[error("{0}")]
    Malformed(Box<Failure>),
    /// The file is valid, but this program can't read it.
    #[error("{0}")]
    Unsupported(Box<Failure>),
    /// The file exceeds the limits.
    #[error("{0}")]
    Limit(Box<Failure>),
    /// No format recognizes the bytes.
    #[error("{}", .advice.unwrap_or(UNKNOWN_FORMAT))]
    UnknownFormat {
        /// How to get the contents of such files into a readable format, if the extension is known.
        advice: Option<&'static str>,
    },
    #[error("the file is empty (0 bytes). Export it again")]
    Empty,
    /// Bytes that are read on demand can't be read, or have changed since the file was opened.
    #[error("the file can't be read: {0}")]
    Io(std::io::Error),
    #[error("cancelled")]
    Cancelled,
}

impl From<rigscope_core::model::Cancelled> for ReadError {
    fn from(_: rigscope_core::model::Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The message about a file that no format recognizes.
const UNKNOWN_FORMAT: &str = "not a file format that Rigscope reads; `rigscope formats` lists all";

impl ReadError {
    /// Marks a failure as one of a file that ends too early.
    #[must_use]
    pub(super) fn truncated(self) -> Self {
        match self {
            Self::Malformed(mut failure) => {
                failure.cause = FailureCause::Truncated;
                Self::Malformed(failure)
            }
            other => other,
        }
    }

    /// The problem and its location, if it's in the file.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Malformed(failure) | Self::Unsupported(failure) | Self::Limit(failure) => {
                Some(failure)
            }
            Self::UnknownFormat { .. } | Self::Empty | Self::Io(_) | Self::Cancelled => None,
        }
    }

    /// Where reading stopped, if known.
    pub fn place(&self) -> Option<Place> {
        self.failure().map(|failure| failure.place)
    }
}

/// Why a model couldn't be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{} is read-only", format_name(.format))]
    ReadOnly {
        /// Id of the format.
        format: &'static str,
    },
    /// The model has nothing to store in the format, or in its requested part.
    #[error("the model has no {what} to write as {}", format_name(.format))]
    NothingToWrite {
        /// Id of the format.
        format: &'static str,
        what: &'static str,
    },
    /// Files with this extension are only read.
    #[error(".{extension} files are read-only; write .{usual}, without their additional data")]
    ReadOnlyExtension {
        extension: &'static str,
        /// The usual extension of the format.
        usual: &'static str,
    },
    /// The format stores the bones of a human, and the skeleton lacks some.
    #[error("VRM animations store the bones of a human, and this skeleton has no {}", .missing.join(", "))]
    NotHuman {
        /// Names of VRM.
        missing: Vec<String>,
    },
    /// The model is too large for the format.
    #[error("the model has {count} {what}, but {} stores at most {limit}", format_name(.format))]
    TooMany {
        /// Id of the format.
        format: &'static str,
        what: &'static str,
        count: u64,
        /// Maximum that the format can store.
        limit: u64,
    },
    /// A part of the model can't be converted to the format's representation.
    #[error("{}: {source}", format_name(.format))]
    Bake {
        /// Id of the format.
        format: &'static str,
        source: rigscope_core::reshape::ReshapeError,
    },
    /// The library that writes the format refused the data.
    #[error("{} can't be written: {why}", format_name(.format))]
    Library {
        /// Id of the format.
        format: &'static str,
        why: String,
    },
    #[error("cancelled")]
    Cancelled,
}

impl From<rigscope_core::model::Cancelled> for WriteError {
    fn from(_: rigscope_core::model::Cancelled) -> Self {
        Self::Cancelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_state_the_problem_then_format_field_and_place() {
        let what = "vertex count 4294967295 exceeds 131072 left".to_owned();
        let failure = Failure::new("bsm2", "header", Place::Offset(0), what);
        let message = |cause| Failure { cause, ..failure.clone() }.to_string();
        assert_eq!(
            message(FailureCause::Unknown),
            "vertex count 4294967295 exceeds 131072 left (BSM2 header at offset 0x0)"
        );
        assert_eq!(
            message(FailureCause::Truncated),
            "truncated BSM2 file: vertex count 4294967295 exceeds 131072 left (header at offset 0x0). \
             Export it again"
        );
        assert_eq!(
            message(FailureCause::OtherFormat(Some("text"))),
            "not a BSM2 file (it looks like text)"
        );
        assert!(size_of::<ReadError>() <= 24);
    }
}
