//! Tries the hypotheses that suspicious evidence suggests, and names those that explain it.
//!
//! A change is decisive if it reduces its evidence to a tenth, or to the noise of well-made models, without making
//! other evidence suspicious. The decisive change with the largest total improvement wins; ties go to the first row
//! of the table. With a reference, only the total counts. The search then continues with the changed model, to find
//! further causes.

use rayon::prelude::*;

use super::cause::CauseInfo;
use super::evidence::{ALL, Evidence, from_reference, mean};
use super::hypotheses;
use super::specimen::Specimen;
use super::trial::{Hypothesis, Trial, Undo};
use crate::compare::drawing_difference;
use crate::model::{Cancelled, Model, Report};

/// Undoing a fault must divide its evidence by at least this factor.
const DECISIVE: f64 = 10.0;
/// A smaller factor is enough if no other hypothesis comes close, because good models have some of the evidence too.
const LIKELY: f64 = 5.0;
/// Two values are the same if they differ by less than the first factor, and close if by less than the second.
const SAME_VALUE: f64 = 1.1;
const NEXT_BEST: f64 = 1.8;
/// If at least this many items are suspicious, a change is also decisive if only a tenth of them remains suspicious
/// and it divides their mean by at least `LESS`.
const MANY_ITEMS: usize = 10;
const LESS: f64 = 2.5;
/// The most causes to find. More are rare in one file, and each round takes as long as the first.
const MAX_CAUSES: usize = 4;
/// One candidate leaves clearly less evidence than another if its value is below this fraction of the other's.
const CLEARLY_LESS: f64 = 0.3;
/// The weight of all other evidence if there is a reference.
const MINOR: f64 = 0.1;
/// Gains are equal if they differ by less than this plus `SAME_SHARE` of the gain.
const SAME_GAIN: f64 = 0.05;
/// See `SAME_GAIN`.
const SAME_SHARE: f64 = 0.04;
/// A rival may leave this share of the evidence unexplained that the best cause explains.
const UNEXPLAINED: f64 = 0.1;
/// The improvement of other evidence that supports a change whose own evidence improves in any case.
const SUPPORT: f64 = 0.05;

