//! The vertex that a runtime places farthest from where the specification does.

use super::Runtime;
use crate::fix::{Moved, moved};
use crate::model::Model;

/// The largest deviation of a played model.
pub type Worst = Moved;

/// Compares a model with the same model as a runtime plays it, over all clips; `None` if no vertex deviates.
pub fn worst(model: &Model, runtime: &Runtime) -> Option<Worst> {
    moved(&runtime.play(model).model, model)
}
