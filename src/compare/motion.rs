//! Skinned positions over time.

use rayon::prelude::*;

use super::space::{Side, VertexAt, distance, sides};
use super::vertices::Matching;
use crate::model::{Cancelled, Clip, ClipId, Model, Motion, Report};
use crate::pose::{Moment, Pose, PoseSpec, Sampling, sample};

/// Moments a second of clips that store no keys at equal intervals.
const MOMENTS_A_SECOND: f64 = 30.0;

/// How far apart matched vertices are over all moments compared, display units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseError {
    /// Where and when it is worst; `None` where all are in the same place.
    pub worst: Option<WorstMoment>,
    /// Root of the mean square of all distances.
    pub rms: f64,
    /// Number of moments of all clips.
    pub num_moments: usize,
    /// The largest distance of each vertex of B, numbered through all meshes; 0 for those without
    /// a partner.
    pub per_vertex: Vec<f32>,
}

/// The largest distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstMoment {
    /// Between both vertices, display units.
    pub distance: f64,
    /// The vertex of A.
    pub a: VertexAt,
    /// The vertex of B.
    pub b: VertexAt,
    /// The clips of A and B.
    pub clips: (Option<ClipId>, Option<ClipId>),
    /// Since the clips' beginning.
    pub time_secs: f64,
}

/// Measures how far apart the matched vertices of `a` and `b` are over all of `clips`.
///
/// Moments are the sampled keys of A's clip, else of B's, else tracks' keys that lie at equal short
/// intervals, else thirty a second; at most `max_moments` a clip, evenly chosen, first and last among them.
/// Without a clip a side stays in the pose it was matched in.
///
/// # Errors
/// [`Cancelled`] when `report` says so.
pub fn pose_error(
    a: &Model,
    b: &Model,
    matching: &Matching,
    clips: &[(Option<ClipId>, Option<ClipId>)],
    max_moments: usize,
    report: &Report,
) -> Result<PoseError, Cancelled> {
    let (side_a, side_b, _) = sides(a, b);
    let mut error = PoseError {
        per_vertex: vec![0.0; side_b.num_vertices()],
        ..PoseError::default()
    };
    let (mut sum, mut num) = (0.0f64, 0usize);
    for (done, &(clip_a, clip_b)) in clips.iter().enumerate() {
        let still_a = clip_a.is_none().then(|| side_a.posed(matching.pose_a));
        let still_b = clip_b.is_none().then(|| side_b.posed(matching.pose_b));
        let sampler = Sampler {
            a,
            b,
            clip_a,
            clip_b,
        };
        let moments = moments(&sampler, max_moments);
        for (at, &time_secs) in moments.iter().enumerate() {
            let share = (done as f32 + at as f32 / moments.len() as f32) / clips.len() as f32;
            report.progress("comparing clips", share)?;
            let moved = |side: &Side<'_>, clip: Option<ClipId>| {
                clip.map(|clip| side.skinned(&sampler.pose(side.model, clip, time_secs)))
            };
            let (moved_a, moved_b) = (moved(&side_a, clip_a), moved(&side_b, clip_b));
            let (Some(posed_a), Some(posed_b)) = (
                moved_a.as_ref().or(still_a.as_ref()),
                moved_b.as_ref().or(still_b.as_ref()),
            ) else {
                continue;
            };
            error.num_moments += 1;
            let distances: Vec<Option<f64>> = matching
                .a_of_b
                .par_iter()
                .zip(&posed_b.positions)
                .map(|(of_a, &b)| Some(distance(*posed_a.positions.get((*of_a)? as usize)?, b)))
                .collect();
            for (vertex, &apart) in distances.iter().enumerate() {
                let Some(apart) = apart else { continue };
                sum += apart * apart;
                num += 1;
                if let Some(largest) = error.per_vertex.get_mut(vertex) {
                    *largest = largest.max(narrowed(apart));
                }
                if apart > error.worst.map_or(0.0, |worst| worst.distance) {
                    let of_a = matching.a_of_b[vertex].unwrap_or(0) as usize;
                    error.worst = Some(WorstMoment {
                        distance: apart,
                        a: side_a.vertex_at(of_a),
                        b: side_b.vertex_at(vertex),
                        clips: (clip_a, clip_b),
                        time_secs,
                    });
                }
            }
        }
    }
    error.rms = (sum / num.max(1) as f64).sqrt();
    Ok(error)
}

