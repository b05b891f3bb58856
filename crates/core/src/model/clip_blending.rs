//! How a runtime combines the poses of several clips.

/// The rules for combining two poses of a bone, relative to its parent. Translation and scale are always blended
/// linearly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClipBlending {
    /// Between two rotations.
    pub rotations: RotationBlending,
    /// The rotation that an additive layer adds.
    pub additive: AdditiveRotation,
}

/// How rotations of two clips are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationBlending {
    /// Along the shortest arc, at constant speed.
    #[default]
    Spherical,
    /// Component by component, then normalized; the middle of the arc is passed faster than its ends.
    Componentwise,
    /// Not at all: the last clip replaces the others.
    Replaced,
}

/// The side on which an additive layer is multiplied with a rotation `base`. `clip` is the rotation of the layer and
/// `reference` the one that it is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdditiveRotation {
    /// `clip * reference⁻¹ * base`: about the axes of the parent.
    #[default]
    InParent,
    /// `base * reference⁻¹ * clip`: about the axes of the bone.
    InBone,
}
