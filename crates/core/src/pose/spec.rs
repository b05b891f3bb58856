//! The inputs that determine a pose: clip, moment, sampling and layers.

use std::str::FromStr;

use glam::Vec3;

use super::{MorphOverrides, Normals};
use crate::model::{BoneId, Clip, ClipId, KeySpace, Model, Motion, display_text, numbers};

/// Times are displayed with three decimals: one that is farther outside a clip wasn't meant to be its end.
const SHOWN_SECS: f64 = 5e-4;

/// How values between keys are computed.
///
/// | clip | Runtime | Step | Linear | Decomposed |
/// |---|---|---|---|---|
/// | stored matrices | Step | the earlier key | matrices blended | parts blended |
/// | vertex cache | Step | the earlier time | positions blended | positions blended |
/// | tracks whose keys make matrices ([`Interpolation::Matrix`], IQM) | Linear | the earlier frame | matrices blended | parts blended |
/// | other tracks, live curves (glTF, ozz, FBX) | Linear | the earlier frame | the curve itself | the curve itself |
///
/// Frames of tracks and curves are [`Clip::frame_secs`] apart, starting at the clip's beginning. Morph
/// weights are sampled like bones.
///
/// [`Interpolation::Matrix`]: crate::model::Interpolation::Matrix
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// As in runtimes of the format.
    #[default]
    Runtime,
    /// The earlier key or frame holds.
    Step,
    /// Stored matrices are blended component by component; curves are read at the exact time.
    Linear,
    /// Translation and scale are blended linearly, rotation spherically; see `decompose`.
    Decomposed,
}

impl FromStr for Sampling {
    type Err = String;

    /// Parses the name on the command line.
    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "player" => Self::Runtime,
            "step" => Self::Step,
            "linear" => Self::Linear,
            "decomposed" => Self::Decomposed,
            _ => {
                return Err(format!(
                    "unknown sampling `{name}`; valid names are player, step, linear and decomposed"
                ));
            }
        })
    }
}

impl Sampling {
    /// The sampling that this resolves to in `clip`; never [`Sampling::Runtime`].
    #[must_use]
    pub fn in_clip(self, clip: &Clip) -> Self {
        match (self, &clip.motion) {
            (Self::Runtime, Motion::VertexAnimation(cache)) if cache.is_blended => Self::Linear,
            (Self::Runtime, Motion::Sampled(_) | Motion::VertexAnimation(_)) => Self::Step,
            (Self::Runtime, Motion::Tracks(_) | Motion::Curves(_)) => Self::Linear,
            (own, _) => own,
        }
    }
}

/// A time or key of a clip, or a pose outside clips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Moment {
    /// The first pose that a viewer shows: the rest pose, the first key, or the product of a bind pair.
    #[default]
    Default,
    /// On the file's own clock; clamped to the clip.
    TimeSecs(f64),
    /// A key as stored; clamped to the last one. For tracks and curves, a frame; frames are
    /// [`Clip::frame_secs`] apart.
    Key(u32),
    /// Outside any clip: the rest transforms and default morph weights. In formats without rest transforms
    /// ([`has_rest_pose`](super::has_rest_pose)), bones are at their parents.
    Rest,
    /// The pose in which meshes were bound: every vertex is at its stored position. Meshes without inverse
    /// bind matrices are at rest.
    Bind,
}

impl Moment {
    /// Whether this pose doesn't belong to a clip.
    #[must_use]
    pub fn is_still(self) -> bool {
        matches!(self, Self::Rest | Self::Bind)
    }
}

/// The description of a pose to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSpec {
    /// `None` is the first clip.
    pub clip: Option<ClipId>,
    /// The time or key in the clip.
    pub moment: Moment,
    /// How values between keys are computed.
    pub sampling: Sampling,
    /// A second clip on top of the first.
    pub layer: Option<ClipLayer>,
    /// Removes horizontal motion.
    pub in_place: Option<InPlace>,
    /// Weights that replace those of the clip.
    pub morphs: MorphOverrides,
    /// The rule for transforming normals and tangents.
    pub normals: Normals,
}

impl PoseSpec {
    /// A time of a clip (by default the first), as in its runtime.
    pub fn at_secs(clip: impl Into<Option<ClipId>>, time_secs: f64) -> Self {
        Self { clip: clip.into(), moment: Moment::TimeSecs(time_secs), ..Self::default() }
    }

    /// A key of a clip (by default the first), as in its runtime.
    pub fn at_key(clip: impl Into<Option<ClipId>>, key: u32) -> Self {
        Self { clip: clip.into(), moment: Moment::Key(key), ..Self::default() }
    }

