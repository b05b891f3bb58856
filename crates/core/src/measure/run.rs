//! Compares all moments of all clips.

use glam::Vec3;
use rayon::prelude::*;

use super::instants::{Instant, NUM_PARTS, keys};
use super::pairs::{AllPairs, PartPairs};
use super::posed::Vertices;
use super::probes::SampledPairs;
use super::sums::{Sum, Total};
use super::{ClipPair, Deviation, Job, MeasureOptions, PairValues, PerPair};
use crate::model::{Cancelled, Clip, ClipId, Model, Report, spread};
use crate::pose::{Pose, PoseBudget};

/// Moments between checks for cancellation.
const BATCH: usize = 64;
/// The same if the distances of all pairs are recorded.
const SMALL_BATCH: usize = 8;
/// Of the poses that a clip may have, the parts at which all vertices are compared: at keys, and at the worst moments.
/// The rest is for probes.
const SHARE_OF_KEYS: f64 = 0.75;
const SHARE_OF_WORST: f64 = 0.1;
/// The most pairs that become probes because of a large distance.
const MAX_FARTHEST: usize = 256;
/// Per clip, the number of intervals to subdivide, and of moments to compare completely after probing.
const NUM_WORST: usize = 6;
/// Of intervals in which the source doesn't move, one in this many is examined.
const FEW_OF_STILL: usize = 8;
/// A known pose is used for moments within this fraction of the interval.
const SAME_POSE: f64 = 1e-3;

/// Compares results with their source over all clips of the job.
///
/// # Errors
/// If cancelled.
pub fn measure(
    job: &Job<'_>,
    wants: MeasureOptions,
    report: &Report,
) -> Result<Deviation, Cancelled> {
    let pairs = AllPairs::of(job);
    let size = job.size();
    let mut total = Total::default();
    if wants.per_pair != PerPair::No {
        let parts = pairs.parts.iter();
        total.measured.per_pair = parts.map(|p| vec![f32::NAN; p.num_listed]).collect();
    }
    let left = (1.0 - wants.done_before) / job.clips.len() as f32;
    let num_posed = pairs.num_posed(job);
    let budget = PoseBudget::of_pose(job.source.model, num_posed);
    let budget = wants.max_vertices.map_or(budget, |most| budget.at_most(most / num_posed.max(1)));
    for (number, clip) in job.clips.iter().enumerate() {
        let most = match clip.source {
            Some(source) => budget.moments_of(source.index(), usize::MAX),
            None => budget.moments_of(number, usize::MAX).max(1),
        };
        if most == 0 {
            total.measured.num_clips_left_out += 1;
            continue;
        }
        let run = Run {
            job,
            pairs: &pairs,
            clip,
            wants,
            report,
            most,
            size,
            share: (wants.done_before + left * number as f32, left),
        };
        run.all(&mut total)?;
    }
    Ok(total.finish())
}

/// Both sides posed at an instant.
#[derive(PartialEq)]
struct PosedPair {
    source: Pose,
    made: Vec<Pose>,
}

/// The comparison of one clip.
struct Run<'a> {
    job: &'a Job<'a>,
    pairs: &'a AllPairs,
    clip: &'a ClipPair<'a>,
    wants: MeasureOptions,
    report: &'a Report,
    /// How many poses of all vertices may be compared.
    most: usize,
    /// The size of the source, display units.
    size: f64,
    /// The fraction of all work that is done before this clip, and the fraction of this clip.
    share: (f32, f32),
}

