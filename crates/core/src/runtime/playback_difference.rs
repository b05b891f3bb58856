//! One difference between a runtime and a format's specification.

use std::fmt;

use crate::model::Place;

/// A part of a model that a runtime ignores, or plays differently from the format's specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaybackDifference {
    /// Stable kebab-case identifier.
    pub kind: &'static str,
    /// The effect, as a phrase without a full stop.
    pub text: String,
    /// The first affected part.
    pub place: Place,
    /// The number of affected parts.
    pub count: u64,
}

impl fmt::Display for PlaybackDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
