//! Fixes of curves.

use glam::Quat;

use crate::diagnose::align_signs;
use crate::model::{BoneTrack, Interpolation, Model, Motion, Track, TrackValue};
use crate::reshape::{flatten_spans, smooth_keys};
use crate::validate::{overshooting_spans, spiked_keys};

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

pub(super) fn smooth_spikes(model: &mut Model) {
    smooth_keys(model, &spiked_keys(model));
}

pub(super) fn flatten_tangents(model: &mut Model) {
    flatten_spans(model, &overshooting_spans(model));
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
