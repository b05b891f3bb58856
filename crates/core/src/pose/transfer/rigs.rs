//! Two skeletons, and the matches between their bones.

use glam::Vec3;

use crate::model::{BoneId, IdVec, Model, SpaceChange};
use crate::rig::BodyBones;

/// The rest poses of a source and a model, and the matches between their bones.
#[derive(Clone, Copy)]
pub(super) struct Rigs<'a> {
    pub(super) animation: &'a Model,
    pub(super) model: &'a Model,
    /// The bone of `animation` that each bone of `model` follows.
    pub(super) source_of: &'a IdVec<BoneId, Option<BoneId>>,
    pub(super) change: &'a SpaceChange,
    /// The bones of a body in both.
    pub(super) bodies: &'a [BodyBones; 2],
}

/// The bones of a body in two models.
pub(super) fn bodies(models: [&Model; 2]) -> [BodyBones; 2] {
    models.map(|model| BodyBones::of(&model.skeleton, model.avatar.as_deref()))
}

/// The direction upwards in the space of a model.
pub(super) fn up_of(model: &Model) -> Vec3 {
    model.axes.display_from_file().inverse().transform_vector3(Vec3::Y).normalize_or_zero()
}
