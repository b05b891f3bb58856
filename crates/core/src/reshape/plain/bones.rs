//! Bones of the plain model.

use glam::Affine3A;

use crate::model::{BoneId, IdVec, Model, Skin};
use crate::pose::Pose;

/// How to derive the bones of the plain model from a pose of the source.
pub(super) struct Bones {
    /// Keys are baked skinning matrices: bones become roots with identity inverse binds.
    pub(super) is_finished: bool,
    /// Inverse bind matrix of each bone, for local clips in a model with baked ones.
    binds: IdVec<BoneId, Affine3A>,
}

impl Bones {
    pub(super) fn of(model: &Model, default: &Pose) -> Self {
        let mut binds = IdVec::filled(Affine3A::IDENTITY, model.skeleton.bones());
        for mesh in &model.meshes {
            if let Skin::InverseBind(skin) = &mesh.skin {
                for (&bone, &bind) in skin.bones.iter().zip(&skin.bone_from_mesh) {
                    binds[bone] = Affine3A::from_mat4(bind);
                }
            }
        }
        Self { is_finished: default.model_from_mesh.is_some(), binds }
    }

    /// Bones that keep their parents.
    pub(super) fn with_parents() -> Self {
        Self { is_finished: false, binds: IdVec::new() }
    }

    /// The transform of each bone relative to its parent in the plain skeleton.
    pub(super) fn locals(&self, pose: &Pose) -> IdVec<BoneId, Affine3A> {
        match (&pose.model_from_mesh, self.is_finished) {
            (Some(finished), true) => finished.clone(),
            (None, true) => {
                let pairs = pose.model_from_bone.iter().zip(&self.binds);
                pairs.map(|(bone, bind)| *bone * *bind).collect()
            }
            // `Some` here would be a baked key in a model whose default pose isn't baked. No reader
            // makes that, and such a pose has no local transforms.
            (_, false) => pose.parent_from_bone.clone(),
        }
    }
}
