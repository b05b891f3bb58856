//! Smooths single keys, and flattens tangents.

use glam::{Quat, Vec3};

use crate::model::{AnimatedProperty, Interpolation, KeyAt, Model, Motion, Track};

/// Replaces keys by the interpolation of their neighbours.
pub(crate) fn smooth_keys(model: &mut Model, keys: &[KeyAt]) {
    keys.iter().for_each(|at| change_curve(model, at, &Smooth));
}

/// Sets the tangents between keys and the next ones to zero.
pub(crate) fn flatten_spans(model: &mut Model, first_keys: &[KeyAt]) {
    first_keys.iter().for_each(|at| change_curve(model, at, &Flatten));
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
            AnimatedProperty::Translation => {
                track.translation.iter_mut().for_each(|track| change.vectors(track, at.key));
            }
            AnimatedProperty::Scale => {
                track.scale.iter_mut().for_each(|track| change.vectors(track, at.key));
            }
            AnimatedProperty::Rotation => {
                track.rotation.iter_mut().for_each(|track| change.rotations(track, at.key));
            }
            AnimatedProperty::Weight => {}
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
