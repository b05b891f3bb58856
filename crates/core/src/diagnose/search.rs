//! Tries the hypotheses for which there is a reason, and names those that explain it.
//!
//! A change is decisive if it reduces its evidence to a tenth, or to the noise of well-made models, and makes no
//! other evidence suspicious. Among decisive changes, the one wins that improves all evidence the most; of equal
//! ones, the first in the table. Then the search continues on the changed model, for a second cause.

use rayon::prelude::*;

use super::case::Case;
use super::cause::CauseInfo;
use super::evidence::{ALL, Evidence, against, mean};
use super::hypotheses;
use super::trial::{Hypothesis, Trial, Undo};
use crate::model::{Cancelled, Model, Report};

/// An undone fault must reduce its evidence by this factor.
const DECISIVE: f64 = 10.0;
/// If at least this many items are suspicious, it is also decisive if only a tenth of them still is, and the mean
/// is divided by `LESS`.
const MANY_ITEMS: usize = 10;
const LESS: f64 = 2.5;
/// Several causes at once are rare, and each round takes as long as the first.
const MAX_CAUSES: usize = 4;
/// What remains of the evidence is clearly less below this fraction.
const CLEARLY_LESS: f64 = 0.3;
/// How much other evidence counts beside a reference.
const MINOR: f64 = 0.1;
/// Improvements that differ by less are equal.
const SAME_GAIN: f64 = 0.05;
/// The same as a share of the gain.
const SAME_SHARE: f64 = 0.04;

/// A cause that explains the evidence.
pub struct Cause {
    /// Its row in the table.
    pub info: &'static CauseInfo,
    /// Which variant of it, and where; may be empty.
    pub detail: String,
    /// The evidence that speaks for it.
    pub evidence: &'static Evidence,
    /// The evidence with and without the fault.
    pub values: [f64; 2],
    pub(super) undo: Undo,
}

impl Cause {
    /// The fault with its variant and place, as a sentence without full stop.
    pub fn statement(&self) -> String {
        if self.detail.is_empty() {
            self.info.statement.to_owned()
        } else {
            format!("{} ({})", self.info.statement, self.detail)
        }
    }
}

/// A hypothesis that was tried, and the best value that it reached.
pub struct Tried {
    /// Its cause.
    pub info: &'static CauseInfo,
    /// The evidence that should have improved.
    pub evidence: &'static Evidence,
    /// The value before, and the best value after.
    pub values: [f64; 2],
}

/// An evidence of the examined model.
pub struct Measured {
    pub evidence: &'static Evidence,
    /// The largest value of all items.
    pub worst: f64,
    /// Whether it made hypotheses be tried.
    pub is_suspicious: bool,
}

/// Everything that a search finds.
pub(super) struct Findings {
    pub(super) causes: Vec<Cause>,
    pub(super) tried: Vec<Tried>,
    pub(super) measured: Vec<Measured>,
}

/// The values of all evidence, in the order of [`ALL`].
struct Values(Vec<Vec<f64>>);

impl Values {
    fn of(case: &Case, model: &Model) -> Self {
        Self(ALL.par_iter().map(|evidence| (evidence.measure)(case, model)).collect())
    }
}

/// The number of times that a value exceeds the noise, as a logarithm.
fn excess(evidence: &Evidence, values: &[f64]) -> f64 {
    let noise = evidence.noise.max(1e-6);
    mean(values.iter().map(|value| (value.max(noise) / noise).ln())).unwrap_or(0.0)
}

/// Items whose value is suspicious.
fn suspicious(evidence: &Evidence, values: &[f64]) -> Vec<usize> {
    let items = values.iter().enumerate();
    items.filter(|(_, value)| **value >= evidence.suspicious).map(|(item, _)| item).collect()
}

fn mean_at(values: &[f64], items: &[usize]) -> Option<f64> {
    mean(items.iter().filter_map(|item| values.get(*item).copied()))
}

/// A decisive change.
struct Candidate {
    gain: f64,
    cause: Cause,
    model: Model,
    values: Values,
}

/// Finds the causes of what is suspicious, most convincing first.
pub(super) fn search(case: &Case, report: &Report) -> Result<Findings, Cancelled> {
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
        causes.push(found.cause);
        (model, values) = (found.model, found.values);
    }
    tried.retain(|tried: &Tried| {
        causes.iter().all(|cause: &Cause| cause.info.name != tried.info.name)
    });
    Ok(Findings { causes, tried, measured })
}

fn best(
    case: &Case,
    model: &Model,
    values: &Values,
    tried: &mut Vec<Tried>,
    report: &Report,
) -> Result<Option<Candidate>, Cancelled> {
    let mut found: Option<Candidate> = None;
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
            let case_of = CaseAt { case, model, values, hypothesis, evidence, at, items: &items };
            let (candidate, least) = case_of.best();
            let before = mean_at(&values.0[at], &items).unwrap_or(f64::NAN);
            if let Some(least) = least {
                note(tried, Tried { info: hypothesis.cause, evidence, values: [before, least] });
            }
            if let Some(candidate) = candidate {
                found = Some(match found {
                    Some(found) => better(found, candidate),
                    None => candidate,
                });
            }
        }
    }
    Ok(found)
}

