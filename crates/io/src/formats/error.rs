//! Why a file could not be read or written, split by whose fault it is.

use rigscope_core::model::Place;

/// What went wrong where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Id of the format.
    pub format: &'static str,
    /// The field being read, in the format's own words.
    pub field: &'static str,
    /// Where reading stopped.
    pub place: Place,
    /// The file's bytes that the field takes, as far as they are known; those of a field that was
    /// cut off may lie past the end.
    pub bytes: Option<std::ops::Range<u64>>,
    /// What was found, as in `vertex count 9 exceeds 4 left`.
    pub what: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { format, field, place, what, .. } = self;
        write!(f, "{format}: {what} at {place} ({field})")
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file breaks its own format.
    #[error("{0}")]
    Malformed(Box<Failure>),
    /// The file is right, but this program cannot read it.
    #[error("{0}")]
    Unsupported(Box<Failure>),
    /// The file asks for more than the limits allow.
    #[error("{0}")]
    Limit(Box<Failure>),
    /// No format knows the bytes.
    #[error("not a format this program reads; tried {tried}")]
    UnknownFormat {
        /// Ids of all formats tried.
        tried: String,
    },
    /// Bytes that are read as they are asked for cannot be had, or have changed meanwhile.
    #[error("the file cannot be read: {0}")]
    Io(std::io::Error),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<rigscope_core::model::Cancelled> for ReadError {
    fn from(_: rigscope_core::model::Cancelled) -> Self {
        Self::Cancelled
    }
}

impl ReadError {
    /// What went wrong where, if it was something in the file.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Malformed(failure) | Self::Unsupported(failure) | Self::Limit(failure) => {
                Some(failure)
            }
            Self::UnknownFormat { .. } | Self::Io(_) | Self::Cancelled => None,
        }
    }

    /// Where reading stopped, where that is known.
    pub fn place(&self) -> Option<Place> {
        self.failure().map(|failure| failure.place)
    }
}

/// Why a model could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format has no writer.
    #[error("{format}: this format is read only")]
    ReadOnly {
        /// Id of the format.
        format: &'static str,
    },
    /// The model has nothing that the format, or the part of it asked for, can store.
    #[error("{format}: there is no {what} to write")]
    NothingToWrite {
        /// Id of the format.
        format: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// The model is too large for the format.
    #[error("{format}: {count} {what} exceed the {limit} that the format can store")]
    TooMany {
        /// Id of the format.
        format: &'static str,
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many fit.
        limit: u64,
    },
    /// The model holds something that cannot be turned into what the format stores.
    #[error("{format}: {source}")]
    Bake {
        /// Id of the format.
        format: &'static str,
        /// What cannot be turned.
        source: rigscope_core::bake::BakeError,
    },
    /// Somebody asked to stop.
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
