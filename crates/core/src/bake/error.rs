//! Reasons why a model can't be packed or sampled.

use crate::model::Cancelled;

/// The reason why a model can't be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// A count exceeds the range of the packed layout.
    #[error("{count} {what} exceed the limit of {limit}")]
    TooMany {
        /// The counted items.
        what: &'static str,
        count: usize,
        /// The largest possible count.
        limit: usize,
    },
    /// A clip claims to be implausibly long for its few keys.
    #[error(
        "clip {clip:?} lasts {duration_secs} s and has {num_stored} keys, but sampling would \
         make {num_keys}; use a lower rate"
    )]
    TooLong {
        clip: String,
        /// Stated duration.
        duration_secs: f64,
        /// Number of keys in all channels.
        num_stored: u64,
        /// Number of keys that would be sampled.
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

impl From<Cancelled> for BakeError {
    fn from(_: crate::model::Cancelled) -> Self {
        Self::Cancelled
    }
}