impl Run<'_> {
    fn all(&self, total: &mut Total) -> Result<(), Cancelled> {
        let keys = self.instants();
        let num_whole =
            self.part(SHARE_OF_KEYS).min(self.wants.max_keys.unwrap_or(usize::MAX)).max(2);
        let mut is_whole = vec![false; keys.len()];
        for at in spread(keys.len(), num_whole) {
            if let Some(flag) = is_whole.get_mut(at) {
                *flag = true;
            }
        }
        let whole: Vec<Instant> = chosen(&keys, &is_whole, true);
        let farthest = self.compare_all(&whole, 0.0..0.6, total)?;
        if keys.len() < 2 {
            return Ok(());
        }
        let probes = SampledPairs::choose(self.job, self.pairs, &farthest);
        let num_probed = self.num_probed(&probes);
        let rest: Vec<Instant> = chosen(&keys, &is_whole, false);
        let rest: Vec<Instant> =
            spread(rest.len(), num_probed).filter_map(|at| rest.get(at).copied()).collect();
        let num_compared = whole.len() + rest.len();
        total.measured.num_keys_left_out += keys.len() - num_compared;
        let mut probed = self.probe(&probes, &rest, 0.6..0.7, total)?;
        let intervals: Vec<(Instant, Instant)> = (keys.iter().zip(keys.iter().skip(1)))
            .enumerate()
            .filter(|(at, (a, b))| at.is_multiple_of(FEW_OF_STILL) || !self.is_still(a, b))
            .map(|(_, (a, b))| (*a, *b))
            .collect();
        let intervals: Vec<(Instant, Instant)> = spread(intervals.len(), num_probed)
            .filter_map(|at| intervals.get(at).copied())
            .collect();
        let own_parts = self.wants.interval_parts;
        let inner = |(a, b): &(Instant, Instant)| {
            let (a, b) = (*a, *b);
            own_parts.iter().map(move |&part| a.until(&b, part))
        };
        let between: Vec<Instant> = intervals.iter().flat_map(inner).collect();
        let at_between = self.probe(&probes, &between, 0.7..0.9, total)?;
        let mut order: Vec<usize> = (0..at_between.len()).collect();
        order.sort_by(|&a, &b| of(&at_between, b).total_cmp(&of(&at_between, a)));
        let mut worst: Vec<usize> =
            order.iter().take(NUM_WORST).map(|at| at / own_parts.len().max(1)).collect();
        worst.dedup();
        let parts: Vec<Instant> = (worst.iter())
            .filter_map(|&at| intervals.get(at))
            .flat_map(|(first, last)| {
                let inner = (1..NUM_PARTS).filter(|part| part * 2 != NUM_PARTS);
                inner.map(|part| first.until(last, f64::from(part) / f64::from(NUM_PARTS)))
            })
            .collect();
        let at_parts = self.probe(&probes, &parts, 0.9..0.95, total)?;
        probed.extend(at_between);
        probed.extend(at_parts);
        // The sort is stable: the first of equals remains first.
        probed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let num_worst = NUM_WORST.min(self.part(SHARE_OF_WORST));
        let worst: Vec<Instant> = probed.into_iter().take(num_worst).map(|(i, _)| i).collect();
        self.compare_all(&worst, 0.95..1.0, total)?;
        Ok(())
    }

    /// A part of the poses of all vertices, at least two.
    fn part(&self, share: f64) -> usize {
        whole(self.most as f64 * share).max(2)
    }

    /// How many keys, and how many intervals, probes may be compared in: as much work as for all vertices.
    fn num_probed(&self, probes: &SampledPairs) -> usize {
        let num_vertices: usize = probes.parts.iter().map(|part| part.pairs.len()).sum();
        let work = |num_vertices: usize| num_vertices + self.job.source.model.skeleton.len() + 1;
        let of_all = work(self.pairs.num_posed(self.job)) as f64;
        whole(self.most as f64 * of_all / work(2 * num_vertices) as f64)
    }

    /// Whether the source is known not to move between two keys.
    ///
    /// Equal poses at both keys only prove that if motion between keys is linear.
    fn is_still(&self, first: &Instant, last: &Instant) -> bool {
        if self.source_clip().is_some_and(Clip::has_curves) {
            return false;
        }
        let known = self.known_pose(first).zip(self.known_pose(last));
        known.is_some_and(|(first, last)| first == last)
    }

    fn source_clip(&self) -> Option<&Clip> {
        self.clip.source.map(|id| self.job.source.model.clip(id))
    }

    fn made_clip(&self) -> Option<&Clip> {
        let made = self.clip.made;
        self.job.parts.iter().find_map(|part| part.made.model.clips.get(made?))
    }

    /// The start of the source's clip; without one, of the result's clip.
    fn start_secs(&self) -> f64 {
        self.source_clip().or_else(|| self.made_clip()).map_or(0.0, |clip| clip.start_secs)
    }

    fn instants(&self) -> Vec<Instant> {
        keys(self.source_clip(), self.made_clip())
    }

    fn progress(&self, range: &std::ops::Range<f32>, done: f32) -> Result<(), Cancelled> {
        let (before, own) = self.share;
        let of_clip = range.start + (range.end - range.start) * done;
        self.report.progress("comparing", before + own * of_clip)
    }

    /// Compares all pairs. Returns the pair with the largest distance at each moment, largest distance first.
    fn compare_all(
        &self,
        instants: &[Instant],
        range: std::ops::Range<f32>,
        total: &mut Total,
    ) -> Result<Vec<(usize, usize)>, Cancelled> {
        let mut farthest: Vec<(f64, (usize, usize))> = Vec::new();
        let wants_pairs = self.wants.per_pair != PerPair::No;
        let size = if wants_pairs { SMALL_BATCH } else { BATCH };
        for (number, batch) in instants.chunks(size).enumerate() {
            let done = (number * size) as f32 / instants.len() as f32;
            self.progress(&range, done)?;
            let posed: Vec<(Instant, PosedPair)> =
                batch.par_iter().map(|i| (*i, self.posed(i))).collect();
            let same: Vec<&[(Instant, PosedPair)]> =
                posed.chunk_by(|(_, a), (_, b)| a == b).collect();
            let compared = |same: &&[(Instant, PosedPair)]| {
                // A moment takes a while if the model has millions of vertices.
                self.progress(&range, done)?;
                let Some((instant, posed)) = same.first() else { return Ok(None) };
                let mut values: Vec<PairValues> = if wants_pairs {
                    self.pairs.parts.iter().map(|p| vec![f32::NAN; p.pairs.len()]).collect()
                } else {
                    Vec::new()
                };
                let sum = self.sum(&self.pairs.parts, posed, None, |part, at, apart| {
                    if let Some(value) = values.get_mut(part).and_then(|list| list.get_mut(at)) {
                        *value = narrowed(apart);
                    }
                });
                Ok(Some((*instant, sum, same.len(), values)))
            };
            let all: Vec<_> = same.par_iter().map(compared).collect::<Result<_, Cancelled>>()?;
            for (instant, sum, num_same, values) in all.into_iter().flatten() {
                total.add(self.pairs, self.clip, self.start_secs(), &instant, &sum, num_same);
                farthest.extend(sum.at.map(|at| (sum.max, at)));
                if self.wants.per_pair == PerPair::Always || self.clip.is_key(&instant) {
                    self.keep(&values, total);
                }
            }
        }
        farthest.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        farthest.dedup_by_key(|(_, at)| *at);
        let farthest = farthest.into_iter().take(MAX_FARTHEST);
        Ok(farthest.map(|(_, at)| at).collect())
    }

    /// Raises the recorded distance of each pair.
    fn keep(&self, values: &[PairValues], total: &mut Total) {
        let known = total.measured.per_pair.iter_mut();
        for ((known, values), part) in known.zip(values).zip(&self.pairs.parts) {
            for (&listed, &value) in part.listed.iter().zip(values) {
                if let Some(slot) = known.get_mut(listed as usize) {
                    // The maximum of a number and NaN is the number.
                    *slot = slot.max(value);
                }
            }
        }
    }

    /// The distances of probes as fractions of the size.
    fn probe(
        &self,
        probes: &SampledPairs,
        instants: &[Instant],
        range: std::ops::Range<f32>,
        total: &mut Total,
    ) -> Result<Vec<(Instant, f64)>, Cancelled> {
        let mut out = Vec::with_capacity(instants.len());
        total.measured.num_probed += instants.len();
        for (number, batch) in instants.chunks(BATCH).enumerate() {
            self.progress(&range, (number * BATCH) as f32 / instants.len() as f32)?;
            let one = |instant: &Instant| {
                let posed = self.posed(instant);
                let sum = self.sum(&probes.parts, &posed, Some(probes), |_, _, _| {});
                let share = if sum.extent > 0.0 { sum.of_extent() } else { sum.max };
                (*instant, share)
            };
            out.par_extend(batch.par_iter().map(one));
        }
        Ok(out)
    }

    fn posed(&self, instant: &Instant) -> PosedPair {
        let known = self.known_pose(instant);
        let made = self.job.parts.iter();
        PosedPair {
            source: match known {
                Some(pose) => pose.clone(),
                None => self.job.source.pose_at(self.clip.source, instant.source_secs),
            },
            made: made.map(|part| part.made.pose_at(self.clip.made, instant.made_secs)).collect(),
        }
    }

    /// The source's pose at an instant, if it was computed before.
    fn known_pose(&self, instant: &Instant) -> Option<&Pose> {
        let (posed, interval_secs) = (self.clip.posed, self.clip.posed_secs);
        if let [only] = posed {
            return Some(only).filter(|_| self.clip.source.is_none());
        }
        let at = instant.source_secs / interval_secs;
        let is_there = at >= 0.0 && (at - at.round()).abs() <= SAME_POSE;
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let number = at.round() as usize;
        posed.get(number).filter(|_| is_there)
    }

    fn sum(
        &self,
        pairs: &[PartPairs],
        posed: &PosedPair,
        probes: Option<&SampledPairs>,
        each: impl FnMut(usize, usize, f64),
    ) -> Sum {
        let vertices = probes.map_or(Vertices::All, SampledPairs::of_source);
        let source = self.job.source.positions(&posed.source, vertices);
        let parts = self.job.parts.iter().zip(&posed.made).enumerate();
        let made: Vec<Vec<Vec3>> = parts
            .map(|(number, (part, pose))| {
                let vertices = probes.map_or(Vertices::All, |probes| probes.of_part(number));
                part.made.positions(pose, vertices)
            })
            .collect();
        Sum::of(pairs, &source, &made, self.size, each)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
#[expect(clippy::cast_sign_loss, reason = "not negative")]
fn whole(number: f64) -> usize {
    number as usize
}

/// The instants whose flag is `is_whole`.
fn chosen(instants: &[Instant], flags: &[bool], is_whole: bool) -> Vec<Instant> {
    let own = instants.iter().zip(flags).filter(|(_, flag)| **flag == is_whole);
    own.map(|(instant, _)| *instant).collect()
}

fn of(list: &[(Instant, f64)], at: usize) -> f64 {
    list.get(at).map_or(0.0, |(_, share)| *share)
}

/// A distance for display.
#[expect(clippy::cast_possible_truncation, reason = "distances are of single precision")]
fn narrowed(distance: f64) -> f32 {
    distance as f32
}

impl Job<'_> {
    /// All clips of the source, each with the clip made from it; the default pose if the source has no clips.
    #[must_use]
    pub fn clips_of<'a>(
        source: &Model,
        made: impl Fn(ClipId) -> Option<ClipId>,
    ) -> Vec<ClipPair<'a>> {
        let ids = (0..source.clips.len()).map(ClipId::from_index);
        let pair = |id| ClipPair { source: Some(id), made: made(id), ..ClipPair::default() };
        let mut clips: Vec<_> = ids.map(pair).collect();
        if clips.is_empty() {
            clips.push(ClipPair::default());
        }
        clips
    }
}