/// A cause that explains the evidence.
///
/// If it has rivals, the evidence doesn't show which of them is right.
pub struct Cause {
    /// Its row in the table of causes.
    pub info: &'static CauseInfo,
    /// The variant of the fault and the affected part of the model; may be empty.
    pub detail: String,
    /// The evidence that undoing the fault improves.
    pub evidence: &'static Evidence,
    /// The value of the evidence with the fault, and without it.
    pub values: [f64; 2],
    /// Other evidence that undoing the fault divides by at least five.
    pub also: Vec<(&'static Evidence, [f64; 2])>,
    /// Other causes that explain the evidence about as well, but without which the model is drawn differently.
    pub rivals: Vec<Cause>,
    /// The suspicious items.
    pub(super) items: Vec<usize>,
    pub(super) undo: Undo,
}

impl Cause {
    /// The fault with its detail, as a sentence without a full stop.
    pub fn statement(&self) -> String {
        if self.detail.is_empty() {
            self.info.statement.to_owned()
        } else {
            format!("{} ({})", self.info.statement, self.detail)
        }
    }
}

impl Cause {
    /// The share of the evidence that vanishes without the fault, from 0 to 1.
    pub fn certainty(&self) -> f64 {
        let [before, after] = self.values;
        (1.0 - after / before.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// The effect of undoing the fault on the evidence, as a sentence without a full stop.
    pub fn improvement(&self) -> String {
        let [before, after] = self.evidence.texts(self.values);
        format!("without it, {} is {after} instead of {before}", self.evidence.meaning)
    }
}

/// A hypothesis that was tried, and the best value that it achieved.
pub struct Tried {
    /// The cause that the hypothesis proposes.
    pub info: &'static CauseInfo,
    /// The evidence that undoing the fault should have improved.
    pub evidence: &'static Evidence,
    /// The original value, and the best value after a change.
    pub values: [f64; 2],
}

/// One kind of evidence, measured on the examined model.
pub struct Measured {
    pub evidence: &'static Evidence,
    /// The largest value of all items.
    pub worst: f64,
    /// Whether the value is high enough to try hypotheses.
    pub is_suspicious: bool,
}

/// The result of a search.
pub(super) struct Findings {
    pub(super) causes: Vec<Cause>,
    pub(super) tried: Vec<Tried>,
    pub(super) measured: Vec<Measured>,
}

/// The values of all evidence, in the order of [`ALL`].
struct Values(Vec<Vec<f64>>);

impl Values {
    fn of(case: &Specimen, model: &Model) -> Self {
        Self(ALL.par_iter().map(|evidence| (evidence.measure)(case, model)).collect())
    }
}

/// The mean of the logarithms of all values divided by the noise; values below the noise count as 0.
fn excess(evidence: &Evidence, values: &[f64]) -> f64 {
    let noise = evidence.noise.max(1e-6);
    mean(values.iter().map(|value| (value.max(noise) / noise).ln())).unwrap_or(0.0)
}

/// The items with a suspicious value.
fn suspicious(evidence: &Evidence, values: &[f64]) -> Vec<usize> {
    let items = values.iter().enumerate();
    items.filter(|(_, value)| **value >= evidence.suspicious).map(|(item, _)| item).collect()
}

pub(super) fn mean_at(values: &[f64], items: &[usize]) -> Option<f64> {
    mean(items.iter().filter_map(|item| values.get(*item).copied()))
}

/// A change that may reveal a cause. The changed model isn't stored: a large one takes a hundred megabytes.
struct Candidate {
    gain: f64,
    cause: Cause,
    values: Values,
}

/// `model` after a change.
fn changed(model: &Model, undo: &Undo) -> Model {
    let mut changed = model.clone();
    undo(&mut changed);
    changed
}

/// Finds the causes of suspicious evidence, most convincing first.
pub(super) fn search(case: &Specimen, report: &Report) -> Result<Findings, Cancelled> {
    let (mut causes, mut tried) = (Vec::new(), Vec::new());
    let mut model = case.model.clone();
    report.progress("measuring", 0.0)?;
    let mut values = Values::of(case, &model);
    let measured = ALL.iter().zip(&values.0).filter_map(|(evidence, values)| {
        let known = values.iter().copied().filter(|value| !value.is_nan());
        let worst = known.reduce(f64::max)?;
        Some(Measured { evidence, worst, is_suspicious: worst >= evidence.suspicious })
    });
    let measured = measured.collect();
    for round in 0..MAX_CAUSES {
        report.progress("trying causes", 0.2 + 0.2 * round as f32)?;
        let Some(found) = best(case, &model, &values, &mut tried, report)? else { break };
        let is_ambiguous = !found.cause.rivals.is_empty();
        (found.cause.undo)(&mut model);
        values = found.values;
        causes.push(found.cause);
        if is_ambiguous {
            // Further causes depend on which of them is right.
            break;
        }
    }
    tried.retain(|tried: &Tried| {
        causes.iter().all(|cause: &Cause| cause.info.name != tried.info.name)
    });
    Ok(Findings { causes, tried, measured })
}

fn best(
    case: &Specimen,
    model: &Model,
    values: &Values,
    tried: &mut Vec<Tried>,
    report: &Report,
) -> Result<Option<Candidate>, Cancelled> {
    let mut found: Option<Candidate> = None;
    let mut others: Vec<Candidate> = Vec::new();
    let mut likely: Vec<(Candidate, &Evidence)> = Vec::new();
    let mut lowest: Vec<(&Evidence, f64)> = Vec::new();
    for hypothesis in hypotheses::all() {
        for evidence in hypothesis.evidence {
            let Some(at) = ALL.iter().position(|other| other.name == evidence.name) else {
                continue;
            };
            let items = suspicious(evidence, &values.0[at]);
            if items.is_empty() || is_as_intended(case, evidence, &items) {
                continue;
            }
            report.progress("trying causes", 0.2)?;
            let case_of =
                HypothesisTest { case, model, values, hypothesis, evidence, at, items: &items };
            let Best { decisive: candidate, likely: second_rate, least } = case_of.best();
            likely.extend(second_rate.map(|candidate| (candidate, *evidence)));
            lowest.extend(least.map(|least| (*evidence, least)));
            let before = mean_at(&values.0[at], &items).unwrap_or(f64::NAN);
            if let Some(least) = least {
                record(tried, Tried { info: hypothesis.cause, evidence, values: [before, least] });
            }
            if let Some(candidate) = candidate {
                let (best, other) = match found.take() {
                    Some(found) => ranked(found, candidate),
                    None => (candidate, None),
                };
                others.extend(other);
                others.retain(|other| is_about_as_good(other, &best));
                found = Some(best);
            }
        }
    }
    if found.is_none() {
        // Without a decisive change, accept a likely one to which no other hypothesis comes close.
        likely.retain(|(candidate, evidence)| {
            stands_out(candidate.cause.values[1], evidence, &lowest)
        });
        found = likely.into_iter().map(|(candidate, _)| candidate).reduce(better);
    } else if let Some(best) = &found
        && hypotheses::is_last_resort(best.cause.info)
    {
        // It explains other faults too, so any other explanation is a rival.
        others.extend(likely.into_iter().map(|(candidate, _)| candidate));
    }
    if let Some(best) = &mut found {
        add_rivals(model, values, best, others);
    }
    Ok(found)
}

/// Whether the total improvements of a candidate and the best one are about the same.
fn is_about_as_good(other: &Candidate, best: &Candidate) -> bool {
    other.gain >= best.gain - SAME_GAIN - best.gain * SAME_SHARE
}

/// Adds the causes that explain the evidence of the best candidate as well, but draw the model differently.
fn add_rivals(model: &Model, values: &Values, best: &mut Candidate, others: Vec<Candidate>) {
    let Some(at) = ALL.iter().position(|own| own.name == best.cause.evidence.name) else { return };
    let (Some(evidence), Some(before)) = (ALL.get(at), values.0.get(at)) else { return };
    let left = |candidate: &Candidate| {
        candidate.values.0.get(at).map_or(f64::INFINITY, |values| excess(evidence, values))
    };
    let (before, after) = (excess(evidence, before), left(best));
    let mut undone = None;
    for other in others {
        let is_same = |own: &Cause| own.info.name == other.cause.info.name;
        let is_known = is_same(&best.cause) || best.cause.rivals.iter().any(is_same);
        let explains = left(&other) - after <= (before - after) * UNEXPLAINED;
        if is_known || !explains {
            continue;
        }
        let undone = &*undone.get_or_insert_with(|| changed(model, &best.cause.undo));
        if drawing_difference(undone, &changed(model, &other.cause.undo)).is_some() {
            best.cause.rivals.push(other.cause);
        }
    }
}

/// Whether no other hypothesis comes close to a value. The same value doesn't count: it describes the same fault in a
/// different way.
fn stands_out(value: f64, evidence: &Evidence, lowest: &[(&Evidence, f64)]) -> bool {
    let of_same = lowest.iter().filter(|(other, _)| other.name == evidence.name);
    let mut others = of_same.map(|(_, other)| *other);
    !others.any(|other| {
        other > value * SAME_VALUE && other < value * NEXT_BEST || other < value / SAME_VALUE
    })
}

/// The candidate with the larger gain. If the gains are equal, the candidate that leaves less of the evidence that
/// both improve; otherwise the first one.
fn better(first: Candidate, second: Candidate) -> Candidate {
    ranked(first, second).0
}

/// The better candidate and the other one.
fn ranked(first: Candidate, second: Candidate) -> (Candidate, Option<Candidate>) {
    let gain = second.gain - first.gain;
    let [a, b] = [&first, &second].map(|candidate| candidate.cause.values[1]);
    let is_same_evidence = first.cause.evidence.name == second.cause.evidence.name;
    let is_same_cause = first.cause.info.name == second.cause.info.name;
    // Evidence of low weight only checks plausibility: a plausible value isn't better than another.
    let is_measure = first.cause.evidence.weight >= 0.5;
    let leaves_less =
        is_measure && is_same_evidence && b < a * if is_same_cause { 1.0 } else { CLEARLY_LESS };
    let same = SAME_GAIN + first.gain * SAME_SHARE;
    if gain > same || (gain > -same && leaves_less) {
        (second, Some(first))
    } else {
        (first, Some(second))
    }
}

/// Records the best attempt for each cause.
fn record(tried: &mut Vec<Tried>, new: Tried) {
    let ratio = |tried: &Tried| tried.values[1] / tried.values[0].max(f64::MIN_POSITIVE);
    match tried.iter_mut().find(|old| old.info.name == new.info.name) {
        Some(old) if ratio(old) <= ratio(&new) => {}
        Some(old) => *old = new,
        None => tried.push(new),
    }
}

/// The values of this evidence for the reference, if both models have the same items.
fn reference_values(case: &Specimen, evidence: &Evidence) -> Option<Vec<f64>> {
    let reference = case.of_reference().filter(|_| !from_reference::is_against(evidence))?;
    Some((evidence.measure)(reference, &reference.model))
}

/// Whether the same items of the reference are suspicious too, which means that this is intended.
fn is_as_intended(case: &Specimen, evidence: &Evidence, items: &[usize]) -> bool {
    let Some(values) = reference_values(case, evidence) else { return false };
    mean_at(&values, items).is_some_and(|value| value >= evidence.suspicious)
}

/// The best changes of a hypothesis.
struct Best {
    decisive: Option<Candidate>,
    /// The best change that isn't decisive, but divides the evidence by at least [`LIKELY`].
    likely: Option<Candidate>,
    /// The lowest value of the evidence that any change achieved.
    least: Option<f64>,
}

/// A hypothesis to try on items of a model.
struct HypothesisTest<'a> {
    case: &'a Specimen,
    model: &'a Model,
    values: &'a Values,
    hypothesis: &'a Hypothesis,
    evidence: &'static Evidence,
    /// The index of `evidence` in [`ALL`].
    at: usize,
    items: &'a [usize],
}

impl HypothesisTest<'_> {
    fn best(&self) -> Best {
        let before = &self.values.0[self.at];
        let Some(mean_before) = mean_at(before, self.items) else {
            return Best { decisive: None, likely: None, least: None };
        };
        let most = self.evidence.noise.max(mean_before / DECISIVE);
        let trials = (self.hypothesis.trials)(self.case, self.evidence, self.items);
        let many = self.items.len() >= MANY_ITEMS;
        let tested = trials.into_par_iter().map(|trial| {
            let values = (self.evidence.measure)(self.case, &changed(self.model, &trial.undo));
            let left = suspicious(self.evidence, &values).len();
            let are_few_left = many && left as f64 * DECISIVE <= self.items.len() as f64;
            let after = mean_at(&values, self.items)?;
            let is_decisive = after <= most || (are_few_left && after <= mean_before / LESS);
            Some((trial, after, is_decisive))
        });
        let tested: Vec<_> = tested.flatten().collect();
        let least = tested.iter().map(|(_, after, ..)| *after).reduce(f64::min);
        let mut best = Best { decisive: None, likely: None, least };
        for (trial, after, is_decisive) in tested {
            let is_likely = is_decisive || after <= mean_before / LIKELY;
            let candidate = is_likely.then(|| self.candidate(trial, [mean_before, after]));
            let Some(candidate) = candidate.flatten() else { continue };
            let slot = if is_decisive { &mut best.decisive } else { &mut best.likely };
            *slot = Some(match slot.take() {
                Some(first) => better(first, candidate),
                None => candidate,
            });
        }
        best
    }

