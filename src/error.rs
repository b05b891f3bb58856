//! What goes wrong, by whose fault it is.

use std::path::{Path, PathBuf};

use rigscope_core::model::Place;
use rigscope_io::convert::ConvertError;
use rigscope_io::files::{FileError, SaveError, io_message};
use rigscope_io::formats::{ReadError, WriteError};

/// What went wrong, by whose fault it is. Each message is one phrase, paths last.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("no such file: {}", .path.display())]
    NotFound {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file is there, and its bytes cannot be had.
    #[error("{reason}: {}", .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is damaged, or of no format that is read.
    #[error("{reason}: {}", .path.display())]
    NotUnderstood {
        /// Which file.
        path: PathBuf,
        /// What was found.
        reason: String,
        /// Where in the file.
        place: Option<Place>,
    },
    /// The file is sound, and this library does not read what it holds.
    #[error("{reason}: {}", .path.display())]
    Unsupported {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        reason: String,
        /// Where in the file.
        place: Option<Place>,
    },
    /// The file asks for more memory than is allowed.
    #[error("{reason}: {}", .path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// What is too large.
        reason: String,
    },
    /// The options ask for what there is not, such as a clip or a format.
    #[error("{reason}")]
    BadOption {
        /// What was asked for.
        reason: String,
    },
    /// The format cannot hold the model, or something is in the way of the file.
    #[error("{reason}: {}", .path.display())]
    CannotWrite {
        /// Which file.
        path: PathBuf,
        /// What is in the way.
        reason: String,
    },
    /// There is no GPU, or it did not draw.
    #[error("{reason}")]
    NoPicture {
        /// What it says.
        reason: String,
    },
    /// A fault of this library.
    #[error("{reason}")]
    Internal {
        /// What happened.
        reason: String,
    },
    /// A [`CancelToken`](rigscope_core::model::CancelToken) asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// Whose fault it is as a word that stays: lower case, kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not-found",
            Self::Unreadable { .. } => "unreadable",
            Self::NotUnderstood { .. } => "not-understood",
            Self::Unsupported { .. } => "unsupported",
            Self::TooLarge { .. } => "too-large",
            Self::BadOption { .. } => "bad-option",
            Self::CannotWrite { .. } => "cannot-write",
            Self::NoPicture { .. } => "no-picture",
            Self::Internal { .. } => "internal",
            Self::Cancelled => "cancelled",
        }
    }

    /// The file that it is about, where it is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::NotFound { path }
            | Self::Unreadable { path, .. }
            | Self::NotUnderstood { path, .. }
            | Self::Unsupported { path, .. }
            | Self::TooLarge { path, .. }
            | Self::CannotWrite { path, .. } => Some(path),
            Self::BadOption { .. }
            | Self::NoPicture { .. }
            | Self::Internal { .. }
            | Self::Cancelled => None,
        }
    }

    /// Where in the file.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::NotUnderstood { place, .. } | Self::Unsupported { place, .. } => *place,
            _ => None,
        }
    }

    pub(super) fn of_file(error: &FileError, path: &Path) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        match error {
            FileError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Self::NotFound { path }
            }
            FileError::Io(_) | FileError::Folder | FileError::NotAFile => {
                Self::Unreadable { path, reason }
            }
            FileError::TooLarge { .. } => Self::TooLarge { path, reason },
            FileError::Cancelled => Self::Cancelled,
        }
    }

    pub(super) fn of_read(error: &ReadError, path: &Path) -> Self {
        let (path, reason, place) = (path.to_owned(), error.to_string(), error.place());
        match error {
            ReadError::Malformed(_) | ReadError::UnknownFormat { .. } => {
                Self::NotUnderstood { path, reason, place }
            }
            ReadError::Unsupported(_) => Self::Unsupported { path, reason, place },
            ReadError::Io(error) => Self::Unreadable { path, reason: io_message(error) },
            ReadError::Limit(_) => Self::TooLarge { path, reason },
            ReadError::Cancelled => Self::Cancelled,
        }
    }

    pub(super) fn of_convert(error: &ConvertError, path: &Path) -> Self {
        let reason = error.to_string();
        match error {
            ConvertError::NoClip { .. } | ConvertError::TooLarge { .. } => {
                Self::BadOption { reason }
            }
            ConvertError::Cancelled | ConvertError::Write(WriteError::Cancelled) => Self::Cancelled,
            ConvertError::Bake(_) | ConvertError::Write(_) => {
                Self::CannotWrite { path: path.to_owned(), reason }
            }
            ConvertError::ReadBack { .. } => Self::Internal { reason },
        }
    }
}

impl From<SaveError> for Error {
    fn from(error: SaveError) -> Self {
        Self::CannotWrite { reason: error.refusal.to_string(), path: error.path }
    }
}

impl From<rigscope_core::model::Cancelled> for Error {
    fn from(_: rigscope_core::model::Cancelled) -> Self {
        Self::Cancelled
    }
}
