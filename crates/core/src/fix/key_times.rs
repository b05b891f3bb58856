//! Fixes of key times.

use std::ops::Range;

use crate::model::{Clip, Interpolation, Model, Motion, Track};
use crate::validate::end_tolerance_secs;

/// A change of the curves of a clip, whatever their values are.
trait Change {
    fn apply<T: Copy + Default + PartialEq>(&self, clip: &Range<f64>, track: &mut Track<T>);
}

fn for_each_track(model: &mut Model, change: &impl Change) {
    for clip in &mut model.clips {
        let span = clip.start_secs..clip.start_secs + clip.duration_secs;
        let Clip { motion, morph_tracks, material_tracks, .. } = clip;
        if let Motion::Tracks(tracks) = motion {
            for track in tracks {
                track.translation.iter_mut().for_each(|own| change.apply(&span, own));
                track.rotation.iter_mut().for_each(|own| change.apply(&span, own));
                track.scale.iter_mut().for_each(|own| change.apply(&span, own));
            }
        }
        morph_tracks.iter_mut().for_each(|own| change.apply(&span, &mut own.weights));
        material_tracks.iter_mut().for_each(|own| change.apply(&span, &mut own.values));
    }
}

/// The interval between keys that had the same time, in seconds and as a fraction of the time, which files round to
/// single precision.
const INTERVAL_SECS: f64 = 1e-4;
const INTERVAL_SHARE: f64 = 4e-6;

/// Gives keys different times, practically without a change of the motion.
pub(super) fn separate(model: &mut Model) {
    for_each_track(model, &Separate);
}

struct Separate;

impl Change for Separate {
    fn apply<T: Copy + Default + PartialEq>(&self, _: &Range<f64>, track: &mut Track<T>) {
        let times = &track.times_secs;
        if !times.windows(2).any(|pair| pair.first() == pair.last()) {
            return;
        }
        let (_, step) = track.key_layout();
        let mut keys: Vec<(f64, Vec<T>)> = Vec::with_capacity(times.len());
        let stored: Vec<(f64, &[T])> =
            times.iter().copied().zip(track.values.chunks(step)).collect();
        for same in stored.chunk_by(|(a, _), (b, _)| a == b) {
            // Of several keys, the first ends the motion before them, and the last begins the motion after them.
            if let [(time, first), _, ..] = same {
                let before = just_before(*time);
                let is_free = keys.last().is_none_or(|(time, _)| *time < before);
                if before >= 0.0 && is_free {
                    keys.push((before, first.to_vec()));
                }
            }
            keys.extend(same.last().map(|(time, values)| (*time, values.to_vec())));
        }
        track.times_secs = keys.iter().map(|(time, _)| *time).collect();
        track.values = keys.into_iter().flat_map(|(_, values)| values).collect();
    }
}

/// A time shortly before another, in single precision.
fn just_before(time_secs: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "files store single precision")]
    let single = (time_secs - INTERVAL_SECS.max(time_secs * INTERVAL_SHARE)) as f32;
    f64::from(single)
}

/// Adds keys at the ends of clips to curves that begin later or end earlier. They repeat the first and the last value,
/// which are played there anyway.
pub(super) fn span_clips(model: &mut Model) {
    for_each_track(model, &SpanClips);
}

struct SpanClips;

impl Change for SpanClips {
    fn apply<T: Copy + Default + PartialEq>(&self, clip: &Range<f64>, track: &mut Track<T>) {
        let (value_at, step) = track.key_layout();
        let tolerance = end_tolerance_secs(clip.end - clip.start);
        let [first, .., last] = track.times_secs[..] else { return };
        if first - clip.start > tolerance {
            copy_key(track, value_at, step, 0, clip.start);
        }
        if clip.end - last > tolerance {
            copy_key(track, value_at, step, track.times_secs.len() - 1, clip.end);
        }
    }
}

/// Copies the first key to an earlier time, or the last one to a later time.
fn copy_key<T: Copy + Default>(
    track: &mut Track<T>,
    value_at: usize,
    step: usize,
    key: usize,
    time_secs: f64,
) {
    let at = key * step;
    let Some(value) = track.values.get(at + value_at).copied() else { return };
    let mut copy = vec![T::default(); step];
    if let Some(own) = copy.get_mut(value_at) {
        *own = value;
    }
    let is_first = key == 0;
    if track.interpolation == Interpolation::Cubic {
        // The tangent towards the copy: the curve is flat there.
        let tangent = if is_first { at } else { at + 2 };
        if let Some(own) = track.values.get_mut(tangent) {
            *own = T::default();
        }
    }
    let (new_key, new_at) = if is_first { (0, 0) } else { (key + 1, at + step) };
    track.times_secs.insert(new_key, time_secs);
    track.values.splice(new_at..new_at, copy);
}
