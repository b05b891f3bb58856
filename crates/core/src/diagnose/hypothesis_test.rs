//! Tests a hypothesis: tries its changes, and decides whether one explains the unusual evidence.

use rayon::prelude::*;

use super::candidate::{Candidate, changed, ranked};
use super::evidence::{ALL, Evidence, Items, Kind};
use super::ordinary::UNUSUAL;
use super::posed::Posed;
use super::result::Cause;
use super::specimen::Specimen;
use super::trial::{Hypothesis, Trial, Undo};
use super::values::{Values, is_exact, mean_at, mean_surprises, suspicious, worst};
use crate::model::Model;

/// Undoing a fault must divide its deviation from the reference, or stored values, by at least this factor.
const DECISIVE: f64 = 10.0;
/// If at least this many items are suspicious, a change is also decisive if only a tenth of them remains suspicious
/// and it divides their mean by at least `LESS`.
const MANY_ITEMS: usize = 10;
const LESS: f64 = 2.5;
/// The least total improvement of drawn evidence.
const MIN_DRAWN_GAIN: f64 = 3.0;
/// The same for a change that also explains extraordinary stored values, and the least improvement of these.
const MIN_SUPPORTED_GAIN: f64 = 1.0;
const MIN_STORED_GAIN: f64 = 3.0;
/// The least total improvement of deviations from a reference; any real one is far larger.
const MIN_DEVIATION_GAIN: f64 = 0.1;
/// Undoing a fault divides drawn evidence by at least this factor: a smaller change of a sound model may make it
/// ordinary by chance.
const MIN_RATIO: f64 = 4.0;
/// The same if the evidence becomes as low as in most sound models, or if the change also explains extraordinary stored
/// values: evidence that is high in a sound model hardly gets lower.
const MIN_CLEAR_RATIO: f64 = 1.8;
/// The surprise of a value that a quarter of the sound models reach.
const USUAL: f64 = 1.4;
/// The share of the surprise that a change may leave if it explains the evidence.
const MAX_LEFT: f64 = 0.35;
/// The share of the surprise that a change may leave if it explains only a part of it, or also extraordinary stored
/// values.
const MAX_PARTIAL_LEFT: f64 = 0.7;
/// The weight of all other evidence if there is a reference.
const MINOR: f64 = 0.1;
/// The improvement of other evidence that supports a change whose own evidence improves in any case.
const SUPPORT: f64 = 0.05;
/// Undoing a fault divides other evidence that it explains by at least this factor.
const ALSO: f64 = 5.0;
/// A value that was exact isn't any more above this share of the noise.
const INEXACT: f64 = 0.5;
/// Evidence that gets worse by less may be a side effect of sampling.
const TOLERATED: f64 = 0.5;

/// Unusual evidence with the same items, which a hypothesis must explain together.
pub(super) struct Group {
    /// Indices into [`ALL`], the most unusual first.
    pub(super) evidence: Vec<usize>,
    /// The items with a suspicious value.
    pub(super) items: Vec<usize>,
}

/// The unusual evidence of a hypothesis. Each deviation from the reference is a separate group.
/// Deviations of stored values count only if the drawing deviates.
pub(super) fn groups(
    hypothesis: &Hypothesis,
    values: &Values,
    is_drawn_otherwise: bool,
) -> Vec<Group> {
    let mut groups: Vec<(Option<Items>, Group)> = Vec::new();
    for evidence in hypothesis.evidence {
        let Some(at) = ALL.iter().position(|other| other.name == evidence.name) else { continue };
        let items = suspicious(evidence, &values.0[at]);
        let is_stored = matches!(evidence.kind, Kind::StoredDeviation(_));
        if items.is_empty() || is_stored && !is_drawn_otherwise {
            continue;
        }
        let is_alone = evidence.is_from_reference() || evidence.items == Items::Own;
        let kind = Some(evidence.items).filter(|_| !is_alone);
        match groups.iter_mut().find(|(own, _)| own.is_some() && *own == kind) {
            Some((_, group)) => {
                group.evidence.push(at);
                group.items.extend(items);
            }
            None => groups.push((kind, Group { evidence: vec![at], items })),
        }
    }
    let surprise = |at: &usize| worst(&values.0[*at]).map_or(0.0, |own| ALL[*at].surprise(own));
    let mut groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    for group in &mut groups {
        group.items.sort_unstable();
        group.items.dedup();
        group.evidence.sort_by(|a, b| surprise(b).total_cmp(&surprise(a)));
    }
    groups
}

/// The best changes of a hypothesis.
pub(super) struct Best {
    pub(super) decisive: Option<Candidate>,
    /// The best change that isn't decisive, but improves the drawing.
    pub(super) partial: Option<Candidate>,
    /// The lowest value of the evidence that any change achieved.
    pub(super) least: Option<f64>,
}

