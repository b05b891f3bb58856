//! A key of a curve.

use super::{BoneId, ClipId, MeshId};

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
