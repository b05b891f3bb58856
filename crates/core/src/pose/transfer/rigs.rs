//! Two skeletons, and the matches between their bones.

use crate::model::{BoneId, IdVec, Model, SpaceChange};

/// The rest poses of a source and a model, and the matches between their bones.
#[derive(Clone, Copy)]
pub(super) struct Rigs<'a> {
    pub(super) animation: &'a Model,
    pub(super) model: &'a Model,
    /// The bone of `animation` that each bone of `model` follows.
    pub(super) source_of: &'a IdVec<BoneId, Option<BoneId>>,
    pub(super) change: &'a SpaceChange,
}
