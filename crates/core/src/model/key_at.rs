//! A key of a curve.

use super::{BoneId, ClipId, MeshId, Model, Motion};

/// The property that a curve animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimatedProperty {
    /// Of a bone, relative to its parent.
    Translation,
    /// Of a bone, relative to its parent.
    Rotation,
    /// Of a bone, relative to its parent.
    Scale,
    /// Of a morph target.
    Weight,
}

/// A key of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyAt {
    /// Index in [`Model::clips`](super::Model::clips).
    pub clip: ClipId,
    /// `None` for curves of morph targets.
    pub bone: Option<BoneId>,
    /// The mesh, and the index of its morph target.
    pub morph: Option<(MeshId, usize)>,
    /// The animated property.
    pub property: AnimatedProperty,
    /// The index of the key in the curve.
    pub key: usize,
}

impl KeyAt {
    /// The time of the key of a bone; `None` for keys of morph targets, or if the model doesn't have the key.
    pub fn time_secs(&self, model: &Model) -> Option<f64> {
        let Motion::Tracks(tracks) = &model.clips.get(self.clip)?.motion else { return None };
        let track = tracks.iter().find(|track| Some(track.bone) == self.bone)?;
        let times = match self.property {
            AnimatedProperty::Rotation => &track.rotation.as_ref()?.times_secs,
            AnimatedProperty::Scale => &track.scale.as_ref()?.times_secs,
            AnimatedProperty::Translation => &track.translation.as_ref()?.times_secs,
            AnimatedProperty::Weight => return None,
        };
        times.get(self.key).copied()
    }
}

/// A curve of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveAt {
    /// `None` for curves of morph targets.
    pub bone: Option<BoneId>,
    /// The mesh, and the index of its morph target.
    pub morph: Option<(MeshId, usize)>,
    /// The animated property.
    pub property: AnimatedProperty,
}
