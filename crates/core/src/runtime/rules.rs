//! The kinds of facts about runtimes. The `text` of each is a phrase whose subject is the runtime, or empty for the
//! value in [`Rules::EXACT`].

#[cfg(doc)]
use crate::model::NodeTransform;
use crate::model::NormalMatrix;

/// The rules by which a runtime plays a model.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub influences: Influencing,
    /// Files with more joints in a skin are refused.
    pub max_joints: Option<usize>,
    /// Files are refused if a mesh has more attributes, counting those of morph targets.
    pub max_attributes: Option<usize>,
    pub binding: Binding,
    pub weights: Weights,
    /// The most morph targets per mesh. `None` without a limit.
    pub max_morph_targets: Option<usize>,
    pub morph_weights: MorphWeights,
    /// Whether default weights of a node override those of its mesh.
    pub reads_node_weights: bool,
    pub morph_offsets: MorphOffsets,
    /// Morph targets that are sparse accessors without base values.
    pub sparse_targets: SparseTargets,
    /// Whether the scale of a skinned mesh's node is applied, see [`NodeTransform::RigidInverse`].
    pub applies_node_scale: bool,
    pub rotations: Rotations,
    pub splines: Splines,
    pub steps: Steps,
    /// Whether tracks with a single key apply.
    pub reads_single_keys: bool,
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

impl Influencing {
    fn text(self) -> Option<String> {
        match self {
            Self::All => None,
            Self::FirstSet => Some("reads only `JOINTS_0` and `WEIGHTS_0`".to_owned()),
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
    fn text(self) -> &'static str {
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

/// How a runtime finds the bones and the inverse bind matrices of a skinned mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    ByNode,
    /// Bones are the first nodes with the name of a joint. Skins with the same joint names have the inverse bind
    /// matrices of the first one, and a mesh has the skin of the last node that shows it. Their matrices are computed
    /// once, for the first node that shows such a mesh.
    ByName,
}

impl Binding {
    fn text(self) -> &'static str {
        match self {
            Self::ByNode => "",
            Self::ByName => {
                "finds bones by name, and takes skins with the same joint names for one"
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

/// The interpolation between rotation keys, and the matrices of rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotations {
    /// Spherical, as in the glTF specification.
    Slerp,
    /// Component by component, along the shorter way, and normalized.
    Nlerp,
    /// Spherical, without normalizing keys.
    Raw(RawRotations),
}

impl Rotations {
    fn text(self) -> &'static str {
        match self {
            Self::Slerp => "",
            Self::Nlerp => "blends rotations component by component",
            Self::Raw(raw) if raw.normalizes == Normalizes::Everything => "",
            Self::Raw(_) => "doesn't normalize rotation keys",
        }
    }
}

/// Spherical interpolation of keys that aren't normalized first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawRotations {
    /// Keys with a larger dot product are interpolated component by component.
    pub lerp_above: f32,
    /// Whether the angle is that between the directions of both keys, else the arc cosine of their product as stored.
    pub is_angle_of_directions: bool,
    /// The results of interpolation that are normalized.
    pub normalizes: Normalizes,
    /// Whether splines are normalized.
    pub normalizes_splines: bool,
    /// Whether the factors of both keys are approximated by the series of Eberly, "A Fast and Accurate Algorithm for
    /// Computing SLERP" (2011), instead of sines.
    pub is_series: bool,
    /// Whether other lengths only scale the bone; else they scale and shear it.
    pub is_homogeneous: bool,
}

/// Interpolated rotations that are normalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalizes {
    Nothing,
    /// Those between keys that are interpolated component by component.
    Lerps,
    /// As [`Self::Lerps`], but between equal keys as stored, and also at keys.
    LerpsOfOtherKeys,
    /// All of them.
    Everything,
}

impl RawRotations {
    /// Sines, and matrices by `1 - 2 (y^2 + z^2)` and so on.
    pub const PLAIN: Self = Self {
        lerp_above: 1.0 - f32::EPSILON,
        is_angle_of_directions: false,
        normalizes: Normalizes::Lerps,
        normalizes_splines: true,
        is_series: false,
        is_homogeneous: false,
    };
}

/// The value of stepped tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Changes at a key.
    AtKey,
    /// Changes after a key, so that the last one isn't shown if the clip ends with it.
    AfterKey,
    /// Never reaches the last key.
    NeverLast,
}

impl Steps {
    fn text(self) -> &'static str {
        match self {
            Self::AtKey => "",
            Self::AfterKey => "changes stepped values after their key",
            Self::NeverLast => "never reaches the last key of stepped tracks",
        }
    }
}

