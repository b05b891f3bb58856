//! The output of a program, or the reason for its failure.

use std::time::Duration;

use crate::files::FileError;
use crate::formats::gltf::GLTF;
use crate::formats::model_json::JSON;
use crate::formats::{Confidence, ProbeInput};

/// The output of a program that succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReaderOutput {
    /// The name of the reader in the settings.
    pub reader: String,
    /// GLB or Rigscope JSON.
    pub bytes: Vec<u8>,
    /// Lines printed to stderr.
    pub warnings: Vec<String>,
    /// Size of the file that was read.
    pub file_bytes: u64,
}

/// The first bytes that are shown of an output that isn't a model.
const MAX_SHOWN: usize = 32;

impl ReaderOutput {
    /// Everything except the bytes.
    #[must_use]
    pub fn without_bytes(&self) -> Self {
        Self {
            reader: self.reader.clone(),
            bytes: Vec::new(),
            warnings: self.warnings.clone(),
            file_bytes: self.file_bytes,
        }
    }

    /// The output, which must begin like a GLB or like Rigscope JSON.
    ///
    /// # Errors
    /// [`ReaderFault::Output`].
    pub fn into_model_bytes(self) -> Result<Vec<u8>, FileError> {
        let input = ProbeInput::of(&self.bytes);
        if [&GLTF, &JSON].iter().any(|format| (format.probe)(&input) == Confidence::Strong) {
            return Ok(self.bytes);
        }
        let what = match self.bytes.get(..MAX_SHOWN).unwrap_or(&self.bytes) {
            [] => "nothing".to_owned(),
            front => format!("{:?}", String::from_utf8_lossy(front)),
        };
        Err(ReaderFault::Output { reader: self.reader, what }.into())
    }
}

/// Why a program gave no model.
#[derive(Debug, thiserror::Error)]
pub enum ReaderFault {
    #[error(
        "the reader {reader} can't be started: {program}: {why}. Check its command in config.toml"
    )]
    Start { reader: String, program: String, why: String },
    #[error("the reader {reader} failed: {message}")]
    Failed { reader: String, message: String },
    #[error(
        "the reader {reader} was stopped after {} s; if it needs longer, raise its timeout_secs in config.toml",
        .limit.as_secs_f64()
    )]
    Timeout { reader: String, limit: Duration },
    #[error(
        "the reader {reader} was stopped because it {what} more than {} MiB; raise its memory_mib in config.toml to allow more",
        .limit_bytes >> 20
    )]
    TooLarge { reader: String, what: &'static str, limit_bytes: u64 },
    #[error("the reader {reader} printed {what} instead of a GLB or Rigscope JSON")]
    Output { reader: String, what: String },
    #[error("the output of the reader {reader} can't be read: {source}")]
    Io { reader: String, source: std::io::Error },
    #[error("cancelled")]
    Cancelled,
}
