//! Clips: how a model moves over time.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;

use super::essential_keys::essential_times;
use super::{
    Aabb, BoneId, BoneTrack, CurveAt, Interpolation, LiveCurves, MaterialTrack, MeshId, MorphTrack,
    PackedKeys, Track, TrackValue,
};

/// Nanoseconds per second.
const NANOS_PER_SEC: f64 = 1e9;

/// A named animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Name in the file.
    pub name: String,
    /// Start time on the file's own clock.
    pub start_secs: f64,
    /// Duration of one loop.
    pub duration_secs: f64,
    /// Whether the file marks the clip as looping.
    pub is_looping: bool,
    /// The animation of bones or vertices.
    pub motion: Motion,
    /// Morph weights over time.
    pub morph_tracks: Vec<MorphTrack>,
    /// Material parameters over time. Writers copy them, so that they have no effect on the rates at which clips are
    /// sampled.
    pub material_tracks: Vec<MaterialTrack>,
    /// Timed events such as sounds and footsteps.
    pub events: Vec<Event>,
    /// Bounds per frame as stored, in file space; empty unless the format stores them. Frames are
    /// evenly spaced from start to end.
    pub frame_bounds: Vec<Aabb>,
    /// Curves whose keys aren't stored in the order of their times. The check sorts the keys of tracks. Rules that
    /// compare neighbouring keys skip these curves.
    pub unsorted_curves: Vec<CurveAt>,
}

/// The animation data of a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// One matrix per bone and key, at equal intervals.
    Sampled(SampledMotion),
    /// Keyframe curves per bone.
    Tracks(Vec<BoneTrack>),
    /// Curves evaluated at any time by the library that read them.
    Curves(LiveCurves),
    /// Vertex positions at given times.
    VertexAnimation(VertexAnimation),
}

impl Default for Motion {
    /// No motion.
    fn default() -> Self {
        Self::Tracks(Vec::new())
    }
}

/// The spaces that the matrices of a key map between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySpace {
    /// `model_from_mesh`: baked skinning matrices, which already contain the inverse bind and the
    /// parents.
    Skin,
    /// `parent_from_bone`: parents and the inverse bind must still be applied.
    Local,
}

/// Matrices at equal intervals from time 0, still in the file's bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledMotion {
    /// Duration as stored, in nanoseconds.
    pub duration_ns: u64,
    /// Time between keys as stored, in nanoseconds; 0 for a single pose.
    pub interval_ns: u64,
    /// The spaces that the matrices map between.
    pub space: KeySpace,
    /// The two keys aren't an animation: key 0 is `model_from_bone`, key 1 is the inverse bind, and
    /// the pose is their product.
    pub is_bind_pair: bool,
    /// The matrices of all keys.
    pub keys: PackedKeys,
}

impl SampledMotion {
    /// Time between keys in seconds.
    pub fn interval_secs(&self) -> f64 {
        self.interval_ns as f64 / NANOS_PER_SEC
    }

    /// Time of `key` in seconds.
    pub fn key_secs(&self, key: usize) -> f64 {
        key as f64 * self.interval_secs()
    }

    /// Duration in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.duration_ns as f64 / NANOS_PER_SEC
    }
}

impl Clip {
    /// A clip of sampled keys that starts at 0.
    #[must_use]
    pub fn sampled(name: String, motion: SampledMotion) -> Self {
        Self {
            name,
            duration_secs: motion.duration_secs(),
            motion: Motion::Sampled(motion),
            ..Self::default()
        }
    }

    /// The key times of each track of morph weights and material parameters.
    pub fn value_times(&self) -> impl Iterator<Item = &[f64]> {
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        let of_materials = self.material_tracks.iter().map(|track| &track.values.times_secs[..]);
        of_morphs.chain(of_materials)
    }

    /// The sampled keys, if the clip has them.
    pub fn as_sampled(&self) -> Option<&SampledMotion> {
        match &self.motion {
            Motion::Sampled(motion) => Some(motion),
            _ => None,
        }
    }
}