    /// The cause that a change reveals; `None` if its rival is about as good, or if other evidence gets worse.
    fn candidate(&self, trial: Trial, values: [f64; 2]) -> Option<Candidate> {
        if trial.rival.is_some_and(|rival| self.is_rivalled(values[1], &rival)) {
            return None;
        }
        let after = Values::of(self.case, &changed(self.model, &trial.undo));
        let gain = self.gain(&after)?;
        if trial.needs_support && self.support(&after) < SUPPORT {
            return None;
        }
        let cause = Cause {
            info: self.hypothesis.cause,
            detail: trial.detail,
            evidence: self.evidence,
            values,
            also: self.also(&after),
            rivals: Vec::new(),
            items: self.items.to_vec(),
            undo: trial.undo,
        };
        Some(Candidate { gain, cause, values: after })
    }

    /// The other suspicious evidence that a change improves.
    fn also(&self, after: &Values) -> Vec<(&'static Evidence, [f64; 2])> {
        let all = ALL.iter().zip(&self.values.0).zip(&after.0).enumerate();
        let others = all.filter(|(at, _)| *at != self.at);
        let improved = others.filter_map(|(_, ((evidence, before), after))| {
            let items = suspicious(evidence, before);
            let values = [mean_at(before, &items)?, mean_at(after, &items)?];
            (values[1] <= values[0] / LIKELY).then_some((*evidence, values))
        });
        improved.collect()
    }