/// The one that improves all evidence more; of equal ones, the one that leaves less of its own, or the first.
fn better(first: Candidate, second: Candidate) -> Candidate {
    let gain = second.gain - first.gain;
    let [a, b] = [&first, &second].map(|candidate| candidate.cause.values[1]);
    let is_same_evidence = first.cause.evidence.name == second.cause.evidence.name;
    let is_same_cause = first.cause.info.name == second.cause.info.name;
    // Of plausible values, none is better.
    let is_measure = first.cause.evidence.weight >= 0.5;
    let leaves_less =
        is_measure && is_same_evidence && b < a * if is_same_cause { 1.0 } else { CLEARLY_LESS };
    let same = SAME_GAIN + first.gain * SAME_SHARE;
    if gain > same || (gain > -same && leaves_less) { second } else { first }
}

/// Records the best attempt at each hypothesis.
fn note(tried: &mut Vec<Tried>, new: Tried) {
    let ratio = |tried: &Tried| tried.values[1] / tried.values[0].max(f64::MIN_POSITIVE);
    match tried.iter_mut().find(|old| old.info.name == new.info.name) {
        Some(old) if ratio(old) <= ratio(&new) => {}
        Some(old) => *old = new,
        None => tried.push(new),
    }
}

/// Whether the reference is as suspicious, so that it is meant.
fn is_as_intended(case: &Case, evidence: &Evidence, items: &[usize]) -> bool {
    let Some(values) = case.reference_values(evidence) else { return false };
    mean_at(&values, items).is_some_and(|value| value >= evidence.suspicious)
}

/// A hypothesis to try on items of a model.
struct CaseAt<'a> {
    case: &'a Case,
    model: &'a Model,
    values: &'a Values,
    hypothesis: &'a Hypothesis,
    evidence: &'static Evidence,
    /// Of the evidence in [`ALL`].
    at: usize,
    items: &'a [usize],
}

impl CaseAt<'_> {
    /// The best decisive change, and the lowest value of the evidence that any change reached.
    fn best(&self) -> (Option<Candidate>, Option<f64>) {
        let before = &self.values.0[self.at];
        let Some(mean_before) = mean_at(before, self.items) else { return (None, None) };
        let most = self.evidence.noise.max(mean_before / DECISIVE);
        let trials = (self.hypothesis.trials)(self.case, self.evidence, self.items);
        let tested = trials.into_par_iter().map(|trial| {
            let mut changed = self.model.clone();
            (trial.undo)(&mut changed);
            let after = (self.evidence.measure)(self.case, &changed);
            let left = suspicious(self.evidence, &after).len();
            (trial, changed, mean_at(&after, self.items), left)
        });
        let tested: Vec<(Trial, Model, Option<f64>, usize)> = tested.collect();
        let least = tested.iter().filter_map(|(_, _, after, _)| *after).reduce(f64::min);
        let many = self.items.len() >= MANY_ITEMS;
        let decisive = tested.into_iter().filter_map(|(trial, changed, after, left)| {
            let are_few_left = many && left as f64 * DECISIVE <= self.items.len() as f64;
            let is_decisive =
                |after: &f64| *after <= most || (are_few_left && *after <= mean_before / LESS);
            let after = after.filter(is_decisive)?;
            if trial.rival.is_some_and(|rival| self.is_rivalled(after, &rival)) {
                return None;
            }
            let values = Values::of(self.case, &changed);
            let gain = self.gain(&values)?;
            let cause = Cause {
                info: self.hypothesis.cause,
                detail: trial.detail,
                evidence: self.evidence,
                values: [mean_before, after],
                undo: trial.undo,
            };
            Some(Candidate { gain, cause, model: changed, values })
        });
        let best = decisive.reduce(better);
        (best, least)
    }

    /// Whether a change that destroys information improves the evidence about as much.
    fn is_rivalled(&self, after: f64, rival: &Undo) -> bool {
        let mut changed = self.model.clone();
        rival(&mut changed);
        let values = (self.evidence.measure)(self.case, &changed);
        mean_at(&values, self.items).is_some_and(|value| after > (value / DECISIVE).max(1e-6))
    }

    /// By how much all evidence improves; `None` if some gets worse.
    fn gain(&self, after: &Values) -> Option<f64> {
        let mut gain = 0.0;
        for ((evidence, before), after) in ALL.iter().zip(&self.values.0).zip(&after.0) {
            let (was, is) = (excess(evidence, before), excess(evidence, after));
            let num_before = suspicious(evidence, before).len();
            let num_after = suspicious(evidence, after).len();
            let is_worse = num_after > num_before && is > was;
            // What a reference looks like counts more than what well-made models look like.
            let decides = self.case.reference.is_none() || against::is_against(evidence);
            if is_worse && decides {
                return None;
            }
            gain += (was - is) * evidence.weight * if decides { 1.0 } else { MINOR };
        }
        (gain > 0.0).then_some(gain)
    }
}
