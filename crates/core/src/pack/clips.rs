//! Poses a model once at all keys of all clips.

use glam::Affine3A;
use rayon::prelude::*;

use super::bones::Pair;
use super::options::PackOptions;
use crate::model::{ClipId, Model, Motion, Report};
use crate::pose::{Pose, PoseSpec, sample};
use crate::reshape::ReshapeError;
use crate::reshape::{BAKE_INTERVAL_NS, Timing};
use crate::reshape::{STATIC, SampledKeys, check_keys};

/// Keys posed between checks for cancellation.
const BATCH: u32 = 256;
/// The name of FBX takes that aren't motions.
const INTERNAL: &str = "(internal)";
/// Matrix entries that differ by less than this fraction of the largest are equal.
const STILL: f32 = 1e-6;

/// The poses of one clip's keys.
#[derive(Clone, Debug)]
pub(super) struct ClipPoses {
    /// Index in the source; `None` for the default pose.
    pub(super) clip: Option<ClipId>,
    pub(super) name: String,
    pub(super) interval_ns: u64,
    pub(super) duration_ns: u64,
    pub(super) poses: Vec<Pose>,
    /// Only the first pose is stored.
    pub(super) is_still: bool,
}

/// All clips to pack; for a model without clips, a single one with one key.
pub(super) fn all(
    model: &Model,
    options: &PackOptions,
    report: &Report,
) -> Result<Vec<ClipPoses>, ReshapeError> {
    let mut timings = Vec::new();
    for (number, clip) in model.clips.iter().enumerate() {
        let is_cache = matches!(clip.motion, Motion::VertexAnimation(_));
        if !options.as_tool || (!is_cache && clip.name != INTERNAL) {
            timings.push((ClipId::from_index(number), clip, Timing::of(clip, options.rate)));
        }
    }
    let num_keys: u64 = timings.iter().map(|(.., t)| u64::from(t.num_keys)).sum();
    let sampled = timings.iter();
    let sampled =
        sampled.map(|(_, clip, timing)| SampledKeys { clip, num_keys: timing.num_sampled() });
    let has_explicit_rate = options.rate.is_some() && !options.as_tool;
    check_keys(sampled, model.skeleton.len() as u64, has_explicit_rate, options.sampling)?;
    let mut clips = Vec::with_capacity(timings.len());
    let mut num_done = 0u64;
    for (id, clip, timing) in timings {
        let mut poses = Vec::with_capacity(timing.num_keys as usize);
        for first in (0..timing.num_keys).step_by(BATCH as usize) {
            let share = (num_done + u64::from(first)) as f32 / num_keys.max(1) as f32;
            report.progress("sampling clips", 0.7 * share)?;
            let batch = first..timing.num_keys.min(first + BATCH);
            let posed = batch.into_par_iter().map(|key| {
                let mut pose = sample(model, &timing.spec(id, clip, key));
                // Vertex animations aren't packed, and are large.
                pose.cached = None;
                pose
            });
            poses.par_extend(posed);
        }
        num_done += u64::from(timing.num_keys);
        clips.push(ClipPoses {
            clip: Some(id),
            name: clip.name.clone(),
            interval_ns: timing.interval_ns,
            duration_ns: timing.duration_ns,
            poses,
            is_still: false,
        });
    }
    if clips.is_empty() {
        clips.push(ClipPoses {
            clip: None,
            name: STATIC.to_owned(),
            interval_ns: BAKE_INTERVAL_NS,
            duration_ns: 0,
            poses: vec![sample(model, &PoseSpec::default())],
            is_still: true,
        });
    }
    Ok(clips)
}

/// Like the original tool: a model without motion has one key.
pub(super) fn name_still(clips: &mut [ClipPoses], pairs: &[Pair]) {
    let [only] = clips else { return };
    if pairs.is_empty() {
        return;
    }
    let Some((first, others)) = only.poses.split_first() else { return };
    let is_still = pairs.iter().all(|pair| {
        let at_first = skin_matrix(first, pair);
        let largest = at_first.to_cols_array().iter().fold(1.0f32, |m, x| m.max(x.abs()));
        let is_same = |pose: &Pose| skin_matrix(pose, pair).abs_diff_eq(at_first, STILL * largest);
        others.iter().all(is_same)
    });
    if is_still {
        only.is_still = true;
        STATIC.clone_into(&mut only.name);
        only.duration_ns = 0;
        only.interval_ns = BAKE_INTERVAL_NS;
    }
}

impl ClipPoses {
    /// The poses that are stored.
    pub(super) fn stored(&self) -> &[Pose] {
        if self.is_still { self.poses.get(..1).unwrap_or_default() } else { &self.poses }
    }
}

/// The matrix that moves vertices of a pair, source space.
pub(super) fn skin_matrix(pose: &Pose, pair: &Pair) -> Affine3A {
    let Some(bone) = pair.bone else { return pair.bone_from_mesh };
    match &pose.model_from_mesh {
        Some(finished) => finished[bone],
        None => pose.model_from_bone[bone] * pair.bone_from_mesh,
    }
}

/// The bone transform that gives [`skin_matrix`] when multiplied with the inverse bind matrix.
pub(super) fn global_matrix(pose: &Pose, pair: &Pair) -> Affine3A {
    match (&pose.model_from_mesh, pair.bone) {
        (Some(finished), Some(bone)) => finished[bone] * pair.bone_from_mesh.inverse(),
        (None, Some(bone)) => pose.model_from_bone[bone],
        (_, None) => Affine3A::IDENTITY,
    }
}