/// Frame rate of clips that don't state one: the initial setting of 3ds Max and FBX's own "default"
/// mode, and the rate of every BSM2 file.
pub const USUAL_FRAMES_PER_SEC: f64 = 30.0;
/// If keys are farther apart than this, sampling inserts others between them.
const MAX_INTERVAL_SECS: f64 = 1.0 / 20.0;
/// Frame rates of animation programs; most files with unevenly spaced keys have them on whole
/// frames.
const FRAME_RATES: [f64; 8] = [USUAL_FRAMES_PER_SEC, 24.0, 25.0, 60.0, 48.0, 50.0, 120.0, 100.0];
/// Keys within this fraction of a frame from a frame count as being on it.
const FRAME_TOLERANCE: f64 = 1e-2;
/// Upper limit of keys per second for steep curves: four per display frame at 60 Hz.
const MAX_CURVE_RATE: f64 = 240.0;

impl Clip {
    /// Frame rate, if it is known: from keys at equal intervals, or from the file of live curves
    /// (FBX: `TimeMode` and `CustomFrameRate` of its settings).
    pub fn frames_per_sec(&self) -> Option<f64> {
        let rate = match &self.motion {
            Motion::Curves(curves) => curves.0.frames_per_sec(),
            _ => (self.uniform_keys().filter(|(num, _)| *num > 1)).map(|(_, secs)| secs.recip()),
        };
        rate.filter(|rate| rate.is_normal() && *rate > 0.0)
    }

    /// Seconds per frame; [`USUAL_FRAMES_PER_SEC`] applies if the frame rate is unknown.
    pub fn frame_secs(&self) -> f64 {
        self.frames_per_sec().unwrap_or(USUAL_FRAMES_PER_SEC).recip()
    }

    /// Keys per second that reproduce the clip if no rate is requested: its own frames, with a
    /// whole number of keys per frame if frames are sparse (at least [`USUAL_FRAMES_PER_SEC`]) or
    /// the curves between them are steep ([`Self::curve_rate`]). Keys that aren't on frames are
    /// sampled at least at their own density.
    pub fn sampling_rate(&self) -> f64 {
        if matches!(self.motion, Motion::Curves(_)) {
            return self.frame_secs().recip();
        }
        let own = self.frames_per_sec().or_else(|| self.key_rate());
        let frame_secs = own.unwrap_or(USUAL_FRAMES_PER_SEC).recip();
        let rate = if frame_secs <= MAX_INTERVAL_SECS {
            frame_secs.recip()
        } else {
            (frame_secs * USUAL_FRAMES_PER_SEC - 1e-6).ceil() / frame_secs
        };
        // Doubled, so that the clips of a file keep rates that fit on one timeline.
        let mut parts = 1.0;
        let densest = if own.is_none() { self.densest_rate() } else { None };
        for least in [self.curve_rate(), densest].into_iter().flatten() {
            while rate * parts < least * (1.0 - 1e-6) {
                parts *= 2.0;
            }
        }
        rate * parts
    }

