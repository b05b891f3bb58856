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

/// Kinds that poses don't show in the positions of vertices.
const WITHOUT_POSITIONS: &[&str] = &[
    "culled-too-early",
    "instances-ignored",
    "normals-tilted",
    "unpredicted",
    "unweighted-vanish",
    "uv-sets-beyond-limit",
];

impl PlaybackDifference {
    /// Whether it moves vertices.
    #[must_use]
    pub fn is_about_positions(&self) -> bool {
        !WITHOUT_POSITIONS.contains(&self.kind)
    }
}

impl fmt::Display for PlaybackDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