    /// A time of a clip with linear interpolation between keys.
    pub fn linear(clip: impl Into<Option<ClipId>>, time_secs: f64) -> Self {
        Self { sampling: Sampling::Linear, ..Self::at_secs(clip, time_secs) }
    }

    /// Whether this is just a moment of a clip, without layers.
    pub fn is_plain(&self) -> bool {
        self.layer.is_none() && self.in_place.is_none() && self.morphs.is_empty()
    }

    /// The clip of this pose, if the model has one and the pose belongs to one.
    pub fn clip_of<'a>(&self, model: &'a Model) -> Option<&'a Clip> {
        if self.moment.is_still() {
            return None;
        }
        model.clips.get(self.clip.unwrap_or(ClipId(0)))
    }

    /// A sentence about a time or key that the clip doesn't have; its nearest one is shown instead.
    #[must_use]
    pub fn clamping(&self, model: &Model) -> Option<String> {
        let clip = self.clip_of(model)?;
        let (start_secs, last_secs) = (clip.start_secs, clip.duration_secs.max(0.0));
        let name = display_text::name(&clip.name);
        match self.moment {
            Moment::TimeSecs(time_secs) => {
                let (past, edge, at_secs) = if time_secs < start_secs {
                    (start_secs - time_secs, "start", start_secs)
                } else {
                    let end_secs = start_secs + last_secs;
                    (time_secs - end_secs, "end", end_secs)
                };
                let seconds = |secs| numbers::significant(secs, 5);
                (past > SHOWN_SECS).then(|| {
                    format!(
                        "the time {} s is outside the clip \"{name}\"; using its {edge} at {} s",
                        seconds(time_secs),
                        seconds(at_secs),
                    )
                })
            }
            Moment::Key(key) => {
                let of_time = (last_secs / clip.frame_secs() + 1e-6).floor();
                let stored = clip.as_sampled().map(|motion| motion.keys.num_keys() as f64 - 1.0);
                let last = stored.unwrap_or(of_time).max(0.0);
                (f64::from(key) > last).then(|| {
                    format!(
                        "there is no key {key} in the clip \"{name}\"; using its last key, {last}"
                    )
                })
            }
            Moment::Default | Moment::Rest | Moment::Bind => None,
        }
    }
}

/// How a second clip is combined with the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerMode {
    /// Blends from the first clip to the second.
    #[default]
    Crossfade,
    /// Adds the change from a pose of the second clip, by default its first, to its present pose.
    AddToStart,
    /// Adds the change from the rest pose to the second clip's present pose.
    AddToRest,
}

/// A second clip on top of the first. Combined bone by bone, as [`Model::clip_blending`] describes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipLayer {
    pub clip: ClipId,
    /// On the second clip's own clock.
    pub time_secs: f64,
    /// From 0 to 1.
    pub weight: f32,
    pub mode: LayerMode,
    /// For [`LayerMode::AddToStart`], the time of the pose that is subtracted; `None` is the start of the clip.
    pub reference_secs: Option<f64>,
    /// Only this bone and those below it are affected; morph weights aren't. `None` affects everything.
    pub mask: Option<BoneId>,
}

impl ClipLayer {
    /// Whether `over` can be combined with `base`: the keys of both are relative to bones, or both are baked
    /// skinning matrices. Vertex animations can't be combined.
    #[must_use]
    pub fn fits(base: &Clip, over: &Clip) -> bool {
        let is_cache = |clip: &Clip| matches!(clip.motion, Motion::VertexAnimation(_));
        let is_finished = |clip: &Clip| match &clip.motion {
            Motion::Sampled(motion) => motion.space == KeySpace::Skin,
            _ => false,
        };
        !is_cache(base) && !is_cache(over) && is_finished(base) == is_finished(over)
    }

    /// Whether a layer of `clip` can be limited to some bones. Baked skinning matrices aren't relative to a parent, so
    /// that an arm of one clip wouldn't be at the shoulder of another.
    #[must_use]
    pub fn can_be_masked(clip: &Clip) -> bool {
        match &clip.motion {
            Motion::Sampled(motion) => motion.space != KeySpace::Skin,
            Motion::VertexAnimation(_) => false,
            Motion::Tracks(_) | Motion::Curves(_) => true,
        }
    }
}

/// Removes horizontal motion from a pose: seen from above, a point of a bone keeps its position from the
/// start of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InPlace {
    /// The bone whose motion is removed.
    pub bone: BoneId,
    /// In the bone's space; for baked skinning matrices, in the mesh's.
    pub point: Vec3,
}