    /// Whether a change that destroys information improves the evidence about as much.
    fn is_rivalled(&self, after: f64, rival: &Undo) -> bool {
        let values = (self.evidence.measure)(self.case, &changed(self.model, rival));
        mean_at(&values, self.items).is_some_and(|value| after > (value / DECISIVE).max(1e-6))
    }

    /// The improvement of other evidence of full weight.
    fn support(&self, after: &Values) -> f64 {
        let all = ALL.iter().zip(&self.values.0).zip(&after.0).enumerate();
        let others =
            all.filter(|(at, ((evidence, _), _))| *at != self.at && evidence.weight >= 1.0);
        others.map(|(_, ((own, before), after))| excess(own, before) - excess(own, after)).sum()
    }

    /// The total improvement of all evidence; `None` if any gets worse.
    fn gain(&self, after: &Values) -> Option<f64> {
        let mut gain = 0.0;
        for ((evidence, before), after) in ALL.iter().zip(&self.values.0).zip(&after.0) {
            // Items that the fault makes immeasurable can't get worse.
            let measured =
                |(before, after): (&f64, &f64)| if before.is_nan() { f64::NAN } else { *after };
            let after: Vec<f64> = before.iter().zip(after).map(measured).collect();
            let after = &after;
            let (was, is) = (excess(evidence, before), excess(evidence, after));
            let num_before = suspicious(evidence, before).len();
            let num_after = suspicious(evidence, after).len();
            // With a reference, differences from it count more than plausibility, and no other evidence can reject
            // a change.
            let has_reference = self.case.reference.is_some();
            if num_after > num_before && is > was && !has_reference {
                return None;
            }
            let is_minor = has_reference && !from_reference::is_against(evidence);
            gain += (was - is) * evidence.weight * if is_minor { MINOR } else { 1.0 };
        }
        (gain > 0.0).then_some(gain)
    }
}
