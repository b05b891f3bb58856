//! Fixes of curves.

use glam::{Quat, Vec3};

use crate::diagnose::align_signs;
use crate::model::{BoneTrack, Interpolation, Model, Motion, Track, TrackValue};
use crate::validate::{KeyAt, Property, overshooting_spans, spiked_keys};

/// Shorter quaternions have no direction, as in the rule `rotation-key-zero`.
const NO_LENGTH: f32 = 1e-6;
/// As in the rule `rotation-key-not-unit`.
const UNIT_TOLERANCE: f32 = 0.008;

fn for_each_track(model: &mut Model, mut change: impl FnMut(&mut BoneTrack)) {
    for clip in &mut model.clips {
        if let Motion::Tracks(tracks) = &mut clip.motion {
            tracks.iter_mut().for_each(&mut change);
        }
    }
}

fn for_each_rotation(model: &mut Model, mut change: impl FnMut(&mut Track<Quat>)) {
    for_each_track(model, |track| track.rotation.iter_mut().for_each(&mut change));
}

pub(super) fn replace_zero_rotations(model: &mut Model) {
    for_each_rotation(model, |track| {
        let (own, step) = track.key_layout();
        let is_valid = |value: &Quat| value.length() >= NO_LENGTH;
        let first = track.values.iter().skip(own).step_by(step).copied().find(is_valid);
        let mut before = first.unwrap_or(Quat::IDENTITY);
        for value in track.values.iter_mut().skip(own).step_by(step) {
            if !is_valid(value) {
                *value = before;
            }
            before = *value;
        }
    });
}

pub(super) fn normalize_rotations(model: &mut Model) {
    for_each_rotation(model, |track| {
        let (own, step) = track.key_layout();
        for key in track.values.chunks_mut(step) {
            let Some(length) = key.get(own).map(|value| value.length()) else { continue };
            if length >= NO_LENGTH && (length - 1.0).abs() > UNIT_TOLERANCE {
                // The tangents of a cubic key are scaled by the same factor.
                key.iter_mut().for_each(|value| *value /= length);
            }
        }
    });
}

pub(super) fn align_rotations(model: &mut Model) {
    for_each_rotation(model, |track| {
        if track.interpolation != Interpolation::Step {
            align_signs(track);
        }
    });
}

/// Applies `change` to the curve that a key belongs to.
fn change_curve(model: &mut Model, at: &KeyAt, change: &dyn CurveChange) {
    let clip = &mut model.clips[at.clip];
    if let Some((mesh, target)) = at.morph {
        let tracks = clip.morph_tracks.iter_mut();
        for track in tracks.filter(|track| track.mesh == mesh && track.target == target) {
            change.numbers(&mut track.weights, at.key);
        }
        return;
    }
    let Motion::Tracks(tracks) = &mut clip.motion else { return };
    for track in tracks.iter_mut().filter(|track| Some(track.bone) == at.bone) {
        match at.property {
            Property::Translation => {
                track.translation.iter_mut().for_each(|track| change.vectors(track, at.key));
            }
            Property::Scale => {
                track.scale.iter_mut().for_each(|track| change.vectors(track, at.key));
            }
            Property::Rotation => {
                track.rotation.iter_mut().for_each(|track| change.rotations(track, at.key));
            }
            Property::Weight => {}
        }
    }
}

/// A change of a curve at one key, for each type of value.
trait CurveChange {
    fn vectors(&self, track: &mut Track<Vec3>, key: usize);
    fn rotations(&self, track: &mut Track<Quat>, key: usize);
    fn numbers(&self, track: &mut Track<f32>, key: usize);
}

struct Smooth;

impl CurveChange for Smooth {
    fn vectors(&self, track: &mut Track<Vec3>, key: usize) {
        smooth(track, key, |a, b, share| a.lerp(b, share));
    }

    fn rotations(&self, track: &mut Track<Quat>, key: usize) {
        smooth(track, key, |a, b, share| a.slerp(b, share));
    }

    fn numbers(&self, track: &mut Track<f32>, key: usize) {
        smooth(track, key, |a, b, share| a + (b - a) * share);
    }
}

