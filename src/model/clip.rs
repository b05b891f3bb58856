//! Clips: how a model moves over time.

use std::sync::Arc;

use glam::Vec3;

use super::{Aabb, BoneId, BoneTrack, LiveCurves, MeshId, MorphTrack, PackedKeys};

/// Nanoseconds in a second.
const NANOS_PER_SEC: f64 = 1e9;

/// One named motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Name in the file.
    pub name: String,
    /// Time of the clip's beginning on the file's own clock.
    pub start_secs: f64,
    /// Length of one loop.
    pub duration_secs: f64,
    /// Whether the file says that it is to be repeated.
    pub is_looping: bool,
    /// What moves.
    pub motion: Motion,
    /// Morph weights over time.
    pub morph_tracks: Vec<MorphTrack>,
    /// Things that happen at a time.
    pub events: Vec<Event>,
    /// Bounds of each frame as stored, file space; empty unless the format stores them. Frames are at equal
    /// intervals from start to end.
    pub frame_bounds: Vec<Aabb>,
}

/// What moves in a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// One matrix a bone at equal intervals.
    Sampled(SampledMotion),
    /// Curves of single bones.
    Tracks(Vec<BoneTrack>),
    /// Curves that are read by what made them, at any time.
    Curves(LiveCurves),
    /// Whole vertex positions at given times.
    VertexCache(VertexCache),
}

impl Default for Motion {
    /// Nothing.
    fn default() -> Self {
        Self::Tracks(Vec::new())
    }
}

/// What the matrices of a key map from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySpace {
    /// `model_from_mesh`: inverse bind and parents are already inside.
    Skin,
    /// `parent_from_bone`: parents and inverse bind are still to be applied.
    Local,
}

/// Matrices at equal intervals from time 0, in the file's own bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledMotion {
    /// Duration as stored, in nanoseconds.
    pub duration_ns: u64,
    /// Time between keys as stored, in nanoseconds; 0 means a single pose.
    pub interval_ns: u64,
    /// What the matrices map between.
    pub space: KeySpace,
    /// The two keys are no motion: key 0 is `model_from_bone` and key 1 the inverse bind, and the
    /// pose is their product.
    pub is_bind_pair: bool,
    /// The matrices.
    pub keys: PackedKeys,
}

impl SampledMotion {
    /// Time between keys in seconds.
    pub fn interval_secs(&self) -> f64 {
        self.interval_ns as f64 / NANOS_PER_SEC
    }

    /// Time of `key`.
    pub fn key_secs(&self, key: usize) -> f64 {
        key as f64 * self.interval_secs()
    }

    /// Duration in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.duration_ns as f64 / NANOS_PER_SEC
    }
}

impl Clip {
    /// A clip of sampled keys, which begins at 0.
    #[must_use]
    pub fn sampled(name: String, motion: SampledMotion) -> Self {
        Self {
            name,
            duration_secs: motion.duration_secs(),
            motion: Motion::Sampled(motion),
            ..Self::default()
        }
    }

    /// The sampled keys, where that is what moves.
    pub fn as_sampled(&self) -> Option<&SampledMotion> {
        match &self.motion {
            Motion::Sampled(motion) => Some(motion),
            _ => None,
        }
    }
}

/// Frames a second of clips that do not say: what 3ds Max and FBX's own "default" mode start with,
/// and what every BSM2 file has.
pub const USUAL_FRAMES_PER_SEC: f64 = 30.0;
/// Where keys lie farther apart, sampling puts others between them.
const MAX_INTERVAL_SECS: f64 = 1.0 / 20.0;

impl Clip {
    /// Frames a second where something says so: keys at equal intervals, or the file that live
    /// curves are of (FBX: `TimeMode` and `CustomFrameRate` of its settings).
    pub fn frames_per_sec(&self) -> Option<f64> {
        let rate = match &self.motion {
            Motion::Curves(curves) => curves.0.frames_per_sec(),
            _ => (self.uniform_keys().filter(|(num, _)| *num > 1)).map(|(_, secs)| secs.recip()),
        };
        rate.filter(|rate| rate.is_normal() && *rate > 0.0)
    }

    /// Seconds from one frame to the next, [`USUAL_FRAMES_PER_SEC`] where nothing says otherwise.
    pub fn frame_secs(&self) -> f64 {
        self.frames_per_sec().unwrap_or(USUAL_FRAMES_PER_SEC).recip()
    }

    /// Keys a second that show all of it where nobody asks for a rate: its frames, and where those
    /// are sparse keys, so many between them that there are [`USUAL_FRAMES_PER_SEC`] at least.
    pub fn sampling_rate(&self) -> f64 {
        let frame_secs = self.frame_secs();
        match matches!(self.motion, Motion::Curves(_)) || frame_secs <= MAX_INTERVAL_SECS {
            true => frame_secs.recip(),
            false => (frame_secs * USUAL_FRAMES_PER_SEC - 1e-6).ceil() / frame_secs,
        }
    }
}

/// Keys this much off their place, as a part of the interval, still lie at equal intervals.
const UNIFORM_TOLERANCE: f64 = 1e-3;

impl Clip {
    /// Number of keys and seconds between them, where all keys of all bones and morph targets lie at
    /// the same equal intervals.
    pub fn uniform_keys(&self) -> Option<(usize, f64)> {
        let times: &[f64] = match &self.motion {
            Motion::Sampled(motion) => {
                return Some((motion.keys.num_keys(), motion.interval_secs()));
            }
            Motion::Curves(_) => return None,
            Motion::VertexCache(cache) => &cache.times_secs,
            Motion::Tracks(tracks) => {
                let of_shapes = self.morph_tracks.iter();
                let of_shapes = of_shapes.map(|track| &track.weights.times_secs[..]);
                let of_bones = || tracks.iter().flat_map(BoneTrack::times);
                let of_all = || of_bones().chain(of_shapes.clone());
                // A single key holds always and lies nowhere in particular.
                let mut all = of_all().filter(|times| times.len() > 1);
                let first = all.next().or_else(|| of_all().next())?;
                if !all.all(|times| times == first) {
                    return None;
                }
                first
            }
        };
        let (&first, &last) = (times.first()?, times.last()?);
        let interval = (last - first) / (times.len() - 1).max(1) as f64;
        let is_even = times.iter().enumerate().all(|(key, time)| {
            (time - first - key as f64 * interval).abs() <= interval * UNIFORM_TOLERANCE
        });
        is_even.then_some((times.len(), interval))
    }
}

/// Positions of one mesh at given times.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexCache {
    /// The mesh that is moved.
    pub mesh: MeshId,
    /// Ascending.
    pub times_secs: Vec<f64>,
    /// Number of times x number of vertices, time after time, model space. Shared: it may be most
    /// of a model, and whoever plays the clip wants it too.
    pub positions: Arc<Vec<Vec3>>,
}

/// Something that happens at a time in a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// On the file's own clock.
    pub time_secs: f64,
    /// What the file calls it.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// The bone it belongs to, if any.
    pub bone: Option<BoneId>,
}
