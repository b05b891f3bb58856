//! Tracks with tangents.

use glam::Quat;

use super::Splines;
use crate::model::{BoneTrack, Interpolation, Track};
use crate::pose::Curve;

/// Keys at the same time would have infinite slopes.
const MIN_SPAN_SECS: f64 = 1e-6;

/// Changes all tracks of a bone. Returns whether any changed.
pub(super) fn change_bone(track: &mut BoneTrack, splines: Splines, end_secs: f64) -> bool {
    let moved = track.translation.as_mut().is_some_and(|own| change(own, splines, end_secs));
    let rotated = track.rotation.as_mut().is_some_and(|own| {
        if splines == Splines::Smooth && own.interpolation == Interpolation::Cubic {
            make_compatible(own);
        }
        change(own, splines, end_secs)
    });
    let scaled = track.scale.as_mut().is_some_and(|own| change(own, splines, end_secs));
    moved || rotated || scaled
}

/// Changes a track of a clip that ends at `end_secs`. Returns whether it changed.
pub(super) fn change<T: Curve>(track: &mut Track<T>, splines: Splines, end_secs: f64) -> bool {
    if track.interpolation != Interpolation::Cubic {
        return false;
    }
    match splines {
        Splines::Cubic => return false,
        // Read by `curves`.
        Splines::TangentsByShare => return track.times_secs.len() > 1,
        Splines::Padded => return pad(track, end_secs),
        Splines::Linear => straighten(track, Interpolation::Linear),
        Splines::Step => straighten(track, Interpolation::Step),
        Splines::Smooth => smooth(track),
    }
    true
}

/// The values at the keys, without tangents.
fn key_values<T: Copy>(track: &Track<T>) -> Vec<T> {
    track.values.iter().skip(1).step_by(3).copied().collect()
}

fn straighten<T: Copy>(track: &mut Track<T>, interpolation: Interpolation) {
    track.values = key_values(track);
    track.interpolation = interpolation;
}

/// Repeats the first key at time 0 and the last one at the end of the clip, with their tangents.
fn pad<T: Copy>(track: &mut Track<T>, end_secs: f64) -> bool {
    let (Some(&first), Some(&last)) = (track.times_secs.first(), track.times_secs.last()) else {
        return false;
    };
    if track.values.len() != track.times_secs.len() * 3 {
        return false;
    }
    if first > 0.0 {
        track.times_secs.insert(0, 0.0);
        track.values.splice(0..0, [0, 1, 2].map(|at| track.values[at]));
    }
    if last < end_secs {
        track.times_secs.push(end_secs);
        track.values.extend_from_within(track.values.len() - 3..);
    }
    first > 0.0 || last < end_secs
}

/// Replaces the tangents by those of the twice differentiable curve through the keys that is level at both ends.
fn smooth<T: Curve>(track: &mut Track<T>) {
    let (times, values) = (&track.times_secs, key_values(track));
    let num = values.len().min(times.len());
    let Some(&first) = values.first() else { return };
    let zero = first * 0.0;
    // Slopes m of a cubic spline, for spans h and steps d between values:
    // m[i-1] / h[i-1] + 2 m[i] (1 / h[i-1] + 1 / h[i]) + m[i+1] / h[i] = 3 (d[i-1] / h[i-1]^2 + d[i] / h[i]^2).
    // Forward elimination keeps the factor of m[i+1] and the right side of each row.
    let mut rows = vec![(0.0, zero); num];
    for at in 1..num.saturating_sub(1) {
        #[expect(clippy::cast_possible_truncation, reason = "values are of single precision")]
        let [before, after] = [times[at] - times[at - 1], times[at + 1] - times[at]]
            .map(|span| 1.0 / span.max(MIN_SPAN_SECS) as f32);
        let steps = [values[at] - values[at - 1], values[at + 1] - values[at]];
        let right = steps[0] * (3.0 * before * before) + steps[1] * (3.0 * after * after);
        let (factor, known): (f32, T) = rows[at - 1];
        let pivot = 2.0 * (before + after) - before * factor;
        rows[at] = (after / pivot, (right - known * before) * (1.0 / pivot));
    }
    let mut slopes = vec![zero; num];
    for at in (1..num.saturating_sub(1)).rev() {
        let (factor, known) = rows[at];
        slopes[at] = known - slopes[at + 1] * factor;
    }
    track.values =
        values.iter().zip(slopes).flat_map(|(&value, slope)| [slope, value, slope]).collect();
}

/// Flips keys so that neighbours have the same sign. Tangents of flipped keys are left, because they are not used.
fn make_compatible(track: &mut Track<Quat>) {
    let mut before: Option<Quat> = None;
    for value in track.values.iter_mut().skip(1).step_by(3) {
        if before.is_some_and(|before| before.dot(*value) < 0.0) {
            *value = -*value;
        }
        before = Some(*value);
    }
}