/// Replaces a key by the interpolation of its neighbours at its time.
fn smooth<T: Copy>(track: &mut Track<T>, key: usize, between: impl Fn(T, T, f32) -> T) {
    let (own, step) = track.key_layout();
    let value = |key: usize| track.values.get(key * step + own).copied();
    let time = |key: usize| track.times_secs.get(key).copied();
    let Some(before) = key.checked_sub(1) else { return };
    let (Some(from), Some(to)) = (value(before), value(key + 1)) else { return };
    let (Some(start), Some(middle), Some(end)) = (time(before), time(key), time(key + 1)) else {
        return;
    };
    #[expect(clippy::cast_possible_truncation, reason = "a fraction of the interval")]
    let share = if end > start { ((middle - start) / (end - start)) as f32 } else { 0.5 };
    if let Some(slot) = track.values.get_mut(key * step + own) {
        *slot = between(from, to, share);
    }
}

pub(super) fn smooth_spikes(model: &mut Model) {
    for at in spiked_keys(model) {
        change_curve(model, &at, &Smooth);
    }
}

struct Flatten;

impl CurveChange for Flatten {
    fn vectors(&self, track: &mut Track<Vec3>, key: usize) {
        flatten(track, key, Vec3::ZERO);
    }

    fn rotations(&self, track: &mut Track<Quat>, key: usize) {
        flatten(track, key, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    }

    fn numbers(&self, track: &mut Track<f32>, key: usize) {
        flatten(track, key, 0.0);
    }
}

/// Sets the tangents between a key and the next one to zero.
fn flatten<T: Copy>(track: &mut Track<T>, key: usize, zero: T) {
    const OUT: usize = 2;
    const STEP: usize = 3;
    if track.interpolation != Interpolation::Cubic {
        return;
    }
    for at in [key * STEP + OUT, (key + 1) * STEP] {
        if let Some(tangent) = track.values.get_mut(at) {
            *tangent = zero;
        }
    }
}

pub(super) fn flatten_tangents(model: &mut Model) {
    for at in overshooting_spans(model) {
        change_curve(model, &at, &Flatten);
    }
}

/// Reduces curves of equal keys to one key, and removes those that equal the rest pose.
pub(super) fn reduce_constant(model: &mut Model) {
    let rest: Vec<_> = model.skeleton.bones().iter().map(|bone| bone.rest_local.to_trs()).collect();
    for clip in &mut model.clips {
        let Motion::Tracks(tracks) = &mut clip.motion else { continue };
        let moves = tracks.iter().any(moves)
            || clip.morph_tracks.iter().any(|t| t.weights.varies())
            || clip.material_tracks.iter().any(|t| t.values.varies());
        for track in tracks.iter_mut() {
            let Some(rest) = rest.get(track.bone.index()) else { continue };
            reduce(&mut track.translation, rest.translation, moves);
            reduce(&mut track.rotation, rest.rotation, moves);
            reduce(&mut track.scale, rest.scale, moves);
        }
        tracks.retain(|track| track.times().next().is_some());
        // A pose has no duration. With one, formats would store it twice.
        if !moves && clip.value_times().next().is_none() {
            clip.duration_secs = 0.0;
        }
    }
}

/// Whether any curve of a bone changes over time.
fn moves(track: &BoneTrack) -> bool {
    track.translation.as_ref().is_some_and(Track::varies)
        || track.rotation.as_ref().is_some_and(Track::varies)
        || track.scale.as_ref().is_some_and(Track::varies)
}

/// Curves that equal the rest pose are only removed from clips with motion, so that other clips keep a key.
fn reduce<T: TrackValue + PartialEq>(slot: &mut Option<Track<T>>, rest: T, is_removable: bool) {
    let Some(track) = slot else { return };
    if track.times_secs.len() < 2 || track.varies() {
        return;
    }
    let Some(value) = track.key_values().next() else { return };
    if value == rest && is_removable {
        *slot = None;
        return;
    }
    track.times_secs.truncate(1);
    track.values = vec![value];
    track.interpolation = Interpolation::Linear;
}