/// The weights of morph targets in clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MorphWeights {
    AsStored,
    /// Clamped to a range that contains 0, 1, the weight without clips, and the first keys of all clips.
    Clamped,
}

impl MorphWeights {
    fn text(self) -> &'static str {
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
    fn text(self) -> &'static str {
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
    fn text(self) -> &'static str {
        match self {
            Self::Read => "",
            Self::Ignored => "ignores sparse morph targets without base values",
            Self::Refused => "refuses sparse morph targets without base values",
        }
    }
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
    /// Cubic, but with tangents multiplied by the elapsed share of the interval instead of its length.
    TangentsByShare,
}

impl Splines {
    fn text(self) -> &'static str {
        match self {
            Self::Cubic => "",
            Self::Padded => "lets splines overshoot at the ends of a clip",
            Self::TangentsByShare => "multiplies tangents of splines by the wrong time",
            Self::Smooth => "recomputes the tangents of splines",
            Self::Linear => "replaces splines by lines",
            Self::Step => "replaces splines by steps",
        }
    }
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

impl Rates {
    fn text(self) -> Option<String> {
        match self {
            Self::Exact => None,
            Self::Frames(rate) => Some(format!("shows {rate} frames per second")),
            Self::Interpolated(rate) => Some(format!("samples clips at {rate} frames per second")),
        }
    }
}

/// The bounds by which a runtime decides whether a skinned mesh is in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culling {
    /// They follow the pose, or everything is drawn.
    EveryFrame,
    /// Those of the pose in which the file was loaded. A mesh that moves away from them disappears near the edges of
    /// the view.
    AsLoaded,
    /// Those of the stored vertices, transformed by the node of the mesh.
    Stored,
}

impl Culling {
    fn text(self) -> &'static str {
        match self {
            Self::EveryFrame => "",
            Self::AsLoaded => "culls by the bounds as loaded",
            Self::Stored => "culls by the bounds of stored vertices",
        }
    }
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
    fn text(self) -> Option<String> {
        match self {
            Self::Any => None,
            Self::Only(_) => Some("refuses files that require an unknown extension".to_owned()),
            Self::AllBut(names) => {
                Some(format!("refuses files that require {}", names.join(" or ")))
            }
        }
    }

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
        max_joints: None,
        max_attributes: None,
        binding: Binding::ByNode,
        weights: Weights::Specified,
        max_morph_targets: None,
        morph_weights: MorphWeights::AsStored,
        reads_node_weights: true,
        morph_offsets: MorphOffsets::AsStored,
        sparse_targets: SparseTargets::Read,
        applies_node_scale: false,
        rotations: Rotations::Slerp,
        splines: Splines::Cubic,
        steps: Steps::AtKey,
        reads_single_keys: true,
        rates: Rates::Exact,
        normals: NormalMatrix::InverseTranspose,
        max_uv_sets: None,
        culling: Culling::EveryFrame,
        extensions: Extensions::Any,
    };
    /// The rules that differ from [`Self::EXACT`], as phrases whose subject is the runtime.
    pub fn facts(&self) -> Vec<String> {
        let limits = [
            self.influences.text(),
            self.max_morph_targets.map(|max| match max {
                0 => "ignores morph targets".to_owned(),
                _ => format!("reads {max} morph targets"),
            }),
            self.max_joints.map(|max| format!("refuses skins with more than {max} joints")),
            self.max_attributes.map(|max| {
                format!(
                    "refuses meshes with more than {max} attributes, with those of morph targets"
                )
            }),
            self.max_uv_sets.map(|max| format!("reads {max} UV sets")),
            self.rates.text(),
            self.extensions.text(),
        ];
        let treatments = [
            self.binding.text(),
            self.weights.text(),
            self.morph_weights.text(),
            if self.reads_node_weights { "" } else { "ignores morph weights of nodes" },
            self.morph_offsets.text(),
            self.rotations.text(),
            self.splines.text(),
            self.steps.text(),
            if self.reads_single_keys { "" } else { "ignores tracks with a single key" },
            if self.applies_node_scale { "applies the scale of a skinned mesh's node" } else { "" },
            self.sparse_targets.text(),
            match self.normals {
                NormalMatrix::InverseTranspose => "",
                NormalMatrix::Cofactor => "transforms normals by cofactors",
                NormalMatrix::Same => "transforms normals like positions",
            },
            self.culling.text(),
        ];
        let treatments = treatments.into_iter().filter(|text| !text.is_empty()).map(str::to_owned);
        limits.into_iter().flatten().chain(treatments).collect()
    }
}
