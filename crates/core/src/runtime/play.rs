//! The model as a runtime plays it.

use std::fmt;

use super::{Runtime, influences, keys};
use crate::model::{Model, Place};

/// A copy of a model that shows what a runtime makes of it.
pub struct Played {
    pub model: Model,
    /// What the runtime ignores or does differently; empty if it plays everything.
    pub effects: Vec<Effect>,
}

/// A part of a model that a runtime ignores, or plays differently from the format's specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Stable kebab-case identifier.
    pub kind: &'static str,
    /// The effect, as a phrase without a full stop.
    pub text: String,
    /// The first affected part.
    pub place: Place,
    /// The number of affected parts.
    pub count: u64,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Runtime {
    /// Plays a model.
    pub fn play(&self, model: &Model) -> Played {
        let mut played = model.clone();
        let mut effects = Vec::new();
        influences::apply(&mut played, &self.rules, &mut effects);
        influences::limit_morph_targets(&mut played, &self.rules, &mut effects);
        played.normal_matrix = self.rules.normals;
        keys::apply(&mut played, &self.rules, &mut effects);
        Played { model: played, effects }
    }
}
