//! Errors of the public API, classified by their cause.

use std::path::{Path, PathBuf};

use crate::convert::ConvertError;
use crate::files::{FileError, SaveError, io_message, path_text};
use crate::formats::{ReadError, WriteError};
use rigscope_core::model::Place;

/// An error, classified by its cause. Each message starts with the path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("{}: no such file", path_text(.path))]
    NotFound {
        /// The missing file.
        path: PathBuf,
    },
    /// The file exists, but its bytes can't be read.
    #[error("{}: {reason}", path_text(.path))]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The file is damaged, or its format isn't readable.
    #[error("{}: {reason}", path_text(.path))]
    NotUnderstood {
        /// Which file.
        path: PathBuf,
        /// The problem.
        reason: String,
        /// Where in the file.
        place: Option<Place>,
    },
    /// The file is sound, but uses a feature that this library doesn't read.
    #[error("{}: {reason}", path_text(.path))]
    Unsupported {
        /// Which file.
        path: PathBuf,
        /// The feature.
        reason: String,
        /// Where in the file.
        place: Option<Place>,
    },
    /// The file needs more memory than the limits allow.
    #[error("{}: {reason}", path_text(.path))]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// The limit and the size.
        reason: String,
    },
    /// An option refers to a clip, format or other item that doesn't exist.
    #[error("{reason}")]
    BadOption {
        /// The option and its alternatives.
        reason: String,
    },
    /// The format can't store the model, or the file can't be written.
    #[error("{}: {reason}", path_text(.path))]
    CannotWrite {
        /// Which file.
        path: PathBuf,
        /// The obstacle.
        reason: String,
    },
    /// There is no GPU, or drawing failed.
    #[error("{reason}")]
    CannotRender {
        /// The message of the driver.
        reason: String,
    },
    /// A bug in this library.
    #[error("{reason}")]
    Internal {
        /// A description.
        reason: String,
    },
    /// A [`CancelToken`](rigscope_core::model::CancelToken) was triggered.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// A stable code in kebab case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not-found",
            Self::Unreadable { .. } => "unreadable",
            Self::NotUnderstood { .. } => "not-understood",
            Self::Unsupported { .. } => "unsupported",
            Self::TooLarge { .. } => "too-large",
            Self::BadOption { .. } => "bad-option",
            Self::CannotWrite { .. } => "cannot-write",
            Self::CannotRender { .. } => "no-picture",
            Self::Internal { .. } => "internal",
            Self::Cancelled => "cancelled",
        }
    }

    /// The file concerned, if any.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::NotFound { path }
            | Self::Unreadable { path, .. }
            | Self::NotUnderstood { path, .. }
            | Self::Unsupported { path, .. }
            | Self::TooLarge { path, .. }
            | Self::CannotWrite { path, .. } => Some(path),
            Self::BadOption { .. }
            | Self::CannotRender { .. }
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

    pub(crate) fn of_file(error: &FileError, path: &Path) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        match error {
            FileError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Self::NotFound { path }
            }
            FileError::Io(_) | FileError::Folder | FileError::NotAFile | FileError::Reader(_) => {
                Self::Unreadable { path, reason }
            }
            FileError::TooLarge { .. } => Self::TooLarge { path, reason },
            FileError::Cancelled => Self::Cancelled,
        }
    }

    pub(crate) fn of_read(error: &ReadError, path: &Path) -> Self {
        let (path, reason, place) = (path.to_owned(), error.to_string(), error.place());
        match error {
            ReadError::Malformed(_) | ReadError::UnknownFormat { .. } | ReadError::Empty => {
                Self::NotUnderstood { path, reason, place }
            }
            ReadError::Unsupported(_) => Self::Unsupported { path, reason, place },
            ReadError::Io(error) => Self::Unreadable { path, reason: io_message(error) },
            ReadError::Limit(_) => Self::TooLarge { path, reason },
            ReadError::Cancelled => Self::Cancelled,
        }
    }

    #[doc(hidden)]
    pub fn of_convert(error: &ConvertError, path: &Path) -> Self {
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
