//! The model as a runtime plays it.

use super::playback_difference::PlaybackDifference;
use super::{Runtime, attributes, culling, influences, keys, names};
use crate::model::Model;

/// A copy of a model, changed so that it moves as a runtime plays it.
pub struct Played {
    pub model: Model,
    /// The ignored parts and other differences; empty if the runtime plays everything as specified.
    pub differences: Vec<PlaybackDifference>,
}

impl Runtime {
    /// Plays a model.
    pub fn play(&self, model: &Model) -> Played {
        let mut played = model.clone();
        let mut differences = Vec::new();
        influences::apply(&mut played, &self.rules, &mut differences);
        attributes::apply(&mut played, &self.rules, &mut differences);
        keys::apply(&mut played, &self.rules, &mut differences);
        names::apply(&mut played, &self.rules, &mut differences);
        culling::check(model, &self.rules, &mut differences);
        Played { model: played, differences }
    }
}
