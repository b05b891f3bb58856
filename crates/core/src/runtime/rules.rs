//! The kinds of facts about runtimes.

use crate::model::NormalMatrix;

/// The rules by which a runtime plays a model.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub influences: Influencing,
    pub weights: Weights,
    /// The most morph targets per mesh. `None` without a limit.
    pub max_morph_targets: Option<usize>,
    pub morph_weights: MorphWeights,
    pub morph_offsets: MorphOffsets,
    pub rotations: Rotations,
    pub splines: Splines,
    pub rates: Rates,
    /// The matrix applied to normals and tangents.
    pub normals: NormalMatrix,
    /// The most sets of UVs per mesh.
    pub max_uv_sets: Option<usize>,
    /// The bounds by which skinned meshes are culled.
    pub culling: Culling,
    pub extensions: Extensions,
}

/// The influences of a vertex that a runtime reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Influencing {
    /// All of them.
    All,
    /// Those of the first set (glTF: `JOINTS_0`, up to four).
    FirstSet,
    /// The first ones in the order of the file, up to this number.
    First(usize),
    /// The heaviest ones, up to this number.
    Heaviest(usize),
}

/// The normalization of a vertex's weights, after influences were dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// They are used as stored.
    AsStored,
    /// They are divided by their sum. Vertices for which it is zero disappear.
    Normalized,
    /// They are divided by their sum. If it is zero, the vertex follows the first joint of the skin.
    NormalizedToJoint,
    /// Each is clamped to the range from 0 to 1, then as [`Self::NormalizedToJoint`].
    ClampedToJoint,
}

/// The interpolation between rotation keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotations {
    /// Spherical, as in the glTF specification.
    Slerp,
    /// Component by component, along the shorter way, and normalized.
    Nlerp,
    /// Spherical, without normalizing the keys or the result: other lengths scale and shear the bone.
    RawSlerp {
        /// Keys with a larger dot product are interpolated component by component.
        lerp_above: f32,
        /// Whether the result is normalized then.
        normalizes_lerp: bool,
    },
}

/// The weights of morph targets in clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MorphWeights {
    AsStored,
    /// Clamped to a range that contains 0, 1, the weight without clips, and the first keys of all clips.
    Clamped,
}

/// The precision of morph targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MorphOffsets {
    AsStored,
    /// Rounded to half floats.
    HalfFloats,
}

/// The interpolation of tracks with tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splines {
    /// Cubic Hermite splines.
    Cubic,
    /// Cubic Hermite splines. If another track of the clip is longer, the first and the last key are repeated at its
    /// ends with their tangents, so that the value overshoots there.
    Padded,
    /// The tangents are ignored, and the values are interpolated by a twice differentiable curve that is level at its
    /// ends.
    Smooth,
    /// The tangents are ignored, and the values are interpolated linearly.
    Linear,
    /// The earlier value holds.
    Step,
}

/// The times at which clips are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rates {
    /// At the exact time.
    Exact,
    /// At this number of frames per second; the earlier frame holds.
    Frames(f64),
    /// At this number of frames per second, with linear interpolation between them.
    Interpolated(f64),
}

/// The bounds by which a runtime decides whether a skinned mesh is in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culling {
    /// They follow the pose, or everything is drawn.
    EveryFrame,
    /// Those of the pose in which the file was loaded. A mesh that moves away from them disappears near the edges of
    /// the view.
    AsLoaded,
}

/// The required extensions of files that a runtime opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extensions {
    /// It opens files whatever they require.
    Any,
    /// It refuses files that require other extensions.
    Only(&'static [&'static str]),
    /// It refuses files that require these.
    AllBut(&'static [&'static str]),
}

impl Extensions {
    /// Whether files that require this extension are opened.
    pub fn contains(self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(names) => names.contains(&name),
            Self::AllBut(names) => !names.contains(&name),
        }
    }
}

impl Rules {
    /// The rules of the glTF specification, which use everything.
    pub const EXACT: Self = Self {
        influences: Influencing::All,
        weights: Weights::AsStored,
        max_morph_targets: None,
        morph_weights: MorphWeights::AsStored,
        morph_offsets: MorphOffsets::AsStored,
        rotations: Rotations::Slerp,
        splines: Splines::Cubic,
        rates: Rates::Exact,
        normals: NormalMatrix::InverseTranspose,
        max_uv_sets: None,
        culling: Culling::EveryFrame,
        extensions: Extensions::Any,
    };
}
