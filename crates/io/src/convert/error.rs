//! Errors of a conversion.

use crate::formats::{ReadError, WriteError};
use rigscope_core::model::Cancelled;
use rigscope_core::reshape;

/// The reason why a model wasn't converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// There is no such clip.
    #[error("there is no clip {asked:?}; the clips of the model are: {known}")]
    NoClip {
        /// The requested clip.
        asked: String,
        /// The clips of the model.
        known: String,
    },
    /// There would be too many keys.
    #[error(transparent)]
    Bake(#[from] reshape::ReshapeError),
    /// The factor makes numbers too large.
    #[error(
        "positions scaled by {factor:e} exceed the range of single precision; use a smaller factor"
    )]
    TooLarge {
        /// The requested factor.
        factor: f32,
    },
    /// The format can't store the model.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A written file can't be read back: a bug in this program.
    #[error("internal error: the written file {file} can't be read back: {source}")]
    ReadBack {
        /// The file's name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// The conversion was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl ConvertError {
    /// Whether only the sampling limit was exceeded, so that the conversion can succeed with a larger share of
    /// memory.
    pub fn is_over_limit(&self) -> bool {
        let source = match self {
            Self::Bake(source) | Self::Write(WriteError::Bake { source, .. }) => source,
            _ => return false,
        };
        matches!(source, reshape::ReshapeError::OverLimit { .. })
    }
}

impl From<Cancelled> for ConvertError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
