//! Why a model cannot be packed or sampled.

use crate::model::Cancelled;

/// Why a model cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// More of something than the packed layout can name.
    #[error("{count} {what} exceed the limit of {limit}")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many fit.
        limit: usize,
    },
    /// A clip that claims to last for very much longer than its few keys can mean.
    #[error(
        "clip {clip:?} lasts {duration_secs} s and has {num_stored} keys, of which {num_keys} would \
         be sampled: ask for fewer a second"
    )]
    TooLong {
        /// Its name.
        clip: String,
        /// How long it says it is.
        duration_secs: f64,
        /// Keys of all its channels.
        num_stored: u64,
        /// How many would be made of them.
        num_keys: u64,
    },
    /// Sampling would take more memory than it may.
    #[error(
        "sampling all clips takes about {needed_mib} MiB of the {limit_mib} MiB allowed: ask for \
         fewer keys a second, or for one clip"
    )]
    OverLimit {
        /// What it would take.
        needed_mib: u64,
        /// What it may.
        limit_mib: u64,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for BakeError {
    fn from(_: crate::model::Cancelled) -> Self {
        Self::Cancelled
    }
}
