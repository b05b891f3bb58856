//! Reasons why a model can't be packed or sampled.

use crate::model::numbers::number;
use crate::model::{Cancelled, counted};

/// The reason why a model can't be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReshapeError {
    /// A count exceeds the range of the packed layout.
    #[error("{count} {what} exceed the limit of {limit}")]
    TooMany {
        /// The counted items.
        what: &'static str,
        count: usize,
        /// The largest possible count.
        limit: usize,
    },
    /// Clips claim to be implausibly long, or their keys implausibly dense, for the few values that they store.
    #[error(
        "sampling would make {} from {}; clip {clip:?} lasts {} s, at {} keys per second. Choose the keys per \
         second with --rate",
        counted(*.num_keys, "key"), counted(*.num_stored, "stored value"), number(*.duration_secs), number(*.rate)
    )]
    OutOfProportion {
        /// The clip with most keys.
        clip: String,
        /// Stated duration of that clip.
        duration_secs: f64,
        /// Keys per second in that clip.
        rate: f64,
        /// Number of keys in all channels of all clips.
        num_stored: u64,
        /// Number of keys that would be sampled in all clips.
        num_keys: u64,
    },
    /// Sampling would exceed the memory limit.
    #[error(
        "sampling all clips needs about {needed_mib} MiB, and the limit is {limit_mib} MiB; use a lower \
         rate, or convert one clip at a time"
    )]
    OverLimit { needed_mib: u64, limit_mib: u64 },
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for ReshapeError {
    fn from(_: crate::model::Cancelled) -> Self {
        Self::Cancelled
    }
}
