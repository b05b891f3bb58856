//! Kinds of facts about vertices: influences, weights, morph targets. See `rules`.

/// The influences of a vertex that a runtime reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Influencing {
    /// All of them.
    All,
    /// Those of the first set (glTF: `JOINTS_0`, up to four).
    FirstSet,
    /// The same, or the four heaviest in formats without sets.
    FirstSetOrHeaviest,
    /// The first ones in the order of the file, up to this number.
    First(usize),
    /// The heaviest ones, up to this number.
    Heaviest(usize),
}

impl Influencing {
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::All => None,
            Self::FirstSet => Some("reads only `JOINTS_0` and `WEIGHTS_0`".to_owned()),
            Self::FirstSetOrHeaviest => Some(
                "reads only `JOINTS_0` and `WEIGHTS_0`, or the 4 heaviest influences of FBX files"
                    .to_owned(),
            ),
            Self::First(most) => Some(format!("reads the first {most} influences")),
            Self::Heaviest(most) => Some(format!("reads the {most} heaviest influences")),
        }
    }
}

/// The normalization of a vertex's weights, after influences were dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Rigscope's own treatment: they are divided by their sum, and vertices with a sum of zero stay at their stored
    /// position.
    Specified,
    /// They are used as stored: vertices whose sum isn't 1 are moved towards a point or away from it.
    Raw(Center),
    /// They are divided by their sum. Vertices for which it is zero disappear.
    Normalized,
    /// Floats are divided by their sum as in [`Self::Normalized`], and integers are used as stored.
    NormalizedFloats(Center),
    /// They are divided by their sum. If it is zero, the vertex follows the first joint in its list.
    NormalizedToJoint,
    /// As [`Self::NormalizedToJoint`], but integers are then rounded to integers again, and used as they are.
    RoundedToJoint(Center),
    /// Each is clamped to the range from 0 to 1, then as [`Self::NormalizedToJoint`].
    ClampedToJoint,
}

impl Weights {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Specified => "",
            Self::Raw(_) => "doesn't normalize weights",
            Self::Normalized => "hides vertices without weights",
            Self::NormalizedFloats(_) => {
                "normalizes only weights that are floats, and hides vertices without weights"
            }
            Self::NormalizedToJoint => "binds vertices without weights to their first joint",
            Self::RoundedToJoint(_) => {
                "rounds integer weights again, and binds vertices without weights to their first joint"
            }
            Self::ClampedToJoint => {
                "clamps weights to 1, and binds vertices without weights to their first joint"
            }
        }
    }
}

/// The point to which a vertex without weights is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Center {
    World,
    /// The origin of the mesh's node.
    Node,
}

/// The weights of morph targets in clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MorphWeights {
    AsStored,
    /// Clamped to a range that contains 0, 1, the weight without clips, and the first keys of all clips.
    Clamped,
}

impl MorphWeights {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AsStored => "",
            Self::Clamped => "clamps weights of morph targets",
        }
    }
}

/// The precision of morph targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MorphOffsets {
    AsStored,
    /// Rounded to half floats.
    HalfFloats,
}

impl MorphOffsets {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AsStored => "",
            Self::HalfFloats => "rounds morph offsets to half floats",
        }
    }
}

/// Sparse morph targets without base values, as written by Blender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparseTargets {
    Read,
    /// They move nothing.
    Ignored,
    /// The file isn't opened.
    Refused,
}

impl SparseTargets {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Read => "",
            Self::Ignored => "ignores sparse morph targets without base values",
            Self::Refused => "refuses sparse morph targets without base values",
        }
    }
}

/// A primitive without joints in a node with a skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jointless {
    /// It follows the node, as the specification has it.
    InNode,
    /// All vertices are at the origin of the node.
    AtOrigin,
    /// It stays in the space of the scene.
    InScene,
    /// All vertices follow the second joint of the skin.
    ToSecondJoint,
}

impl Jointless {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::InNode => "",
            Self::AtOrigin => "collapses primitives of skinned meshes without joints",
            Self::InScene => "leaves primitives of skinned meshes without joints in place",
            Self::ToSecondJoint => {
                "binds primitives of skinned meshes without joints to the second joint"
            }
        }
    }
}
