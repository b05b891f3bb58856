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
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { format, field, place, what, .. } = self;
        write!(f, "{format}: {what} at {place} ({field})")
    }
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
    #[error("not a format this program reads; tried {tried}")]
    UnknownFormat { tried: String },
    /// Bytes that are read on demand can't be read, or have changed since the file was opened.
    #[error("the file cannot be read: {0}")]
    Io(std::io::Error),
    #[error("cancelled")]
    Cancelled,
}

impl From<rigscope_core::model::Cancelled> for ReadError {
    fn from(_: rigscope_core::model::Cancelled) -> Self {
        Self::Cancelled
    }
}

impl ReadError {
    /// The problem and its location, if it's in the file.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Malformed(failure) | Self::Unsupported(failure) | Self::Limit(failure) => {
                Some(failure)
            }
            Self::UnknownFormat { .. } | Self::Io(_) | Self::Cancelled => None,
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
    #[error("{format}: this format is read only")]
    ReadOnly {
        /// Id of the format.
        format: &'static str,
    },
    /// The model has nothing to store in the format, or in its requested part.
    #[error("{format}: there is no {what} to write")]
    NothingToWrite {
        /// Id of the format.
        format: &'static str,
        what: &'static str,
    },
    /// The model is too large for the format.
    #[error("{format}: {count} {what} exceed the {limit} that the format can store")]
    TooMany {
        /// Id of the format.
        format: &'static str,
        what: &'static str,
        count: u64,
        /// Maximum that the format can store.
        limit: u64,
    },
    /// A part of the model can't be converted to the format's representation.
    #[error("{format}: {source}")]
    Bake {
        /// Id of the format.
        format: &'static str,
        source: rigscope_core::bake::BakeError,
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
    fn messages_are_one_lower_case_phrase_with_format_offset_and_field() {
        let failure = Failure {
            format: "bsm2",
            field: "header",
            place: Place::Offset(0),
            bytes: None,
            what: "vertex count 4294967295 exceeds 131072 left".into(),
        };
        assert_eq!(
            ReadError::Malformed(Box::new(failure)).to_string(),
            "bsm2: vertex count 4294967295 exceeds 131072 left at offset 0x0 (header)"
        );
        assert!(size_of::<ReadError>() <= 24);
    }
}
