//! Bytes in addition to the main file.

use std::sync::Arc;

use super::Provenance;

/// Bytes that a model was read from and that aren't in the main file: a separate buffer, a decoded `data:` URI, a mesh
/// of an effect.
#[derive(Clone, Debug, Default)]
pub struct RelatedBytes {
    /// The file below the model's folder, or a description of the decoded text.
    pub name: String,
    /// The bytes if they were kept in memory; if not, read them from the file.
    pub bytes: Option<Arc<Vec<u8>>>,
    /// The spans that were read.
    pub provenance: Provenance,
}
