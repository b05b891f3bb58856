//! Which stored keys make up a moment of a clip.

use super::Normals;
use super::layer::{ClipLayer, InPlace, MorphOverrides};
use crate::model::{Clip, ClipId, Model, Motion, SampledMotion};

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
    /// Whether it is just a moment of a clip, with nothing laid over it.
    pub fn is_plain(&self) -> bool {
        self.layer.is_none() && self.in_place.is_none() && self.morphs.is_empty()
    }

    /// The clip that is meant, if the model has any.
    pub fn clip_of<'a>(&self, model: &'a Model) -> Option<&'a Clip> {
        model.clips.get(self.clip.map_or(0, ClipId::index))
    }
}

/// Two stored keys and how to join them: all that playing a clip sends to the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyBlend {
    /// Earlier key.
    pub key0: u32,
    /// Later key.
    pub key1: u32,
    /// Share of the later key, 0 with step sampling.
    pub fraction: f32,
    /// The matrices are multiplied (`key0 * key1`) and not blended: a bind pair.
    pub is_product: bool,
}

/// A time this close to a key, as part of the interval, is that key: `k * interval / interval`
/// need not give back `k` exactly.
const ON_KEY: f64 = 1e-6;

/// A position among keys, as a number of intervals; a key itself where it is one but for rounding.
pub(super) fn on_key(position: f64) -> f64 {
    match (position - position.round()).abs() < ON_KEY {
        true => position.round(),
        false => position,
    }
}

/// The keys that make up `moment`; `None` when the clip has none.
#[must_use]
pub fn blend_keys(motion: &SampledMotion, moment: Moment, sampling: Sampling) -> Option<KeyBlend> {
    let last = u32::try_from(motion.keys.num_keys()).ok()?.checked_sub(1)?;
    let hold = |key: u32| KeyBlend {
        key0: key.min(last),
        key1: key.min(last),
        fraction: 0.0,
        is_product: false,
    };
    let time_secs = match moment {
        Moment::Default if motion.is_bind_pair => {
            return Some(KeyBlend { key0: 0, key1: 1, fraction: 0.0, is_product: true });
        }
        Moment::Default => return Some(hold(0)),
        Moment::Key(key) => return Some(hold(key)),
        Moment::TimeSecs(time_secs) => time_secs,
    };
    if motion.interval_ns == 0 || time_secs.is_nan() {
        return Some(hold(0));
    }
    let position = on_key((time_secs / motion.interval_secs()).clamp(0.0, f64::from(last)));
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the keys")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to the keys")]
    let key0 = position.floor() as u32;
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
    let fraction = (position - position.floor()) as f32;
    if matches!(sampling, Sampling::Step | Sampling::Player) || fraction == 0.0 {
        return Some(hold(key0));
    }
    Some(KeyBlend { key0, key1: (key0 + 1).min(last), fraction, is_product: false })
}
