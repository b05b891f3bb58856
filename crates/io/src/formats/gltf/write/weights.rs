//! Morph weights over time: one sampler per mesh, which stores the weights of all targets at each
//! key (section 3.11).

use std::collections::HashMap;

use gltf_json::animation::Interpolation as StoredInterpolation;

use super::morph::{self, TargetShape};
use rigscope_core::model::{
    Clip, ClipId, FindingKind, Interpolation, Mesh, MeshId, Model, MorphTrack, Place, Report, Track,
};
use rigscope_core::pose::{PoseSpec, sample};

/// The weights of a mesh over time, for all its shapes.
pub(super) struct Weights {
    pub(super) times_secs: Vec<f64>,
    /// The weights of all shapes, key by key; with cubic interpolation, three such lists per key.
    pub(super) values: Vec<f32>,
    pub(super) interpolation: StoredInterpolation,
}

/// The weights of `mesh` in a clip, if the clip animates them.
pub(super) fn weights(
    model: &Model,
    clip_id: ClipId,
    clip: &Clip,
    mesh_id: MeshId,
    mesh: &Mesh,
    report: &Report,
) -> Option<Weights> {
    let of_mesh = |track: &&MorphTrack| {
        let is_there = !track.weights.times_secs.is_empty();
        track.mesh == mesh_id && is_there && track.target < mesh.morph_targets.len()
    };
    let tracks: Vec<&MorphTrack> = clip.morph_tracks.iter().filter(of_mesh).collect();
    let first = tracks.first()?;
    let shapes = morph::shapes(mesh);
    let is_alike = |track: &&MorphTrack| {
        let (a, b) = (&track.weights, &first.weights);
        a.interpolation == b.interpolation && a.times_secs == b.times_secs
    };
    let has_in_betweens = mesh.morph_targets.iter().any(|target| target.shapes.len() > 1);
    if !has_in_betweens && tracks.iter().all(is_alike) {
        return Some(as_stored(mesh, &shapes, &tracks, &first.weights));
    }
    let place = Place::Clip(clip_id.0);
    let is_exact = tracks.iter().all(|track| {
        matches!(
            track.weights.interpolation,
            Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix
        )
    });
    report.add_many(FindingKind::Altered, place, u64::from(!is_exact), || {
        "morph weights with different key times or interpolations are resampled".to_owned()
    });
    Some(resampled(model, clip_id, mesh_id, mesh, &shapes, &tracks))
}

/// Keys as authored, if all tracks have the same times and interpolation.
fn as_stored(
    mesh: &Mesh,
    shapes: &[TargetShape<'_>],
    tracks: &[&MorphTrack],
    first: &Track<f32>,
) -> Weights {
    let is_cubic = first.interpolation == Interpolation::Cubic;
    let per_key = if is_cubic { 3 } else { 1 };
    let mut values = Vec::with_capacity(first.times_secs.len() * per_key * shapes.len());
    // Of several tracks for a target, the first.
    let by_target: HashMap<usize, &MorphTrack> =
        tracks.iter().rev().map(|track| (track.target, *track)).collect();
    for at in 0..first.times_secs.len() * per_key {
        for shape in shapes {
            let track = by_target.get(&shape.target);
            let stored = track.and_then(|track| track.weights.values.get(at)).copied();
            // The tangent of an unanimated shape is 0.
            let is_tangent = is_cubic && at % 3 != 1;
            values.push(match stored {
                // A single shape has the weight of its target, so tangents can be copied too.
                Some(weight) => shape_weight(mesh, shape, weight),
                None if is_tangent => 0.0,
                None => shape.default_weight,
            });
        }
    }
    Weights {
        times_secs: first.times_secs.clone(),
        values,
        interpolation: match first.interpolation {
            Interpolation::Step => StoredInterpolation::Step,
            Interpolation::Cubic => StoredInterpolation::CubicSpline,
            Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => {
                StoredInterpolation::Linear
            }
        },
    }
}

/// Linear keys at the times of all tracks, just before steps, along cubic curves, and at
/// in-betweens.
fn resampled(
    model: &Model,
    clip_id: ClipId,
    mesh_id: MeshId,
    mesh: &Mesh,
    shapes: &[TargetShape<'_>],
    tracks: &[&MorphTrack],
) -> Weights {
    let mut times: Vec<f64> = Vec::new();
    for track in tracks {
        let keys = &track.weights;
        times.extend(&keys.straightened().times_secs);
        for (pair, at) in keys.times_secs.windows(2).zip(0..) {
            let &[start, end] = pair else { continue };
            match keys.interpolation {
                Interpolation::Step => times.push(just_before(end)),
                // The straightened curve, added above, covers these.
                Interpolation::Cubic => {}
                Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => {
                    let of = |at: usize| keys.values.get(at).copied().map(f64::from);
                    let (Some(low), Some(high)) = (of(at), of(at + 1)) else { continue };
                    times.extend(crossings(mesh, track.target, (start, low), (end, high)));
                }
            }
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut values = Vec::with_capacity(times.len() * shapes.len());
    for &time in &times {
        let spec = PoseSpec::linear(clip_id, time);
        let pose = sample(model, &spec);
        let of_mesh = pose.morph_weights.get(mesh_id.index());
        for shape in shapes {
            let weight = of_mesh.and_then(|list| list.get(shape.target)).copied();
            values.push(shape_weight(mesh, shape, weight.unwrap_or_default()));
        }
    }
    Weights { times_secs: times, values, interpolation: StoredInterpolation::Linear }
}

fn shape_weight(mesh: &Mesh, shape: &TargetShape<'_>, weight: f32) -> f32 {
    match mesh.morph_targets.get(shape.target) {
        Some(target) if target.shapes.is_empty() => weight,
        Some(target) => {
            let mut weights = target.shape_weights(weight);
            weights.nth(shape.shape).unwrap_or_default()
        }
        None => 0.0,
    }
}

/// Times at which linearly interpolated weights reach a shape's weight or 0.
fn crossings(
    mesh: &Mesh,
    target: usize,
    (start, low): (f64, f64),
    (end, high): (f64, f64),
) -> Vec<f64> {
    let target = mesh.morph_targets.get(target);
    let Some(target) = target.filter(|target| target.shapes.len() > 1) else { return Vec::new() };
    let passed = target.shapes.iter().map(|shape| f64::from(shape.full_weight));
    let passed = passed.chain([0.0]).filter(|weight| {
        let (least, most) = (low.min(high), low.max(high));
        (least..most).contains(weight) && *weight > least
    });
    passed.map(|weight| start + (end - start) * (weight - low) / (high - low)).collect()
}

/// The largest single-precision time before `time_secs`.
fn just_before(time_secs: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "files hold single precision")]
    let time = time_secs as f32;
    f64::from(time.next_down())
}
