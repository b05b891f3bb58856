//! Posing a model at all keys of all clips, once.

use glam::Affine3A;
use rayon::prelude::*;

use super::bones::Pair;
use super::options::{BakeError, BakeOptions};
use crate::bake::keys::BAKE_INTERVAL_NS;
use crate::model::{BoneId, Clip, ClipId, Model, Motion, Report};
use crate::pose::{Moment, Pose, PoseSpec, Sampling, sample};

/// Keys a second where nothing says otherwise.
const USUAL_RATE: f64 = 30.0;
/// Matrices of all keys; more would be gigabytes.
const MAX_MATRICES: u64 = 1 << 24;
/// Keys posed between two looks at whether to go on.
const BATCH: u32 = 256;
/// What FBX calls a take that is no motion.
const INTERNAL: &str = "(internal)";
/// The name of the one clip of a model that does not move.
pub(super) const STATIC: &str = "static";
/// Matrix entries this far apart, as a part of the largest, are the same.
const STILL: f32 = 1e-6;

/// The poses of one clip's keys.
#[derive(Clone, Debug)]
pub(in crate::bake) struct ClipPoses {
    /// Position in the source's list; `None` for the default pose.
    pub(in crate::bake) clip: Option<ClipId>,
    pub(super) name: String,
    pub(super) interval_ns: u64,
    pub(super) duration_ns: u64,
    pub(in crate::bake) poses: Vec<Pose>,
    /// Only the first pose is stored.
    pub(super) is_still: bool,
}

/// When the keys of a clip are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Timing {
    num_keys: u32,
    interval_ns: u64,
    duration_ns: u64,
    moments: Moments,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Moments {
    /// The default pose alone.
    Default,
    /// The keys as stored.
    Keys,
    /// So far apart from the clip's beginning.
    Every(f64),
}

