//! Keys of translation, rotation and scale for transforms that are computed at any time.

use glam::{Affine3A, DMat4, Quat};

use super::values::real;
use rigscope_core::model::{BoneId, BoneTrack, Interpolation, Track, Trs};

/// Lines between keys stay this near to the transform, relative to its largest entry.
const TOLERANCE: f32 = 1e-6;
/// A larger difference at a key is a shear, which keys can't have.
const SHEAR: f32 = 1e-4;
/// The most keys of a prim; beyond, lines are less exact.
const MAX_KEYS: usize = 1 << 14;
/// The shortest time between inserted keys, in time codes.
const SHORTEST: f64 = 1e-3;

/// The nearest matrix in single precision.
pub(super) fn affine(matrix: DMat4) -> Affine3A {
    let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
    let column = |own: glam::DVec4| own.truncate().as_vec3a();
    Affine3A::from_cols(column(x), column(y), column(z), column(w))
}

/// The keys of a bone at `times` and between them, so that lines follow the transform `at`; or only at `times` if its matrix
/// is interpolated by element. And whether it has a shear at these times, which is lost. Times are divided by `codes_per_sec`.
pub(super) fn bone_keys(
    bone: BoneId,
    times: &[f64],
    codes_per_sec: f64,
    is_matrix: bool,
    at: impl Fn(f64) -> DMat4,
) -> (BoneTrack, bool) {
    let mut keys: Vec<(f64, Trs)> = Vec::new();
    let mut has_shear = false;
    for &time in times {
        let matrix = affine(at(time));
        let own = Trs::from_affine(matrix);
        has_shear |= distance(own.to_affine(), matrix) > SHEAR;
        let mut open = vec![(time, own)];
        while let Some(end) = open.pop() {
            let Some(start) = keys.last().copied() else {
                keys.push(end);
                continue;
            };
            let secs = end.0 - start.0;
            let is_full = keys.len() + open.len() >= MAX_KEYS;
            if is_matrix
                || has_shear
                || is_full
                || secs < SHORTEST * 2.0
                || is_straight(start, end, &at)
            {
                keys.push(end);
            } else {
                let middle = start.0 + secs / 2.0;
                open.push(end);
                open.push((middle, Trs::from_affine(affine(at(middle)))));
            }
        }
    }
    let times_secs: Vec<f64> = keys.iter().map(|(time, _)| time / codes_per_sec).collect();
    let interpolation = if is_matrix { Interpolation::Matrix } else { Interpolation::Linear };
    let translations = keys.iter().map(|(_, own)| own.translation).collect();
    let rotations = keys.iter().map(|(_, own)| own.rotation).collect();
    let scales = keys.iter().map(|(_, own)| own.scale).collect();
    let track = BoneTrack {
        bone,
        translation: Some(Track {
            times_secs: times_secs.clone(),
            values: translations,
            interpolation,
        }),
        rotation: Some(Track { times_secs: times_secs.clone(), values: rotations, interpolation }),
        scale: Some(Track { times_secs, values: scales, interpolation }),
    };
    (track, has_shear)
}

/// Whether the transform moves along the line between two keys.
fn is_straight(start: (f64, Trs), end: (f64, Trs), at: &impl Fn(f64) -> DMat4) -> bool {
    [0.25, 0.5, 0.75].into_iter().all(|share| {
        let wanted = affine(at(start.0 + (end.0 - start.0) * share));
        let share = real(share);
        let line = Trs {
            translation: start.1.translation.lerp(end.1.translation, share),
            rotation: slerp(start.1.rotation, end.1.rotation, share),
            scale: start.1.scale.lerp(end.1.scale, share),
        };
        distance(line.to_affine(), wanted) <= TOLERANCE
    })
}

fn slerp(from: Quat, to: Quat, share: f32) -> Quat {
    from.slerp(to, share)
}

/// The largest difference between two matrices, relative to the largest entry.
fn distance(a: Affine3A, b: Affine3A) -> f32 {
    let [a, b] = [a, b].map(|matrix| matrix.to_cols_array());
    let size = b.iter().fold(f32::MIN_POSITIVE, |size, value| size.max(value.abs()));
    a.iter().zip(b).fold(0.0f32, |most, (a, b)| most.max((a - b).abs())) / size
}