/// A distance for a picture.
#[expect(
    clippy::cast_possible_truncation,
    reason = "distances are of single precision"
)]
pub(super) fn narrowed(distance: f64) -> f32 {
    distance as f32
}

/// Two clips on one clock that begins at 0.
pub(super) struct Sampler<'a> {
    a: &'a Model,
    b: &'a Model,
    clip_a: Option<ClipId>,
    clip_b: Option<ClipId>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(a: &'a Model, b: &'a Model, (clip_a, clip_b): (ClipId, ClipId)) -> Self {
        let (clip_a, clip_b) = (Some(clip_a), Some(clip_b));
        Self {
            a,
            b,
            clip_a,
            clip_b,
        }
    }

    fn clips(&self) -> (Option<&Clip>, Option<&Clip>) {
        let of =
            |model: &'a Model, id: Option<ClipId>| id.and_then(|id| model.clips.get(id.index()));
        (of(self.a, self.clip_a), of(self.b, self.clip_b))
    }

    /// Both poses.
    pub(super) fn at(&self, time_secs: f64) -> (Pose, Pose) {
        let of = |model, clip: Option<ClipId>| match clip {
            Some(clip) => self.pose(model, clip, time_secs),
            None => sample(model, &PoseSpec::default()),
        };
        (of(self.a, self.clip_a), of(self.b, self.clip_b))
    }

    fn pose(&self, model: &Model, id: ClipId, time_secs: f64) -> Pose {
        let clip = model.clips.get(id.index());
        let moment = match clip {
            Some(clip) if !is_bind_pair(clip) => Moment::TimeSecs(clip.start_secs + time_secs),
            _ => Moment::Default,
        };
        let spec = PoseSpec {
            clip: Some(id),
            moment,
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        sample(model, &spec)
    }
}

fn is_bind_pair(clip: &Clip) -> bool {
    clip.as_sampled().is_some_and(|motion| motion.is_bind_pair)
}

/// The times to compare, since the clips' beginning; never none.
pub(super) fn moments(sampler: &Sampler<'_>, max_moments: usize) -> Vec<f64> {
    let (a, b) = sampler.clips();
    let clips = || [a, b].into_iter().flatten();
    if clips().next().is_none() || clips().any(is_bind_pair) {
        return vec![0.0];
    }
    // Where one ends earlier the other has nothing to be compared with.
    let durations = clips().map(|clip| clip.duration_secs.max(0.0));
    let end = durations.fold(f64::INFINITY, f64::min);
    // Sampled keys of either side go before tracks, whose keys need not be frames.
    let sampled = clips().find(|clip| matches!(clip.motion, Motion::Sampled(_)));
    let keys = sampled.and_then(Clip::uniform_keys);
    // What lies between keys far apart is compared too.
    let is_dense = |&(_, secs): &(usize, f64)| secs <= 2.0 / MOMENTS_A_SECOND;
    let keys = keys.or_else(|| clips().find_map(|clip| clip.uniform_keys().filter(is_dense)));
    let (num, interval_secs) = match keys {
        Some((num, interval_secs)) if interval_secs > 0.0 => (num, interval_secs),
        Some(_) => return vec![0.0],
        None => {
            #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
            #[expect(clippy::cast_sign_loss, reason = "not negative")]
            let steps = (end * MOMENTS_A_SECOND).round() as usize;
            (steps.saturating_add(1), 1.0 / MOMENTS_A_SECOND)
        }
    };
    let max = max_moments.max(1);
    let chosen = num.clamp(1, max);
    let times = (0..chosen).map(|at| {
        let key = match chosen {
            1 => 0.0,
            _ => (at as f64 * (num - 1) as f64 / (chosen - 1) as f64).round(),
        };
        key * interval_secs
    });
    // The stored end of sampled clips is rounded down, and may lie before the last key.
    let times: Vec<f64> = times
        .filter(|&time| time <= end + 0.5 * interval_secs)
        .collect();
    match times.is_empty() {
        true => vec![0.0],
        false => times,
    }
}
