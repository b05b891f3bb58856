//! Why a model cannot be shown.

/// Why a model cannot be shown on this device.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// A buffer would be larger than the device allows.
    #[error("{what} take {bytes} bytes, and this GPU can use {limit} in one piece")]
    TooLarge {
        /// What the buffer holds.
        what: String,
        /// Size that is needed.
        bytes: u64,
        /// Size that can be had.
        limit: u64,
    },
    /// The report asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The device refused.
    #[error("the model could not be uploaded: {0}")]
    Gpu(String),
}
