//! Why a model was not converted.

use crate::formats::{ReadError, WriteError};
use rigscope_core::bake;
use rigscope_core::model::Cancelled;

/// Why a model was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// There is no such clip.
    #[error("no clip {asked:?}; there are {known}")]
    NoClip {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// There would be too many keys.
    #[error(transparent)]
    Bake(#[from] bake::BakeError),
    /// The factor makes numbers too large.
    #[error("positions made larger by {factor} exceed single precision")]
    TooLarge {
        /// How much larger was asked for.
        factor: f32,
    },
    /// The format cannot hold it.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// What was written cannot be read: a fault of this program.
    #[error("internal error: {file} cannot be read back: {source}")]
    ReadBack {
        /// The file's name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl ConvertError {
    /// Whether only sampling took more than it may: with more room, or alone, it may do.
    pub fn is_over_limit(&self) -> bool {
        let source = match self {
            Self::Bake(source) | Self::Write(WriteError::Bake { source, .. }) => source,
            _ => return false,
        };
        matches!(source, bake::BakeError::OverLimit { .. })
    }
}

impl From<Cancelled> for ConvertError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
