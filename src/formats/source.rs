//! What a reader is given: a file's bytes, its name, and the files beside it that it may ask for.

use std::sync::Arc;

/// A file handed along with the one to read: skeleton, animation, texture.
#[derive(Clone, Debug)]
pub struct Companion {
    /// File name without folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
}

/// The bytes to read. Readers do no I/O of their own.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name without folder.
    pub name: String,
    /// The whole file; views of it are kept in the model.
    pub bytes: Arc<Vec<u8>>,
    /// Companions, given by the user or found beside the file by the shell.
    pub companions: Vec<Companion>,
}

impl Source {
    /// A file without companions.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            name: name.into(),
            bytes: Arc::new(bytes),
            companions: Vec::new(),
        }
    }

    /// The extension in lower case, without dot; empty where there is none.
    #[must_use]
    pub fn extension(&self) -> String {
        let (_, extension) = self.name.rsplit_once('.').unwrap_or_default();
        extension.to_ascii_lowercase()
    }

    /// The companion of that name, whatever its case.
    #[must_use]
    pub fn companion(&self, name: &str) -> Option<&Companion> {
        self.companions
            .iter()
            .find(|companion| companion.name.eq_ignore_ascii_case(name))
    }
}
