//! Kinds of facts about clips: interpolation and sampling. See `rules`.

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
    pub(super) fn text(self) -> &'static str {
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
    /// Whether splines are normalized between keys.
    pub normalizes_splines: bool,
    /// Whether splines are normalized before the first key and after the last one.
    pub normalizes_spline_ends: bool,
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
        normalizes_spline_ends: false,
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
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AtKey => "",
            Self::AfterKey => "changes stepped values after their key",
            Self::NeverLast => "never reaches the last key of stepped tracks",
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
    pub(super) fn text(self) -> &'static str {
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

/// The curves of FBX files, which have tangents and Euler angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FbxCurves {
    AsStored,
    /// Straight lines between keys, and rotations as in [`Rotations`]. Translation, rotation and scale of a node have the
    /// keys of their axes.
    LinesByProperty,
    /// The same, but each key of a node is one of its translation, rotation and scale, and rotations of nodes that aren't
    /// joints are interpolated as Euler angles.
    LinesByNode,
}

impl FbxCurves {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AsStored => "",
            Self::LinesByProperty | Self::LinesByNode => {
                "replaces the curves of FBX files by lines"
            }
        }
    }
}

/// Tracks with several keys at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedKeys {
    AsStored,
    /// Only the last of them counts.
    Last,
    /// The same, but until the first time, the first of them counts, and after the last time, as many keys are counted as
    /// there are different times.
    LastByTime,
    /// Only the first of them counts.
    First,
}

impl RepeatedKeys {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::AsStored => "",
            Self::Last | Self::LastByTime => "reads only the last of several keys at the same time",
            Self::First => "reads only the first of several keys at the same time",
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
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::Exact => None,
            Self::Frames(rate) => Some(format!("shows {rate} frames per second")),
            Self::Interpolated(rate) => Some(format!("samples clips at {rate} frames per second")),
        }
    }
}
