//! The moments at which two clips are compared: the keys of both, the middle between them, and eighths of the
//! intervals in which they differ most.
//!
//! A key that both sides have at the same time, except for rounding, is a single instant with two times: each
//! side is sampled at its own time, so that held keys have stepped on both.

use super::posed::is_bind_pair;
use crate::model::{BoneTrack, Clip, Motion};

/// The most keys of a clip to compare, evenly chosen.
const MAX_KEYS: usize = 1 << 16;
/// Keys closer than this are the same: clocks are in nanoseconds or single precision.
const SAME_SECS: f64 = 1e-4;
/// The same limit as a fraction of the mean interval.
const SAME_OF_INTERVAL: f64 = 0.01;
/// Keys of several curves of one clip closer than this are the same.
const SAME_KEY_SECS: f64 = 1e-9;
/// Number of parts into which an interval is divided.
pub(super) const NUM_PARTS: u32 = 8;

/// A moment of both clips, each relative to its beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instant {
    pub(super) source_secs: f64,
    pub(super) made_secs: f64,
    /// The key of the resulting clip at this moment, if all moving bones and morphs have a key then. `None`
    /// if only some curves have one (writers add keys to long rotations), and if the source has stored keys
    /// but none at this time, because its runtime holds where others blend.
    pub(super) made_key: Option<u32>,
}

impl Instant {
    /// The moment at fraction `share` between this one and a later one.
    pub(super) fn until(&self, later: &Self, share: f64) -> Self {
        let between = |a: f64, b: f64| a + (b - a) * share;
        Self {
            source_secs: between(self.source_secs, later.source_secs),
            made_secs: between(self.made_secs, later.made_secs),
            made_key: None,
        }
    }
}

/// The moments that are keys of either clip, relative to the beginning of each clip; at least one.
#[must_use]
pub fn key_moments(source: &Clip, made: &Clip) -> Vec<(f64, f64)> {
    let all = keys(Some(source), Some(made)).into_iter();
    all.map(|instant| (instant.source_secs, instant.made_secs)).collect()
}

/// The moments that are keys of both clips, or of the written one if the source stores none; at least one.
#[must_use]
pub fn shared_key_moments(source: &Clip, made: &Clip) -> Vec<(f64, f64)> {
    let all = keys(Some(source), Some(made)).into_iter();
    let shared = all.filter(|instant| instant.made_key.is_some());
    let shared: Vec<_> = shared.map(|instant| (instant.source_secs, instant.made_secs)).collect();
    if shared.is_empty() { key_moments(source, made) } else { shared }
}

/// The keys of both clips in order, at least one; nothing moves after the last or before the first.
pub(super) fn keys(source: Option<&Clip>, made: Option<&Clip>) -> Vec<Instant> {
    let source_holds = source.is_some_and(|clip| {
        matches!(clip.motion, Motion::Sampled(_) | Motion::VertexAnimation(_))
            && !is_bind_pair(clip)
    });
    let times = |clip: Option<&Clip>| clip.map(key_times).unwrap_or_default();
    let source_secs: Vec<f64> = times(source).iter().map(|time| time.secs).collect();
    let made_times = times(made);
    let made_secs: Vec<f64> = made_times.iter().map(|time| time.secs).collect();
    let interval = |times: &[f64]| match times {
        [first, .., last] => (last - first) / (times.len() - 1) as f64,
        _ => f64::INFINITY,
    };
    let shortest = interval(&source_secs).min(interval(&made_secs));
    let same_secs = SAME_SECS.min(SAME_OF_INTERVAL * shortest);
    let mut out = Vec::with_capacity(source_secs.len().max(made_secs.len()));
    let mut source = source_secs.into_iter().peekable();
    let mut num_keys = 0;
    let number = |time: &KeyTime| {
        num_keys += u32::from(time.is_whole);
        (time.is_whole.then(|| num_keys - 1), time.secs)
    };
    let numbered: Vec<(Option<u32>, f64)> = made_times.iter().map(number).collect();
    let mut made = numbered.into_iter().peekable();
    loop {
        let instant = match (source.peek().copied(), made.peek().copied()) {
            (None, None) => break,
            (Some(a), Some((key, b))) if (a - b).abs() <= same_secs => {
                source.next();
                made.next();
                (a, b, key)
            }
            (Some(a), Some((_, b))) if a < b => {
                source.next();
                (a, a, None)
            }
            (Some(a), None) => {
                source.next();
                (a, a, None)
            }
            (_, Some((key, b))) => {
                made.next();
                (b, b, key.filter(|_| !source_holds))
            }
        };
        let (source_secs, made_secs, made_key) = instant;
        out.push(Instant { source_secs, made_secs, made_key });
    }
    if made_times.len() == 1 {
        // A single key is shown all the time.
        for instant in &mut out {
            instant.made_key = Some(0);
        }
    }
    if out.is_empty() {
        out.push(Instant { source_secs: 0.0, made_secs: 0.0, made_key: None });
    }
    out
}

/// A key time of a clip.
#[derive(Clone, Copy, Debug)]
struct KeyTime {
    /// Relative to the clip's beginning.
    secs: f64,
    /// Whether all moving bones and morphs have a key then.
    is_whole: bool,
}