/// A hypothesis to try on items of a model.
pub(super) struct HypothesisTest<'a> {
    pub(super) case: &'a Specimen,
    pub(super) model: &'a Model,
    pub(super) values: &'a Values,
    pub(super) hypothesis: &'a Hypothesis,
    /// Indices into [`ALL`], the most unusual first.
    pub(super) evidence: Vec<usize>,
    pub(super) items: Vec<usize>,
    /// Whether the drawing deviates from the reference. Otherwise deviations of stored values don't count.
    pub(super) is_drawn_otherwise: bool,
}

/// A change, and the evidence that it leaves.
struct Tested {
    trial: Trial,
    /// The mean value of the main evidence.
    after: f64,
    is_decisive: bool,
    /// Whether so much of the evidence vanishes that another fault may hide the rest.
    is_partial: bool,
}

impl HypothesisTest<'_> {
    /// The most unusual evidence.
    pub(super) fn main(&self) -> &'static Evidence {
        ALL[self.evidence[0]]
    }

    pub(super) fn before(&self) -> Option<f64> {
        mean_at(&self.values.0[self.evidence[0]], &self.items)
    }

    pub(super) fn best(&self) -> Best {
        let mut best = Best { decisive: None, partial: None, least: None };
        let Some(mean_before) = self.before() else { return best };
        let trials = (self.hypothesis.trials)(self.case, self.main(), &self.items);
        let tested: Vec<Tested> =
            trials.into_par_iter().filter_map(|trial| self.tested(trial, mean_before)).collect();
        best.least = tested.iter().map(|own| own.after).reduce(f64::min);
        for Tested { trial, after, is_decisive, is_partial } in tested {
            if !is_decisive && !is_partial {
                continue;
            }
            let Some(candidate) = self.candidate(trial, [mean_before, after]) else { continue };
            let slot = if is_decisive { &mut best.decisive } else { &mut best.partial };
            *slot = Some(match slot.take() {
                Some(first) => ranked(first, candidate).0,
                None => candidate,
            });
        }
        best
    }

    fn tested(&self, trial: Trial, mean_before: f64) -> Option<Tested> {
        let changed = changed(self.model, &trial.undo);
        let posed = Posed::new(&changed);
        let main = self.main();
        let of_main = (main.measure)(self.case, &posed);
        let after = mean_at(&of_main, &self.items)?;
        if main.is_from_reference() {
            let is_decisive = after <= main.noise.max(mean_before / DECISIVE);
            let is_decisive = is_decisive || self.few_left(&of_main, mean_before, after);
            return Some(Tested { trial, after, is_decisive, is_partial: false });
        }
        let has_drawn = self.evidence.iter().any(|at| ALL[*at].kind == Kind::Drawn);
        // The drawing decides; stored values may be unusual for other reasons.
        let (mut is_ordinary, mut explains_stored, mut surprise) = (true, false, [0.0; 2]);
        for &at in &self.evidence {
            let evidence = ALL[at];
            let values = if at == self.evidence[0] {
                of_main.clone()
            } else {
                (evidence.measure)(self.case, &posed)
            };
            let before = mean_at(&self.values.0[at], &self.items);
            let (Some(before), Some(own)) = (before, mean_at(&values, &self.items)) else {
                continue;
            };
            let own_surprise = evidence.surprise(own);
            let is_explained = evidence.kind == Kind::Stored
                && evidence.is_extraordinary(before)
                && own_surprise < UNUSUAL;
            explains_stored |= is_explained;
            if has_drawn && evidence.kind != Kind::Drawn {
                continue;
            }
            is_ordinary &= own_surprise < UNUSUAL || self.few_left(&values, before, own);
            surprise = [surprise[0] + evidence.surprise(before), surprise[1] + own_surprise];
        }
        // The model may be unusual by itself.
        let max_left = if explains_stored { MAX_PARTIAL_LEFT } else { MAX_LEFT };
        let is_ordinary = is_ordinary || surprise[1] <= surprise[0] * max_left;
        let is_clear = explains_stored || main.surprise(after) <= USUAL;
        let ratio = match main.kind {
            Kind::Drawn if is_clear => MIN_CLEAR_RATIO,
            Kind::Drawn => MIN_RATIO,
            _ => DECISIVE,
        };
        let is_decisive = is_ordinary && after <= main.noise.max(mean_before / ratio);
        let is_partial =
            surprise[1] <= surprise[0] * MAX_PARTIAL_LEFT && after <= mean_before / MIN_CLEAR_RATIO;
        Some(Tested { trial, after, is_decisive, is_partial })
    }

    /// Whether hardly any of many items remain suspicious.
    fn few_left(&self, values: &[f64], before: f64, after: f64) -> bool {
        let left = suspicious(self.main(), values).len();
        let are_many = self.items.len() >= MANY_ITEMS;
        are_many && left as f64 * DECISIVE <= self.items.len() as f64 && after <= before / LESS
    }

    /// The cause that a change reveals; `None` if its rival is about as good, or if something drawn gets worse.
    fn candidate(&self, trial: Trial, values: [f64; 2]) -> Option<Candidate> {
        if trial.rival.is_some_and(|rival| self.is_rivalled(values[1], &rival)) {
            return None;
        }
        let after = Values::of(self.case, &changed(self.model, &trial.undo));
        let gain = self.gain(&after, trial.is_estimate)?;
        if trial.needs_support && self.support(&after) < SUPPORT {
            return None;
        }
        let cause = Cause {
            info: self.hypothesis.cause,
            detail: trial.detail,
            evidence: self.main(),
            values,
            also: self.also(&after),
            rivals: Vec::new(),
            items: self.items.clone(),
            undo: trial.undo,
            is_estimate: trial.is_estimate,
        };
        Some(Candidate { gain, cause, values: after })
    }

    /// All evidence with its values before and after a change.
    fn pairs<'v>(
        &'v self,
        after: &'v Values,
    ) -> impl Iterator<Item = (&'static Evidence, [&'v [f64]; 2])> {
        let both = self.values.with_evidence().zip(&after.0);
        both.map(|((evidence, before), after)| (evidence, [&before[..], &after[..]]))
    }

    /// The other suspicious evidence that a change improves.
    fn also(&self, after: &Values) -> Vec<(&'static Evidence, [f64; 2])> {
        let others = self.pairs(after).enumerate().filter(|(at, _)| *at != self.evidence[0]);
        let improved = others.filter_map(|(_, (evidence, [before, after]))| {
            let items = suspicious(evidence, before);
            let values = [mean_at(before, &items)?, mean_at(after, &items)?];
            (values[1] <= values[0] / ALSO).then_some((evidence, values))
        });
        improved.collect()
    }

    /// Whether a change that destroys information improves the evidence about as much.
    fn is_rivalled(&self, after: f64, rival: &Undo) -> bool {
        let changed = changed(self.model, rival);
        let values = (self.main().measure)(self.case, &Posed::new(&changed));
        mean_at(&values, &self.items).is_some_and(|value| after > (value / DECISIVE).max(1e-6))
    }

    /// The improvement of other evidence of full weight.
    fn support(&self, after: &Values) -> f64 {
        let others = self.pairs(after).enumerate();
        let others =
            others.filter(|(at, (evidence, _))| *at != self.evidence[0] && evidence.weight >= 1.0);
        let gain = |(_, (evidence, values)): (usize, (&'static Evidence, [&[f64]; 2]))| {
            let [before, after] = mean_surprises(evidence, values);
            before - after
        };
        others.map(gain).sum()
    }

    /// The total improvement of all evidence; `None` if nothing drawn gets better, or anything becomes more unusual.
    /// Estimates only have to improve the drawing.
    fn gain(&self, after: &Values, is_estimate: bool) -> Option<f64> {
        let has_reference = self.case.reference.is_some();
        let (mut gain, mut drawn, mut stored, mut deviation) = (0.0, 0.0, 0.0, 0.0);
        for (evidence, values) in self.pairs(after) {
            let is_stored = matches!(evidence.kind, Kind::StoredDeviation(_));
            if is_stored && !self.is_drawn_otherwise {
                continue;
            }
            let [before, after] = mean_surprises(evidence, values);
            let own = (before - after) * evidence.weight;
            // With a reference, differences from it count more than plausibility, and no other evidence can reject
            // a change.
            let is_minor = has_reference && !evidence.is_from_reference();
            gain += own * if is_minor { MINOR } else { 1.0 };
            if evidence.kind == Kind::Drawn {
                drawn += before - after;
            }
            let was_extraordinary =
                worst(values[0]).is_some_and(|own| evidence.is_extraordinary(own));
            if evidence.kind == Kind::Stored && was_extraordinary {
                stored += before - after;
            }
            if evidence.is_from_reference() {
                deviation += before - after;
            }
            if !evidence.is_from_reference() {
                let most =
                    values.map(|values| worst(values).map_or(0.0, |own| evidence.surprise(own)));
                let is_worse =
                    most[1] >= most[0].max(UNUSUAL) + TOLERATED || after > before + TOLERATED;
                // Matrices or keys that fit exactly are right.
                let was_exact = evidence.kind == Kind::Stored
                    && worst(values[0]).is_some_and(|own| is_exact(evidence, own))
                    && worst(values[1]).is_some_and(|own| own > evidence.noise * INEXACT);
                let is_worse = is_worse || was_exact;
                let is_counted = evidence.kind == Kind::Drawn || !is_estimate;
                let was_known = !values[0].iter().all(|value| value.is_nan());
                if !has_reference && is_counted && was_known && is_worse {
                    return None;
                }
            }
        }
        let is_nearer = has_reference && deviation >= MIN_DEVIATION_GAIN;
        let is_supported = !is_estimate && drawn >= MIN_SUPPORTED_GAIN && stored >= MIN_STORED_GAIN;
        let is_better = is_nearer || is_supported || drawn >= MIN_DRAWN_GAIN;
        (gain > 0.0 && is_better).then_some(gain)
    }
}
