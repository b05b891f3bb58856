//! Errors of uploading a model.

/// Why a model can't be shown on this device.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// A buffer would be larger than the device allows.
    #[error(
        "{what}: a buffer of {bytes} bytes is needed, but this GPU allows at most {limit} bytes"
    )]
    TooLarge {
        /// Contents of the buffer.
        what: String,
        /// Required size.
        bytes: u64,
        /// Largest size that the device supports.
        limit: u64,
    },
    /// The report requested cancellation.
    #[error("cancelled")]
    Cancelled,
    /// The device returned an error.
    #[error("the model couldn't be uploaded to the GPU: {0}")]
    Gpu(String),
}