    /// Keys per second of the densest track, at most 240.
    fn densest_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        let rates = tracks.iter().flat_map(BoneTrack::times).chain(of_morphs).filter_map(|times| {
            let secs = times.last()? - times.first()?;
            (secs > 0.0).then(|| (times.len() - 1) as f64 / secs)
        });
        rates.reduce(f64::max).map(|rate| rate.min(MAX_CURVE_RATE))
    }

    /// For keys at uneven intervals: the rate of the keys that aren't determined by others, or else the first common
    /// frame rate at which all keys are on frames.
    pub fn key_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        if let Some(rate) = self.essential_rate() {
            return Some(rate);
        }
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        let times = || tracks.iter().flat_map(BoneTrack::times).chain(of_morphs.clone()).flatten();
        let is_on_frame = |time: &f64, rate: f64| {
            let frame = (time - self.start_secs) * rate;
            (frame - frame.round()).abs() <= FRAME_TOLERANCE
        };
        let mut rates = FRAME_RATES.into_iter();
        rates.find(|&rate| times().all(|time| is_on_frame(time, rate)))
    }

    /// Keys per second without keys that others determine; `None` without such keys.
    fn essential_rate(&self) -> Option<f64> {
        let Motion::Tracks(tracks) = &self.motion else { return None };
        let mut has_others = false;
        let mut lists: Vec<Cow<'_, [f64]>> = Vec::new();
        for track in tracks {
            let moved = track.translation.as_ref().map(|track| &track.times_secs[..]);
            let scaled = track.scale.as_ref().map(|track| &track.times_secs[..]);
            lists.extend([moved, scaled].into_iter().flatten().map(Cow::Borrowed));
            if let Some(rotation) = &track.rotation {
                let essential = essential_times(rotation);
                has_others |= essential.is_some();
                lists.push(essential.map_or(Cow::Borrowed(&rotation.times_secs[..]), Cow::Owned));
            }
        }
        let of_morphs = self.morph_tracks.iter().map(|track| &track.weights.times_secs[..]);
        lists.extend(of_morphs.map(Cow::Borrowed));
        let gaps = lists.iter().flat_map(|list| list.windows(2));
        let gaps = gaps.filter_map(|pair| Some(pair.last()? - pair.first()?));
        let secs = gaps.reduce(f64::min).filter(|secs| has_others && *secs > 0.0)?;
        let is_on_frame = |time: &f64| {
            let frame = (time - self.start_secs) / secs;
            (frame - frame.round()).abs() <= FRAME_TOLERANCE
        };
        let all = lists.iter().all(|list| list.iter().all(is_on_frame));
        Some(secs.recip()).filter(|rate| all && rate.is_normal())
    }

    /// Whether anything moves along curves, which may vary between equal keys.
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
            Motion::Sampled(_) | Motion::VertexAnimation(_) => false,
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

/// Linear keys per second that follow a cubic or stepped track; `None` for other tracks, and for
/// cubic ones that are straight between keys.
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

/// Keys within this fraction of the interval from their place still count as evenly spaced.
const UNIFORM_TOLERANCE: f64 = 1e-3;

impl Clip {
    /// Number of keys and seconds between them, if the keys of all bones and morph targets are at
    /// the same equal intervals.
    pub fn uniform_keys(&self) -> Option<(usize, f64)> {
        let times: &[f64] = match &self.motion {
            Motion::Sampled(motion) => {
                return Some((motion.keys.num_keys(), motion.interval_secs()));
            }
            Motion::Curves(_) => return None,
            Motion::VertexAnimation(cache) => &cache.times_secs,
            Motion::Tracks(tracks) => {
                let of_shapes = self.morph_tracks.iter();
                let of_shapes = of_shapes.map(|track| &track.weights.times_secs[..]);
                let of_bones = || tracks.iter().flat_map(BoneTrack::times);
                let of_all = || of_bones().chain(of_shapes.clone());
                // A single key applies at all times, so its own time doesn't matter.
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
pub struct VertexAnimation {
    /// The animated mesh.
    pub mesh: MeshId,
    /// Runtimes of the format blend the positions of two times; otherwise the earlier ones are held.
    pub is_blended: bool,
    /// Ascending, in seconds.
    pub times_secs: Vec<f64>,
    /// One position per time and vertex, time by time, in model space. Shared, since this can be
    /// most of a model and playback needs it too.
    pub positions: Arc<Vec<Vec3>>,
}

/// An event at a time in a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In seconds on the file's own clock.
    pub time_secs: f64,
    /// Name in the file.
    pub name: String,
    /// The event's value as text.
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
    fn linear_keys_keep_their_own_rate() {
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
        // An ease deviates by up to 3/4 of its range from a line: 28 lines in 0.4 s.
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
