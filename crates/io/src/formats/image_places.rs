//! Where the images of a conversion can be written.

use std::collections::BTreeMap;
use std::sync::Arc;

/// State of a path that a file might be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathState {
    /// The path is free, or its file may be replaced.
    Free,
    /// A file with the same bytes exists.
    Same,
    /// Another file exists that must not be replaced.
    Taken,
}

/// Returns the state of a path (relative to the main file, separated by `/`) for the given bytes.
pub type PathStateFn = dyn Fn(&str, &[u8]) -> PathState + Send + Sync;

/// Which images exist already, and which names are free for others.
#[derive(Clone, Default)]
pub struct ImagePlaces {
    /// Paths relative to the main file of images that aren't copied, by image name.
    pub referenced: BTreeMap<String, String>,
    /// The state of paths; without it all names are free.
    pub at: Option<Arc<PathStateFn>>,
}

impl ImagePlaces {
    /// The state of `path` for writing `bytes`.
    pub fn path_state(&self, path: &str, bytes: &[u8]) -> PathState {
        self.at.as_ref().map_or(PathState::Free, |at| at(path, bytes))
    }
}

impl std::fmt::Debug for ImagePlaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ImagePlaces({} referenced)", self.referenced.len())
    }
}
