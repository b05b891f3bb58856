//! The model as a runtime plays it.

use super::effect::Effect;
use super::{Runtime, attributes, culling, influences, keys, names};
use crate::model::Model;

/// A copy of a model, changed so that it moves as a runtime plays it.
pub struct Played {
    pub model: Model,
    /// The ignored parts and other differences; empty if the runtime plays everything as specified.
    pub effects: Vec<Effect>,
}

impl Runtime {
    /// Plays a model.
    pub fn play(&self, model: &Model) -> Played {
        let mut played = model.clone();
        let mut effects = Vec::new();
        influences::apply(&mut played, &self.rules, &mut effects);
        attributes::apply(&mut played, &self.rules, &mut effects);
        keys::apply(&mut played, &self.rules, &mut effects);
        names::apply(&mut played, &self.rules, &mut effects);
        culling::check(model, &self.rules, &mut effects);
        Played { model: played, effects }
    }
}