/// The keys of a clip, in ascending order, including its beginning and end.
fn key_times(clip: &Clip) -> Vec<KeyTime> {
    let whole = |secs: f64| KeyTime { secs, is_whole: true };
    let duration = clip.duration_secs.max(0.0);
    if is_bind_pair(clip) {
        return vec![whole(0.0)];
    }
    let mut frames = Vec::new();
    let mut lists: Vec<&[f64]> = Vec::new();
    match &clip.motion {
        Motion::Sampled(motion) => {
            return chosen(motion.keys.num_keys(), |key| whole(motion.key_secs(key)));
        }
        Motion::VertexAnimation(cache) => lists.push(&cache.times_secs),
        Motion::Tracks(tracks) => {
            for own in tracks.iter().flat_map(BoneTrack::times) {
                // Usually all curves have the same keys.
                if lists.last() != Some(&own) {
                    lists.push(own);
                }
            }
        }
        Motion::Curves(_) => frames = frame_times(clip, duration),
    }
    lists.extend(clip.morph_tracks.iter().map(|track| &track.weights.times_secs[..]));
    let since = |time: &f64| time - clip.start_secs;
    let mut times = frames;
    times.extend(lists.iter().flat_map(|list| list.iter().map(since)));
    times.retain(|&time| time.is_finite() && time >= 0.0 && time <= duration);
    times.extend([0.0, duration]);
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, first| *later - *first <= SAME_KEY_SECS);
    // Constant curves have one or two keys, at any time.
    let moves = |list: &&&[f64]| list.len() > 2;
    let mut moving: Vec<&[f64]> = lists.iter().filter(moves).copied().collect();
    if moving.is_empty() {
        moving = lists;
    }
    let has_key = |list: &&[f64], secs: f64| {
        let time = secs + clip.start_secs;
        let next = list.partition_point(|&own| own < time - SAME_KEY_SECS);
        list.get(next).is_some_and(|&own| own <= time + SAME_KEY_SECS)
    };
    chosen(times.len(), |at| {
        let secs = times.get(at).copied().unwrap_or(duration);
        KeyTime { secs, is_whole: moving.iter().all(|list| has_key(list, secs)) }
    })
}

/// Live curves have no keys: use the frames at which they are sampled.
fn frame_times(clip: &Clip, duration: f64) -> Vec<f64> {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let num = (duration * clip.sampling_rate()).ceil() as usize;
    let last = num.max(1) as f64;
    let at = |step: usize| (step as f64 / clip.sampling_rate()).min(duration);
    if num < MAX_KEYS {
        (0..=num).map(at).collect()
    } else {
        chosen(MAX_KEYS, |step| duration * step as f64 / last.min(MAX_KEYS as f64))
    }
}

/// `time` of each of `num` keys; if there are too many, of an even selection that includes the last.
fn chosen<T>(num: usize, time: impl Fn(usize) -> T) -> Vec<T> {
    if num <= MAX_KEYS {
        return (0..num).map(time).collect();
    }
    let key = |at: usize| (at as u128 * (num - 1) as u128 / (MAX_KEYS - 1) as u128) as usize;
    (0..MAX_KEYS).map(|at| time(key(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;

    fn sampled(num_keys: usize, interval_ns: u64) -> Clip {
        let matrices = vec![glam::Affine3A::IDENTITY; num_keys];
        crate::model::testing::sampled("a", KeySpace::Skin, interval_ns, 1, &matrices)
    }

    #[test]
    fn keys_of_both_clips_are_merged_and_equal_times_are_one_instant() {
        let (a, b) = (sampled(4, 33_333_333), sampled(4, 33_333_334));
        let both = keys(Some(&a), Some(&b));
        assert_eq!(both.len(), 4);
        assert!(both[3].source_secs < both[3].made_secs);
        assert_eq!(both[3].made_key, Some(3));
        let other = sampled(3, 50_000_000);
        let both = keys(Some(&a), Some(&other));
        let millis = both.iter().map(|instant| (instant.source_secs * 1e3).round());
        assert_eq!(millis.collect::<Vec<_>>(), [0.0, 33.0, 50.0, 67.0, 100.0]);
        assert_eq!(keys(None, None).len(), 1);
        assert_eq!(keys(Some(&a), None).len(), 4);
    }

    #[test]
    fn key_in_only_some_curves_counts_as_between_keys() {
        let rotation = |times: &[f64]| linear(times.iter().map(|&at| (at, glam::Quat::IDENTITY)));
        let clip = ModelBuilder::new()
            .clip("a", 1.0)
            .rotation(0, rotation(&[0.0, 0.5, 1.0]))
            .rotation(1, rotation(&[0.0, 0.25, 0.5, 1.0]))
            .rotation(2, rotation(&[0.0, 1.0]))
            .into_clip();
        let numbers = keys(None, Some(&clip)).into_iter().map(|at| at.made_key);
        assert_eq!(numbers.collect::<Vec<_>>(), [Some(0), None, Some(1), Some(2)]);
    }
}