/// All clips that are packed; one of one key where there are none.
pub(super) fn all(
    model: &Model,
    options: &BakeOptions,
    report: &Report,
) -> Result<Vec<ClipPoses>, BakeError> {
    let mut timings = Vec::new();
    for (number, clip) in model.clips.iter().enumerate() {
        let is_cache = matches!(clip.motion, Motion::VertexCache(_));
        if !options.as_tool || (!is_cache && clip.name != INTERNAL) {
            timings.push((
                ClipId::from_index(number),
                clip,
                Timing::of(clip, options.rate),
            ));
        }
    }
    let num_keys: u64 = timings.iter().map(|(.., t)| u64::from(t.num_keys)).sum();
    let num_matrices = num_keys.saturating_mul(model.skeleton.len().max(1) as u64);
    if num_matrices > MAX_MATRICES {
        return Err(BakeError::TooMany {
            what: "matrices in the keys of all clips",
            count: usize::try_from(num_matrices).unwrap_or(usize::MAX),
            limit: usize::try_from(MAX_MATRICES).unwrap_or(usize::MAX),
        });
    }
    let mut clips = Vec::with_capacity(timings.len());
    let mut num_done = 0u64;
    for (id, clip, timing) in timings {
        let mut poses = Vec::with_capacity(timing.num_keys as usize);
        for first in (0..timing.num_keys).step_by(BATCH as usize) {
            let share = (num_done + u64::from(first)) as f32 / num_keys.max(1) as f32;
            report.progress("sampling clips", 0.3 + 0.4 * share)?;
            let batch = first..timing.num_keys.min(first + BATCH);
            let posed = batch.into_par_iter().map(|key| {
                let mut pose = sample(model, &timing.spec(id, clip, key));
                // Caches are not packed, and large.
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

impl Timing {
    fn of(clip: &Clip, rate: Option<f64>) -> Self {
        let one = |moments| Self {
            num_keys: 1,
            interval_ns: BAKE_INTERVAL_NS,
            duration_ns: 0,
            moments,
        };
        let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0);
        match (&clip.motion, rate) {
            (Motion::VertexCache(_), _) => return one(Moments::Default),
            (Motion::Sampled(motion), _) if motion.is_bind_pair => return one(Moments::Default),
            (Motion::Sampled(motion), None) => {
                return match u32::try_from(motion.keys.num_keys()) {
                    Ok(0) => one(Moments::Default),
                    num_keys => Self {
                        num_keys: num_keys.unwrap_or(u32::MAX),
                        interval_ns: motion.interval_ns,
                        duration_ns: motion.duration_ns,
                        moments: Moments::Keys,
                    },
                };
            }
            _ => {}
        }
        let own = clip.uniform_keys().filter(|_| rate.is_none());
        if let Some((num_keys, interval_secs)) = own
            && interval_secs > 0.0
        {
            return Self {
                num_keys: u32::try_from(num_keys).unwrap_or(u32::MAX),
                interval_ns: nanoseconds(interval_secs),
                duration_ns: nanoseconds(clip.duration_secs),
                moments: Moments::Every(interval_secs),
            };
        }
        let rate = rate.unwrap_or(USUAL_RATE);
        let num_steps = whole((clip.duration_secs.max(0.0) * rate).round());
        let num_steps = u32::try_from(num_steps).unwrap_or(u32::MAX - 1);
        Self {
            num_keys: num_steps.saturating_add(1),
            interval_ns: nanoseconds(1.0 / rate),
            // As every real file has it.
            duration_ns: nanoseconds(f64::from(num_steps) / rate),
            moments: Moments::Every(1.0 / rate),
        }
    }

    fn spec(&self, id: ClipId, clip: &Clip, key: u32) -> PoseSpec {
        PoseSpec {
            clip: Some(id),
            moment: match self.moments {
                Moments::Default => Moment::Default,
                Moments::Keys => Moment::Key(key),
                Moments::Every(secs) => Moment::TimeSecs(clip.start_secs + f64::from(key) * secs),
            },
            sampling: Sampling::Linear,
        }
    }
}

/// Whole nanoseconds, cut off; a whole number that rounding took a hair from stays itself.
fn nanoseconds(secs: f64) -> u64 {
    const HAIR: f64 = 1e-3;
    whole(secs.max(0.0) * 1e9 + HAIR)
}

fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let number = number as u64;
    number
}

/// As the tool has it: a model in which nothing moves has one key.
pub(super) fn name_still(clips: &mut [ClipPoses], pairs: &[Pair]) {
    let [only] = clips else {
        return;
    };
    let Some((first, others)) = only.poses.split_first() else {
        return;
    };
    let is_still = pairs.iter().all(|pair| {
        let at_first = skin_matrix(first, pair);
        let largest = at_first
            .to_cols_array()
            .iter()
            .fold(1.0f32, |m, x| m.max(x.abs()));
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
        match self.is_still {
            true => self.poses.get(..1).unwrap_or_default(),
            false => &self.poses,
        }
    }
}

/// What moves vertices of a pair, source space.
pub(super) fn skin_matrix(pose: &Pose, pair: &Pair) -> Affine3A {
    let Some(bone) = pair.bone else {
        return pair.bone_from_mesh;
    };
    match &pose.model_from_mesh {
        Some(finished) => matrix_of(finished, bone),
        None => matrix_of(&pose.model_from_bone, bone) * pair.bone_from_mesh,
    }
}

/// Where a bone is, so that its inverse bind leads to [`skin_matrix`].
pub(super) fn global_matrix(pose: &Pose, pair: &Pair) -> Affine3A {
    match (&pose.model_from_mesh, pair.bone) {
        (Some(finished), Some(bone)) => matrix_of(finished, bone) * pair.bone_from_mesh.inverse(),
        (None, Some(bone)) => matrix_of(&pose.model_from_bone, bone),
        (_, None) => Affine3A::IDENTITY,
    }
}

fn matrix_of(matrices: &[Affine3A], bone: BoneId) -> Affine3A {
    let matrix = matrices.get(bone.index()).copied();
    matrix.unwrap_or(Affine3A::IDENTITY)
}
