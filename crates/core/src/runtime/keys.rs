//! Interpolation and sampling of keys.

use std::sync::Arc;

use glam::Quat;

use super::playback_difference::PlaybackDifference;
use super::{Normalizes, Rates, Rotations, Rules, Splines, Steps, curves, splines};
use crate::model::{BoneTrack, Clip, Interpolation, MeshId, Model, Motion, Place, Track, numbers};
use crate::pose::{Curve, read_track};

/// Rotations between keys that are closer than this are the same with both interpolations, to single precision.
const MIN_ANGLE_RAD: f32 = 0.06;
/// Later than a key, but earlier than any frame after it.
const AFTER_KEY_SECS: f64 = 1e-9;
/// Frames that all tracks together may be sampled at, whatever the model stores.
const FREE_FRAMES: usize = 1 << 20;
/// The same per stored key.
const FRAMES_PER_KEY: usize = 32;

/// Changes the interpolation of all tracks, and samples them at the rate of the runtime.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    let [
        mut splines,
        mut sampled,
        mut blended,
        mut unnormalized,
        mut clamped,
        mut misread,
        mut stepped,
        mut single,
        mut small,
        mut rounded,
    ] = [Changed::default(); 10];
    let mut too_long = Changed::default();
    let mut frames_left = num_keys(model) * FRAMES_PER_KEY + FREE_FRAMES;
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        if rules.splines == Splines::Padded && clip.start_secs > 0.0 {
            // The first keys are repeated at time 0.
            clip.duration_secs += clip.start_secs;
            clip.start_secs = 0.0;
        }
        let range = [clip.start_secs, clip.start_secs + clip.duration_secs];
        if !rules.reads_single_keys {
            single.add_many(number, drop_single_keys(clip));
        }
        if let Motion::Tracks(tracks) = &mut clip.motion {
            for track in tracks {
                stepped.add(number, change_steps_of(track, rules.steps, range[1]));
                splines.add(number, splines::change_bone(track, rules.splines, range[1]));
                match resample(track, rules.rates, range, &mut frames_left) {
                    Sampled::No => {}
                    Sampled::Yes => sampled.add(number, true),
                    Sampled::TooLong => too_long.add(number, true),
                }
                if let Some(rotation) = &mut track.rotation {
                    blended.add(number, blend(rotation, rules.rotations));
                }
            }
        }
        for track in &mut clip.morph_tracks {
            stepped.add(number, change_steps(&mut track.weights, rules.steps, range[1]));
            splines.add(number, splines::change(&mut track.weights, rules.splines, range[1]));
        }
    }
    let meshes = &model.meshes;
    let default_weight = |mesh: usize, target: usize| {
        let target =
            meshes.get(MeshId::from_index(mesh)).and_then(|mesh| mesh.morph_targets.get(target));
        target.map_or(0.0, |target| target.default_weight)
    };
    let ranges = Arc::new(curves::weight_ranges(&model.clips, default_weight, rules));
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        let replaced = curves::replace(clip, &model.skeleton, &ranges, rules);
        unnormalized.add_many(number, replaced.num_unnormalized);
        clamped.add_many(number, replaced.num_clamped);
        misread.add_many(number, replaced.num_misread);
        small.add_many(number, replaced.num_small);
        rounded.add_many(number, replaced.num_rounded);
    }
    let mut add = |kind, changed: Changed, text: String| {
        if let Some(clip) = changed.first_clip {
            let place = Place::Clip(clip);
            differences.push(PlaybackDifference { kind, text, place, count: changed.num_tracks });
        }
    };
    let (kind, text) = match rules.splines {
        Splines::Step => ("splines-ignored", "spline tracks hold each value until the next key"),
        Splines::Padded => {
            ("splines-overshoot", "splines overshoot before the first key and after the last one")
        }
        Splines::TangentsByShare => {
            ("splines-recomputed", "spline tangents are multiplied by the wrong time")
        }
        Splines::Smooth => ("splines-recomputed", "spline tangents are recomputed from the keys"),
        _ => ("splines-ignored", "spline tracks ignore their tangents"),
    };
    add(kind, splines, text.to_owned());
    let rate = match rules.rates {
        Rates::Exact => 0.0,
        Rates::Frames(rate) | Rates::Interpolated(rate) => rate,
    };
    let rate = numbers::significant(rate, 4);
    add("sampled-at-rate", sampled, format!("clips are sampled {rate} times per second"));
    let text = format!("clips that are sampled {rate} times per second are too long to show that");
    add("sampled-at-rate", too_long, text);
    let text = "rotations are interpolated component by component instead of spherically";
    add("rotations-nlerped", blended, text.to_owned());
    let is_scale = matches!(rules.rotations, Rotations::Raw(raw) if raw.is_homogeneous);
    let is_normalized =
        matches!(rules.rotations, Rotations::Raw(raw) if raw.normalizes == Normalizes::Everything);
    let text = if is_scale {
        "rotations that aren't normalized scale their bones"
    } else if is_normalized {
        "rotation keys that aren't normalized are interpolated differently"
    } else {
        "rotation keys that aren't normalized scale and shear their bones"
    };
    add("rotations-unnormalized", unnormalized, text.to_owned());
    let text = match rules.steps {
        Steps::NeverLast => "stepped tracks never reach their last key",
        _ => "stepped tracks that end with the clip never show their last key",
    };
    add("last-step-missing", stepped, text.to_owned());
    add("single-keys-ignored", single, "tracks with a single key are ignored".to_owned());
    add("morph-splines-misread", misread, "splines of morph weights are misread".to_owned());
    add(
        "small-morph-weights-ignored",
        small,
        "the smallest weights of morph targets are ignored".to_owned(),
    );
    add("times-rounded", rounded, "times are rounded to fractions of frames".to_owned());
    add("morph-weights-clamped", clamped, "weights of morph targets are clamped".to_owned());
}

