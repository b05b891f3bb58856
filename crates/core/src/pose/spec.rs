//! All that decides a pose: clip, moment, sampling, and what is laid over it.

use std::str::FromStr;

use glam::Vec3;

use super::{MorphOverrides, Normals};
use crate::model::{BoneId, Clip, ClipId, KeySpace, Model, Motion};

/// How values between keys come about.
///
/// | clip | Player | Step | Linear | Decomposed |
/// |---|---|---|---|---|
/// | stored matrices | Step | the earlier key | matrices blended | parts blended |
/// | vertex cache | Step | the earlier time | positions blended | positions blended |
/// | tracks whose keys make matrices ([`Interpolation::Matrix`], IQM) | Linear | the earlier frame | matrices blended | parts blended |
/// | other tracks, live curves (glTF, ozz, FBX) | Linear | the earlier frame | the curve itself | the curve itself |
///
/// Frames of tracks and curves lie [`Clip::frame_secs`] apart from the clip's beginning; morph
/// weights go with the bones.
///
/// [`Interpolation::Matrix`]: crate::model::Interpolation::Matrix
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// As players of the format have it.
    #[default]
    Player,
    /// The earlier key or frame holds.
    Step,
    /// Stored matrices are blended component by component; curves are read at the time itself.
    Linear,
    /// Translation and scale are blended linearly, rotation spherically; see `decompose`.
    Decomposed,
}

impl FromStr for Sampling {
    type Err = String;

    /// By the name on the command line.
    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "player" => Self::Player,
            "step" => Self::Step,
            "linear" => Self::Linear,
            "decomposed" => Self::Decomposed,
            _ => return Err(format!("no sampling `{name}`: player, step, linear or decomposed")),
        })
    }
}

impl Sampling {
    /// What this means in `clip`; never [`Sampling::Player`].
    #[must_use]
    pub fn in_clip(self, clip: &Clip) -> Self {
        match (self, &clip.motion) {
            (Self::Player, Motion::Sampled(_) | Motion::VertexCache(_)) => Self::Step,
            (Self::Player, Motion::Tracks(_) | Motion::Curves(_)) => Self::Linear,
            (own, _) => own,
        }
    }
}

/// When.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Moment {
    /// What a viewer shows first: the rest pose, the first key, or the product of a bind pair.
    #[default]
    Default,
    /// On the file's own clock; clamped to the clip.
    TimeSecs(f64),
    /// A key as stored; clamped to the last one. Tracks and curves count frames, which lie
    /// [`Clip::frame_secs`] apart.
    Key(u32),
    /// Outside any clip: the rest transforms and default morph weights. Formats without rest
    /// transforms ([`has_rest_pose`](super::has_rest_pose)) have the bones at their parents.
    Rest,
    /// The pose that meshes were bound in: every vertex as its mesh stores it. Meshes without inverse
    /// bind matrices rest.
    Bind,
}

impl Moment {
    /// Whether it is a pose that belongs to no clip.
    #[must_use]
    pub fn is_still(self) -> bool {
        matches!(self, Self::Rest | Self::Bind)
    }
}

/// A pose that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSpec {
    /// Which clip; the first one where none is named.
    pub clip: Option<ClipId>,
    /// When in the clip.
    pub moment: Moment,
    /// How to read between keys.
    pub sampling: Sampling,
    /// A second clip over it.
    pub layer: Option<ClipLayer>,
    /// Takes the way over the ground out of it.
    pub in_place: Option<InPlace>,
    /// Weights in place of the clip's.
    pub morphs: MorphOverrides,
    /// Whose normals and tangents.
    pub normals: Normals,
}

impl PoseSpec {
    /// A time of a clip, the first where none is named, as its player shows it.
    pub fn at_secs(clip: impl Into<Option<ClipId>>, time_secs: f64) -> Self {
        Self { clip: clip.into(), moment: Moment::TimeSecs(time_secs), ..Self::default() }
    }

    /// A key of a clip, the first where none is named, as its player shows it.
    pub fn at_key(clip: impl Into<Option<ClipId>>, key: u32) -> Self {
        Self { clip: clip.into(), moment: Moment::Key(key), ..Self::default() }
    }

    /// A time of a clip with straight lines between keys.
    pub fn linear(clip: impl Into<Option<ClipId>>, time_secs: f64) -> Self {
        Self { sampling: Sampling::Linear, ..Self::at_secs(clip, time_secs) }
    }

    /// Whether it is just a moment of a clip, with nothing laid over it.
    pub fn is_plain(&self) -> bool {
        self.layer.is_none() && self.in_place.is_none() && self.morphs.is_empty()
    }

    /// The clip that is meant, if the model has any and the pose belongs to one.
    pub fn clip_of<'a>(&self, model: &'a Model) -> Option<&'a Clip> {
        if self.moment.is_still() {
            return None;
        }
        model.clips.get(self.clip.map_or(0, ClipId::index))
    }
}

/// How a second clip is laid over the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerMode {
    /// From the first clip to the second.
    #[default]
    Crossfade,
    /// What leads from the second clip's beginning to its present pose is added.
    AddToStart,
    /// What leads from the rest pose to the second clip's present pose is added.
    AddToRest,
}

/// A second clip over the first. Joined bone by bone: moves and scales along a straight line,
/// turns spherically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipLayer {
    /// Which clip.
    pub clip: ClipId,
    /// When, on its own clock.
    pub time_secs: f64,
    /// How much of it, 0 to 1.
    pub weight: f32,
    /// In which way.
    pub mode: LayerMode,
}

impl ClipLayer {
    /// Whether `over` can be laid over `base`: the keys of both are in bones or both are finished
    /// matrices of meshes. What a vertex cache says of vertices takes no part.
    #[must_use]
    pub fn fits(base: &Clip, over: &Clip) -> bool {
        let is_cache = |clip: &Clip| matches!(clip.motion, Motion::VertexCache(_));
        let is_finished = |clip: &Clip| match &clip.motion {
            Motion::Sampled(motion) => motion.space == KeySpace::Skin,
            _ => false,
        };
        !is_cache(base) && !is_cache(over) && is_finished(base) == is_finished(over)
    }
}

/// Takes the way over the ground out of a pose: a point of a bone stays where it is at the start of
/// the clip, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InPlace {
    /// Whose way it is.
    pub bone: BoneId,
    /// In the bone's space; for finished skinning matrices in the mesh's.
    pub point: Vec3,
}
