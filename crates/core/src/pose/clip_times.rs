//! Chooses the moments of a clip at which to measure how far a model moves: at its keys and between them, and
//! among many moments those in which bones are farthest out.

use rayon::prelude::*;

use super::{BoneAnchors, PoseSpec, bone_head, sample};
use crate::model::{BoneId, BoneTrack, Clip, Model, Motion};

/// Two times closer than this are the same key.
const SAME_SECS: f64 = 1e-9;

/// The key times of a clip of curves and times between them, in ascending order, including its start and end.
///
/// More than `most` keys are reduced to `most` evenly chosen ones. Fewer keys get times between them, to make
/// about `least` in all, with at least one between two keys if curves bend.
///
/// Not for clips of sampled matrices, whose keys are addressed by index.
#[must_use]
pub fn clip_times(clip: &Clip, least: usize, most: usize) -> Vec<f64> {
    let start = clip.start_secs;
    let end = start + clip.duration_secs.max(0.0);
    let mut keys = vec![start, end];
    let mut add = |times: &[f64]| {
        keys.extend(times.iter().filter(|time| (start..=end).contains(*time)));
    };
    match &clip.motion {
        Motion::Sampled(_) => {}
        Motion::Tracks(tracks) => {
            let mut before: &[f64] = &[];
            for times in tracks.iter().flat_map(BoneTrack::times) {
                // Usually all curves have the same keys.
                if times != before {
                    add(times);
                }
                before = times;
            }
        }
        Motion::Curves(curves) => add(&curves.0.key_times_secs()),
        Motion::VertexAnimation(cache) => add(&cache.times_secs),
    }
    clip.morph_tracks.iter().for_each(|track| add(&track.weights.times_secs));
    keys.sort_by(f64::total_cmp);
    keys.dedup_by(|later, first| *later - *first <= SAME_SECS);
    let num_gaps = keys.len() - 1;
    if keys.len() > most {
        let last = most.saturating_sub(1).max(1);
        let at = |step: usize| (step as u128 * num_gaps as u128 / last as u128) as usize;
        return (0..most).map(|step| keys[at(step)]).collect();
    }
    let parts = least.div_ceil(num_gaps.max(1)).max(if clip.has_curves() { 2 } else { 1 });
    let mut times = Vec::with_capacity(num_gaps * parts + 1);
    for gap in keys.windows(2) {
        let step = (gap[1] - gap[0]) / parts as f64;
        times.extend((0..parts).map(|part| gap[0] + step * part as f64));
    }
    times.push(end);
    times
}

/// The indices of the poses in which a bone is farthest out along an axis, or which have the largest morph
/// weights; at most seven, in ascending order.
#[must_use]
pub fn extreme_poses(model: &Model, anchors: &BoneAnchors, specs: &[PoseSpec]) -> Vec<usize> {
    let ends = |spec: &PoseSpec| -> [f32; 7] {
        let pose = sample(model, spec);
        let mut ends = [f32::NEG_INFINITY; 7];
        let bones = (0..model.skeleton.len()).map(BoneId::from_index);
        for head in bones.filter_map(|bone| bone_head(model, &pose, anchors, bone)) {
            let along = [head.x, head.y, head.z, -head.x, -head.y, -head.z];
            for (end, along) in ends.iter_mut().zip(along).filter(|(_, along)| along.is_finite()) {
                *end = end.max(along);
            }
        }
        ends[6] = pose.morph_weights.iter().flatten().map(|weight| weight.abs()).sum();
        ends
    };
    let all: Vec<[f32; 7]> = specs.par_iter().map(ends).collect();
    let mut found: Vec<usize> = (0..7)
        .filter_map(|end| {
            let of = |at: &usize| all[*at][end];
            (0..all.len()).max_by(|a, b| of(a).total_cmp(&of(b)).then(b.cmp(a)))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::*;
    use crate::model::{ClipId, Interpolation};

    fn moved(keys: &[(f64, f32)], duration_secs: f64) -> Clip {
        let track = linear(keys.iter().map(|&(at, x)| (at, Vec3::X * x)));
        ModelBuilder::new().clip("a", duration_secs).translation(0, track).into_clip()
    }

    #[test]
    fn clip_times_include_keys_and_times_between_them() {
        let clip = moved(&[(0.0, 0.0), (1.0, 1.0), (4.0, 0.0)], 4.0);
        assert_eq!(clip_times(&clip, 3, 9), [0.0, 0.5, 1.0, 2.5, 4.0]);
        assert_eq!(clip_times(&clip, 6, 9), [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(clip_times(&clip, 2, 3), [0.0, 1.0, 4.0]);
        assert_eq!(clip_times(&clip, 6, 2), [0.0, 4.0]);
        assert_eq!(clip_times(&moved(&[(0.0, 0.0)], 0.0), 6, 9), [0.0]);
        let mut bent = clip;
        if let Motion::Tracks(tracks) = &mut bent.motion {
            let track = tracks[0].translation.as_mut().unwrap();
            track.interpolation = Interpolation::Cubic;
        }
        assert_eq!(clip_times(&bent, 2, 3), [0.0, 0.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn extreme_pose_of_a_short_movement_is_found() {
        let model = ModelBuilder::new()
            .chain(&["a"])
            .add_clip(moved(&[(0.0, 0.0), (0.9, 0.0), (1.0, 5.0), (1.1, 0.0), (9.0, -1.0)], 9.0))
            .build();
        let times = clip_times(&model.clips[ClipId(0)], 8, 64);
        let specs: Vec<_> = times.iter().map(|&time| PoseSpec::linear(ClipId(0), time)).collect();
        let found = extreme_poses(&model, &BoneAnchors::default(), &specs);
        let found: Vec<f64> = found.into_iter().map(|at| times[at]).collect();
        assert!(found.contains(&1.0) && found.contains(&9.0), "{found:?}");
    }
}
