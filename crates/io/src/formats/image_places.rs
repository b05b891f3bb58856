//! What whoever saves written files knows of the place that they go to.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What lies at a place where a file might be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Nothing that must stay.
    Free,
    /// These very bytes.
    Same,
    /// Something else.
    Taken,
}

/// Says what lies at a path from the main file, with `/` between its parts, and bytes for it.
pub type At = dyn Fn(&str, &[u8]) -> Spot + Send + Sync;

/// Where images lie already, and which names are free for others.
#[derive(Clone, Default)]
pub struct ImagePlaces {
    /// Paths from the main file for images that stay where they are, by their names in the model.
    pub referenced: BTreeMap<String, String>,
    /// Without it all names are free.
    pub at: Option<Arc<At>>,
}

impl ImagePlaces {
    /// What lies at `path`, where `bytes` would be written.
    pub fn spot(&self, path: &str, bytes: &[u8]) -> Spot {
        self.at.as_ref().map_or(Spot::Free, |at| at(path, bytes))
    }
}

impl std::fmt::Debug for ImagePlaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ImagePlaces({} referenced)", self.referenced.len())
    }
}
