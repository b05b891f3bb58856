//! Clips: how a model moves over time.

use std::sync::Arc;

use glam::Vec3;

use super::{
    Aabb, BoneId, BoneTrack, Interpolation, LiveCurves, MeshId, MorphTrack, PackedKeys, Track,
    TrackValue,
};

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
/// Frame rates of animation programs; most files with keys at uneven intervals have them on frames.
const FRAME_RATES: [f64; 8] = [USUAL_FRAMES_PER_SEC, 24.0, 25.0, 60.0, 48.0, 50.0, 120.0, 100.0];
/// Keys this much off a frame, as a part of its length, are on it.
const FRAME_TOLERANCE: f64 = 1e-2;
/// Most keys per second along steep curves: four for each frame of a display.
const MAX_CURVE_RATE: f64 = 240.0;

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

    /// Keys per second that show all of it if no rate is requested: its own frames, and a whole number
    /// of keys for each of them where frames are sparse ([`USUAL_FRAMES_PER_SEC`] at least) or curves
    /// between them are steep ([`Self::curve_rate`]). Keys that are on no frames are sampled at least as often
    /// as they are.
    pub fn sampling_rate(&self) -> f64 {
        if matches!(self.motion, Motion::Curves(_)) {
            return self.frame_secs().recip();
        }
        let own = self.frames_per_sec().or_else(|| self.key_rate());
        let frame_secs = own.unwrap_or(USUAL_FRAMES_PER_SEC).recip();
        let rate = match frame_secs <= MAX_INTERVAL_SECS {
            true => frame_secs.recip(),
            false => (frame_secs * USUAL_FRAMES_PER_SEC - 1e-6).ceil() / frame_secs,
        };
        // Doubled, so that clips of one file stay at rates that fit on one time line.
        let mut parts = 1.0;
        let densest = if own.is_none() { self.densest_rate() } else { None };
        for least in [self.curve_rate(), densest].into_iter().flatten() {
            while rate * parts < least * (1.0 - 1e-6) {
                parts *= 2.0;
            }
        }
        rate * parts
    }

    /// Keys per second of the track that has most, 240 at most.
    fn densest_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        let rates = tracks.iter().flat_map(BoneTrack::times).chain(of_morphs).filter_map(|times| {
            let secs = times.last()? - times.first()?;
            (secs > 0.0).then(|| (times.len() - 1) as f64 / secs)
        });
        rates.reduce(f64::max).map(|rate| rate.min(MAX_CURVE_RATE))
    }

    /// The first of the usual frame rates that has all keys on frames, for keys at uneven intervals.
    pub fn key_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        let times = || tracks.iter().flat_map(BoneTrack::times).chain(of_morphs.clone()).flatten();
        let is_on_frame = |time: &f64, rate: f64| {
            let frame = (time - self.start_secs) * rate;
            (frame - frame.round()).abs() <= FRAME_TOLERANCE
        };
        let mut rates = FRAME_RATES.into_iter();
        rates.find(|&rate| times().all(|time| is_on_frame(time, rate)))
    }

    /// Whether anything moves along curves between keys, so that it may move between equal keys.
    pub fn has_curves(&self) -> bool {
        fn is_cubic<T>(track: &Option<Track<T>>) -> bool {
            track.as_ref().is_some_and(|track| track.interpolation == Interpolation::Cubic)
        }
        let of_bones = |track: &BoneTrack| {
            is_cubic(&track.translation) || is_cubic(&track.rotation) || is_cubic(&track.scale)
        };
        let is_curved = match &self.motion {
            Motion::Curves(_) => true,
            Motion::Tracks(tracks) => tracks.iter().any(of_bones),
            Motion::Sampled(_) | Motion::VertexCache(_) => false,
        };
        let mut weights = self.morph_tracks.iter().map(|track| track.weights.interpolation);
        is_curved || weights.any(|interpolation| interpolation == Interpolation::Cubic)
    }

    /// Linear keys per second that follow the cubic and stepped tracks; `None` if no such track moves.
    ///
    /// Lines between keys at this rate stay within 0.1 % of the range of each cubic curve
    /// ([`Track::straight_parts`]) as long as that takes no more than 240 keys per second; a step becomes
    /// a ramp from one key to the next.
    pub fn curve_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        let of_bones = tracks.iter().flat_map(|track| {
            let [moved, scaled] = [&track.translation, &track.scale]
                .map(|track| track.as_ref().and_then(rate_of_curve));
            [moved, track.rotation.as_ref().and_then(rate_of_curve), scaled]
        });
        let of_morphs = self.morph_tracks.iter().map(|track| rate_of_curve(&track.weights));
        let rates = of_bones.chain(of_morphs).flatten();
        rates.reduce(f64::max).map(|rate| rate.min(MAX_CURVE_RATE))
    }
}

