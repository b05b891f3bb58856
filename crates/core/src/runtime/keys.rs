//! Interpolation and sampling of keys.

use glam::Quat;

use super::effect::Effect;
use super::{Rates, Rotations, Rules, Splines, curves, splines};
use crate::model::{BoneTrack, Interpolation, Model, Motion, Place, Track, numbers};
use crate::pose::{Curve, read_track};

/// Rotations between keys that are closer than this are the same with both interpolations, to single precision.
const MIN_ANGLE_RAD: f32 = 0.06;
/// The most frames that a clip is sampled at.
const MAX_FRAMES: f64 = 1e5;

/// Changes the interpolation of all tracks, and samples them at the rate of the runtime.
pub(super) fn apply(model: &mut Model, rules: &Rules, effects: &mut Vec<Effect>) {
    let [mut splines, mut sampled, mut blended, mut unnormalized, mut clamped] =
        [Changed::default(); 5];
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        if rules.splines == Splines::Padded && clip.start_secs > 0.0 {
            // The first keys are repeated at time 0.
            clip.duration_secs += clip.start_secs;
            clip.start_secs = 0.0;
        }
        let range = [clip.start_secs, clip.start_secs + clip.duration_secs];
        if let Motion::Tracks(tracks) = &mut clip.motion {
            for track in tracks {
                splines.add(number, splines::change_bone(track, rules.splines, range[1]));
                sampled.add(number, resample(track, rules.rates, range));
                if let Some(rotation) = &mut track.rotation {
                    blended.add(number, blend(rotation, rules.rotations));
                }
            }
        }
        for track in &mut clip.morph_tracks {
            splines.add(number, splines::change(&mut track.weights, rules.splines, range[1]));
        }
    }
    let meshes = &model.meshes;
    let default_weight = |mesh: usize, target: usize| {
        let target = meshes.get(mesh).and_then(|mesh| mesh.morph_targets.get(target));
        target.map_or(0.0, |target| target.default_weight)
    };
    let ranges = curves::weight_ranges(&model.clips, default_weight, rules);
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        let replaced = curves::replace(clip, &model.skeleton, &ranges, rules);
        unnormalized.add_many(number, replaced.num_unnormalized);
        clamped.add_many(number, replaced.num_clamped);
    }
    let mut add = |kind, changed: Changed, text: String| {
        if let Some(clip) = changed.first_clip {
            let place = Place::Clip(clip);
            effects.push(Effect { kind, text, place, count: changed.num_tracks });
        }
    };
    let (kind, text) = match rules.splines {
        Splines::Step => ("splines-ignored", "spline tracks hold each value until the next key"),
        Splines::Padded => {
            ("splines-overshoot", "splines overshoot before the first key and after the last one")
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
    let text = "rotations are interpolated component by component instead of spherically";
    add("rotations-nlerped", blended, text.to_owned());
    let text = "rotation keys that aren't normalized scale and shear their bones";
    add("rotations-unnormalized", unnormalized, text.to_owned());
    add("morph-weights-clamped", clamped, "weights of morph targets are clamped".to_owned());
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

fn resample(track: &mut BoneTrack, rates: Rates, range: [f64; 2]) -> bool {
    let (rate, interpolation) = match rates {
        Rates::Exact => return false,
        Rates::Frames(rate) => (rate, Interpolation::Step),
        Rates::Interpolated(rate) => (rate, Interpolation::Linear),
    };
    let [start, end] = range;
    let num = ((end - start) * rate).clamp(0.0, MAX_FRAMES).floor();
    let times: Vec<f64> = (0u32..)
        .map(|frame| start + f64::from(frame) / rate)
        .take_while(|time| (time - start) * rate <= num + 0.5)
        .collect();
    let moved = track.translation.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    let turned = track.rotation.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    let scaled = track.scale.as_mut().is_some_and(|own| at_times(own, &times, interpolation));
    moved || turned || scaled
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