/// Removes tracks with a single key, and returns their number.
fn drop_single_keys(clip: &mut Clip) -> u64 {
    fn drop<T>(track: &mut Option<Track<T>>) -> u64 {
        let is_single = track.as_ref().is_some_and(|track| track.times_secs.len() == 1);
        if is_single {
            *track = None;
        }
        u64::from(is_single)
    }
    let num_morphs = clip.morph_tracks.len();
    clip.morph_tracks.retain(|track| track.weights.times_secs.len() != 1);
    let mut num = (num_morphs - clip.morph_tracks.len()) as u64;
    if let Motion::Tracks(tracks) = &mut clip.motion {
        for track in tracks {
            num += drop(&mut track.translation);
            num += drop(&mut track.rotation);
            num += drop(&mut track.scale);
        }
    }
    num
}

fn change_steps_of(track: &mut BoneTrack, steps: Steps, end_secs: f64) -> bool {
    let moved = track.translation.as_mut().is_some_and(|own| change_steps(own, steps, end_secs));
    let turned = track.rotation.as_mut().is_some_and(|own| change_steps(own, steps, end_secs));
    let scaled = track.scale.as_mut().is_some_and(|own| change_steps(own, steps, end_secs));
    moved || turned || scaled
}

/// Changes the times of a stepped track of a clip that ends at `end_secs`. Returns whether its last key is never shown.
fn change_steps<T>(track: &mut Track<T>, steps: Steps, end_secs: f64) -> bool {
    let num = track.times_secs.len();
    if track.interpolation != Interpolation::Step || num < 2 {
        return false;
    }
    match steps {
        Steps::AtKey => false,
        Steps::AfterKey => {
            let is_at_end = track.times_secs.last().is_some_and(|&last| last >= end_secs);
            track.times_secs.iter_mut().for_each(|time| *time += AFTER_KEY_SECS);
            is_at_end
        }
        Steps::NeverLast => {
            track.times_secs.truncate(num - 1);
            track.values.truncate(num - 1);
            true
        }
    }
}

/// Tracks that a rule changes.
#[derive(Clone, Copy, Default)]
struct Changed {
    first_clip: Option<u32>,
    num_tracks: u64,
}

impl Changed {
    fn add(&mut self, clip: u32, is_changed: bool) {
        self.add_many(clip, u64::from(is_changed));
    }

    fn add_many(&mut self, clip: u32, num_tracks: u64) {
        if num_tracks > 0 {
            self.first_clip.get_or_insert(clip);
            self.num_tracks += num_tracks;
        }
    }
}

/// Number of keys in all bone tracks.
fn num_keys(model: &Model) -> usize {
    let tracks = model.clips.iter().filter_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => Some(tracks),
        _ => None,
    });
    tracks.flatten().flat_map(BoneTrack::times).map(<[f64]>::len).sum()
}

enum Sampled {
    No,
    Yes,
    /// It would have too many frames for its keys, and is unchanged.
    TooLong,
}

fn resample(
    track: &mut BoneTrack,
    rates: Rates,
    range: [f64; 2],
    frames_left: &mut usize,
) -> Sampled {
    let (rate, interpolation) = match rates {
        Rates::Exact => return Sampled::No,
        Rates::Frames(rate) => (rate, Interpolation::Step),
        Rates::Interpolated(rate) => (rate, Interpolation::Linear),
    };
    let [start, end] = range;
    let num = ((end - start) * rate).max(0.0).floor();
    let num_channels = track.times().filter(|times| times.len() > 1).count();
    if num_channels == 0 {
        return Sampled::No;
    }
    let num_frames = (num + 1.0) * num_channels as f64;
    if num_frames > *frames_left as f64 {
        return Sampled::TooLong;
    }
    let times: Vec<f64> = (0u32..)
        .map(|frame| start + f64::from(frame) / rate)
        .take_while(|time| (time - start) * rate <= num + 0.5)
        .collect();
    let moved = track.translation.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    let turned = track.rotation.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    let scaled = track.scale.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    if !(moved || turned || scaled) {
        return Sampled::No;
    }
    *frames_left = frames_left.saturating_sub(times.len() * num_channels);
    Sampled::Yes
}

/// Replaces the keys of a track by its values at some times.
fn at_times<T: Curve + PartialEq>(
    track: &mut Track<T>,
    times: &[f64],
    interpolation: Interpolation,
) -> bool {
    let has_one_value = track.values.windows(2).all(|pair| pair[0] == pair[1]);
    if track.times_secs.len() < 2 || has_one_value {
        return false;
    }
    let values: Option<Vec<T>> = times.iter().map(|time| read_track(track, *time)).collect();
    let Some(values) = values else { return false };
    *track = Track { times_secs: times.to_vec(), values, interpolation };
    true
}

/// Changes spherical interpolation; returns whether that can be seen.
fn blend(track: &mut Track<Quat>, rotations: Rotations) -> bool {
    if rotations != Rotations::Nlerp || track.interpolation != Interpolation::Linear {
        return false;
    }
    track.interpolation = Interpolation::Nlerp;
    track
        .values
        .windows(2)
        .any(|pair| pair[0].dot(pair[1]).abs().min(1.0).acos() * 2.0 > MIN_ANGLE_RAD)
}
