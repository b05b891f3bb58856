//! Measures how far vertices move because of dropped influences.

use glam::{Affine3A, Vec3};
use rayon::prelude::*;

use super::bones::Pairs;
use super::clips::{ClipPoses, skin_matrix};
use super::merge::CutVertex;
use crate::pack::axes::Conversion;

/// The largest displacement over all keys, in units of the packed model.
pub(super) fn largest(
    cut: &[CutVertex],
    pairs: &Pairs,
    poses: &[ClipPoses],
    conversion: &Conversion,
) -> f32 {
    if cut.is_empty() {
        return 0.0;
    }
    let all = poses.par_iter().flat_map(|clip| &clip.poses);
    let of_pose = all.map(|pose| {
        let matrix = |pair| conversion.matrix(skin_matrix(pose, pair));
        let matrices: Vec<Affine3A> = pairs.list().iter().map(matrix).collect();
        cut.iter().fold(0.0f32, |farthest, vertex| {
            let before = posed(vertex.position, &vertex.before, &matrices);
            let after = posed(vertex.position, &vertex.after, &matrices);
            farthest.max(before.distance(after))
        })
    });
    of_pose.reduce(|| 0.0, f32::max)
}

fn posed(position: Vec3, influences: &[(u32, f32)], matrices: &[Affine3A]) -> Vec3 {
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for &(pair, weight) in influences {
        if let Some(matrix) = matrices.get(pair as usize) {
            sum += matrix.transform_point3(position) * weight;
            weights += weight;
        }
    }
    if weights > 0.0 { sum / weights } else { position }
}