/// Linear keys per second that follow a cubic or stepped track; `None` for others, and for cubic ones
/// that are straight from key to key.
fn rate_of_curve<T: TrackValue>(track: &Track<T>) -> Option<f64> {
    match track.interpolation {
        Interpolation::Step => track.varies().then_some(MAX_INTERVAL_SECS.recip()),
        Interpolation::Cubic => {
            let parts = track.straight_parts();
            let bent = parts.filter(|(span, num_parts)| *num_parts > 1 && span.secs > 0.0);
            bent.map(|(span, num_parts)| f64::from(num_parts) / span.secs).reduce(f64::max)
        }
        Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => None,
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

#[cfg(test)]
mod tests {
    use crate::model::testing::*;
    use glam::Vec3;

    fn moved(times_secs: &[f64], interpolation: Interpolation, tangent: f32) -> Clip {
        let value = |at: usize| Vec3::X * if at.is_multiple_of(2) { 0.0 } else { 1.0 };
        let tangent = Vec3::X * tangent;
        let values = (0..times_secs.len()).flat_map(|at| match interpolation {
            Interpolation::Cubic => vec![tangent, value(at), tangent],
            _ => vec![value(at)],
        });
        let track =
            Track { times_secs: times_secs.to_vec(), values: values.collect(), interpolation };
        let clip = ModelBuilder::new().clip("a", times_secs.last().copied().unwrap_or_default());
        clip.translation(0, track).into_clip()
    }

    #[test]
    fn linear_keys_are_sampled_where_they_are() {
        use Interpolation::Linear;
        assert_eq!(moved(&[0.0, 0.04, 0.08], Linear, 0.0).sampling_rate(), 25.0);
        // On frames of 24 per second, though not on each.
        let uneven = moved(&[0.0, 1.0 / 24.0, 10.0 / 24.0], Linear, 0.0);
        assert_eq!((uneven.key_rate(), uneven.sampling_rate()), (Some(24.0), 24.0));
        assert_eq!(uneven.curve_rate(), None);
        assert_eq!(moved(&[0.0, 0.0123, 0.1], Linear, 0.0).sampling_rate(), 30.0);
        let dense: Vec<f64> = (0..29u8).map(|key| 0.4 * f64::from(key) / 28.0).collect();
        let off_frames = moved(&[&dense[..], &[1.0]].concat(), Linear, 0.0);
        assert_eq!((off_frames.key_rate(), off_frames.sampling_rate()), (None, 30.0));
        let off_frames = moved(&[&dense[..], &[0.45]].concat(), Linear, 0.0);
        assert_eq!((off_frames.key_rate(), off_frames.sampling_rate()), (None, 120.0));
    }

    #[test]
    fn cubic_curves_are_sampled_at_multiples_of_the_frame_rate() {
        let eased = moved(&[0.0, 0.4, 0.8], Interpolation::Cubic, 0.0);
        // An ease is up to 3/4 of its range off a line: 28 lines in 0.4 s.
        assert_eq!(eased.curve_rate(), Some(28.0 / 0.4));
        assert!((eased.sampling_rate() - 120.0).abs() < 1e-9, "{}", eased.sampling_rate());
        let frames: Vec<f64> = (0..25).map(|frame| f64::from(frame) / 24.0).collect();
        let straight = moved(&frames[..2], Interpolation::Cubic, 24.0);
        assert_eq!(straight.curve_rate(), None);
        let sudden = moved(&[0.0, 1e-3, 1.0], Interpolation::Cubic, 0.0);
        assert!(sudden.sampling_rate() <= 480.0, "{}", sudden.sampling_rate());
    }

    #[test]
    fn steps_are_sampled_at_frames() {
        let steps = moved(&[0.0, 1.0, 2.0], Interpolation::Step, 0.0);
        assert_eq!(steps.sampling_rate(), 30.0);
        let dense = moved(&[0.0, 0.04, 0.08], Interpolation::Step, 0.0);
        assert_eq!(dense.sampling_rate(), 25.0);
    }
}
