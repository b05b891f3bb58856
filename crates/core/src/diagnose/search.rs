//! Tries the hypotheses that unusual evidence suggests, and names those that explain it.
//!
//! A change explains evidence if it becomes ordinary without making anything drawn unusual. The change with the largest
//! total improvement wins; ties go to the first row of the table. With a reference, only deviations from it count. The
//! search then continues with the changed model, to find further causes.
//!
//! Without a reference, there is no search unless something drawn is extraordinary.

use rayon::prelude::*;

use super::cause::CauseInfo;
use super::evidence::{ALL, Evidence, Items, Kind, from_reference, keys, mean};
use super::hypotheses;
use super::ordinary::{self, UNUSUAL};
use super::posed::Posed;
use super::specimen::Specimen;
use super::trial::{Hypothesis, Trial, Undo};
use crate::compare::drawing_difference;
use crate::model::{Cancelled, ClipId, Model, Report};

/// Undoing a fault must divide its deviation from the reference, or stored values, by at least this factor.
const DECISIVE: f64 = 10.0;
/// If at least this many items are suspicious, a change is also decisive if only a tenth of them remains suspicious
/// and it divides their mean by at least `LESS`.
const MANY_ITEMS: usize = 10;
const LESS: f64 = 2.5;
/// The least total improvement of drawn evidence.
const MIN_DRAWN_GAIN: f64 = 3.0;
/// The most causes to find. More are rare in one file, and each round takes as long as the first.
const MAX_CAUSES: usize = 4;
/// The most partial changes to continue from if no single change explains the evidence.
const MAX_PARTIAL: usize = 4;
/// Undoing a fault divides drawn evidence by at least this factor: a smaller change of a sound model may make it
/// ordinary by chance.
const MIN_RATIO: f64 = 4.0;
/// The share of the surprise that a change may leave if it explains the evidence.
const MAX_LEFT: f64 = 0.35;
/// The share of the surprise that a partial change may leave.
const MAX_PARTIAL_LEFT: f64 = 0.7;
/// One candidate leaves clearly less evidence than another if its value is below this fraction of the other's.
const CLEARLY_LESS: f64 = 0.3;
/// A gain is clearly larger than another if it exceeds it by this factor.
const CLEARLY_MORE: f64 = 1.15;
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
/// Undoing a fault divides other evidence that it explains by at least this factor.
const ALSO: f64 = 5.0;
/// A value is exact below this share of the noise, and isn't above the second.
const EXACT: f64 = 0.1;
const INEXACT: f64 = 0.5;
/// Evidence that gets worse by less may be a side effect of sampling.
const TOLERATED: f64 = 0.5;

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
    /// Whether undoing it only estimates the values that the fault destroyed, and therefore isn't a fix.
    pub is_estimate: bool,
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
    /// Whether the value is a reason to look for causes.
    pub is_suspicious: bool,
}

impl Measured {
    /// The value with its unit, and for evidence that needs no reference, how many sound models reach it.
    pub fn text(&self) -> String {
        let value = self.evidence.text(self.worst);
        match ordinary::num_alike(self.evidence.name, self.worst) {
            Some((0, num)) => format!("{value}, more than in any of {num} sound models"),
            Some((some, num)) => format!("{value}, as in fewer than {some} of {num} sound models"),
            None => value,
        }
    }
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
        let posed = Posed::new(model);
        Self(ALL.par_iter().map(|evidence| (evidence.measure)(case, &posed)).collect())
    }

    fn with_evidence(&self) -> impl Iterator<Item = (&'static Evidence, &Vec<f64>)> {
        ALL.iter().copied().zip(&self.0)
    }
}

/// The largest of some values; `None` if none is known.
fn worst(values: &[f64]) -> Option<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).reduce(f64::max)
}

/// All evidence that can be measured on the model.
pub(super) fn measure(case: &Specimen) -> Vec<Measured> {
    measured(case, &Values::of(case, &case.model))
}

fn measured(case: &Specimen, values: &Values) -> Vec<Measured> {
    let is_drawn_otherwise = deviates(case, values);
    let of = |(evidence, values): (&'static Evidence, &Vec<f64>)| {
        let worst = worst(values)?;
        let is_suspicious = match evidence.kind {
            Kind::Deviation(_) => evidence.is_suspicious(worst),
            Kind::StoredDeviation(_) => is_drawn_otherwise && evidence.is_suspicious(worst),
            Kind::Drawn => evidence.is_extraordinary(worst),
            Kind::Stored => false,
        };
        Some(Measured { evidence, worst, is_suspicious })
    };
    values.with_evidence().filter_map(of).collect()
}

/// Whether the drawing deviates from the reference, or a clip that isn't posed moves bones in another way.
fn deviates(case: &Specimen, values: &Values) -> bool {
    values.with_evidence().any(|(evidence, values)| {
        let is_of_unposed = |item: &usize| {
            let clip = ClipId::from_index(keys::clip_and_bone(case, *item).0);
            case.poses.iter().all(|spec| spec.clip != Some(clip))
        };
        let items = suspicious(evidence, values);
        match evidence.name {
            name if name == from_reference::DRAWING.name => !items.is_empty(),
            name if name == from_reference::KEYS.name => items.iter().any(is_of_unposed),
            _ => false,
        }
    })
}

/// The items with a suspicious value.
fn suspicious(evidence: &Evidence, values: &[f64]) -> Vec<usize> {
    let items = values.iter().enumerate();
    items.filter(|(_, value)| evidence.is_suspicious(**value)).map(|(item, _)| item).collect()
}

pub(super) fn mean_at(values: &[f64], items: &[usize]) -> Option<f64> {
    mean(items.iter().filter_map(|item| values.get(*item).copied()))
}

/// The mean surprise: of all items for deviations, otherwise of those that are suspicious before or after a change.
fn mean_surprises(evidence: &Evidence, [before, after]: [&[f64]; 2]) -> [f64; 2] {
    let is_counted = |(before, after): &(&f64, &f64)| {
        // Items that the fault makes immeasurable can't get worse.
        !before.is_nan()
            && !after.is_nan()
            && (evidence.is_from_reference()
                || evidence.is_suspicious(**before)
                || evidence.is_suspicious(**after))
    };
    let pairs: Vec<(f64, f64)> = before
        .iter()
        .zip(after)
        .filter(is_counted)
        .map(|(before, after)| (evidence.surprise(*before), evidence.surprise(*after)))
        .collect();
    let of = |side: fn(&(f64, f64)) -> f64| mean(pairs.iter().map(side)).unwrap_or(0.0);
    [of(|pair| pair.0), of(|pair| pair.1)]
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

/// Whether there is a reason to look for causes: something drawn is extraordinary, or something drawn is unusual and a
/// stored value extraordinary.
fn is_odd(case: &Specimen, values: &Values) -> bool {
    if case.reference.is_some() {
        return measured(case, values).iter().any(|own| own.is_suspicious);
    }
    let reaches = |kind: Kind, is: fn(&Evidence, f64) -> bool| {
        let mut of_kind = values.with_evidence().filter(move |(own, _)| own.kind == kind);
        of_kind.any(|(own, values)| worst(values).is_some_and(|value| is(own, value)))
    };
    reaches(Kind::Drawn, Evidence::is_extraordinary)
        || reaches(Kind::Drawn, Evidence::is_suspicious)
            && reaches(Kind::Stored, Evidence::is_extraordinary)
}

/// Finds the causes of suspicious evidence, most convincing first.
pub(super) fn search(case: &Specimen, report: &Report) -> Result<Findings, Cancelled> {
    let (mut causes, mut tried) = (Vec::new(), Vec::new());
    let mut model = case.model.clone();
    report.progress("measuring", 0.0)?;
    let mut values = Values::of(case, &model);
    let measured = measured(case, &values);
    for round in 0..MAX_CAUSES {
        report.progress("trying causes", 0.2 + 0.2 * round as f32)?;
        if !is_odd(case, &values) {
            break;
        }
        let Round { found, partial } = best(case, &model, &values, &mut tried, report)?;
        let found = match found {
            Some(found) => vec![found],
            None => pair(case, &model, partial, &mut tried, report)?,
        };
        let is_end = found.is_empty() || found.iter().any(|own| !own.cause.rivals.is_empty());
        for found in found {
            (found.cause.undo)(&mut model);
            values = found.values;
            causes.push(found.cause);
        }
        if is_end {
            // Further causes depend on which of them is right.
            break;
        }
    }
    tried.retain(|tried: &Tried| {
        causes.iter().all(|cause: &Cause| cause.info.name != tried.info.name)
    });
    Ok(Findings { causes, tried, measured })
}

/// The result of trying all hypotheses on a model.
struct Round {
    found: Option<Candidate>,
    /// Changes that improve the drawing without explaining it completely: other faults may hide the rest.
    partial: Vec<Candidate>,
}

/// Two changes that explain the evidence only together.
fn pair(
    case: &Specimen,
    model: &Model,
    partial: Vec<Candidate>,
    tried: &mut Vec<Tried>,
    report: &Report,
) -> Result<Vec<Candidate>, Cancelled> {
    let mut best_pair: Option<[Candidate; 2]> = None;
    for first in partial {
        let changed = changed(model, &first.cause.undo);
        let Some(second) = best(case, &changed, &first.values, tried, report)?.found else {
            continue;
        };
        if is_odd(case, &second.values) {
            continue;
        }
        let gain = first.gain + second.gain;
        let is_better = best_pair.as_ref().is_none_or(|[a, b]| gain > a.gain + b.gain);
        if is_better {
            best_pair = Some([first, second]);
        }
    }
    Ok(best_pair.into_iter().flatten().collect())
}

fn best(
    case: &Specimen,
    model: &Model,
    values: &Values,
    tried: &mut Vec<Tried>,
    report: &Report,
) -> Result<Round, Cancelled> {
    let mut found: Option<Candidate> = None;
    let mut others: Vec<Candidate> = Vec::new();
    let mut partial: Vec<Candidate> = Vec::new();
    // The best change that only estimates values, or explains other faults too, in case no other is found.
    let mut last_resort: Option<Candidate> = None;
    let is_drawn_otherwise = deviates(case, values);
    for hypothesis in hypotheses::all() {
        for Group { evidence, items } in groups(hypothesis, values, is_drawn_otherwise) {
            if evidence.iter().all(|at| is_as_intended(case, ALL[*at], &items)) {
                continue;
            }
            report.progress("trying causes", 0.2)?;
            let test = HypothesisTest { case, model, values, hypothesis, evidence, items };
            let Best { decisive: candidate, partial: second_rate, least } = test.best();
            partial.extend(second_rate);
            if let Some(least) = least {
                let evidence = test.main();
                let values = [test.before().unwrap_or(f64::NAN), least];
                record(tried, Tried { info: hypothesis.cause, evidence, values });
            }
            let Some(candidate) = candidate else { continue };
            if candidate.cause.is_estimate || hypotheses::is_last_resort(hypothesis.cause) {
                let is_better = last_resort.as_ref().is_none_or(|own| candidate.gain > own.gain);
                last_resort = if is_better { Some(candidate) } else { last_resort };
                continue;
            }
            let (best, other) = match found.take() {
                Some(found) => ranked(found, candidate),
                None => (candidate, None),
            };
            others.extend(other);
            others.retain(|other| is_about_as_good(other, &best));
            found = Some(best);
        }
    }
    // A reference shows which inverse bind matrices are meant.
    let is_clearly_better = |last: &Candidate, found: &Candidate| {
        case.reference.is_some() && last.gain > found.gain * CLEARLY_MORE
    };
    let mut found = match (found, last_resort) {
        (Some(found), Some(last)) if is_clearly_better(&last, &found) => Some(last),
        (found, last) => found.or(last),
    };
    if let Some(best) = &mut found {
        add_rivals(model, values, best, others);
    }
    partial.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    partial.dedup_by(|a, b| a.cause.info.name == b.cause.info.name);
    partial.truncate(MAX_PARTIAL);
    Ok(Round { found, partial })
}

/// Unusual evidence with the same items, which a hypothesis must explain together.
struct Group {
    /// Indices into [`ALL`], the most unusual first.
    evidence: Vec<usize>,
    /// The items with a suspicious value.
    items: Vec<usize>,
}

/// The unusual evidence of a hypothesis. Each deviation from the reference is a separate group.
/// Deviations of stored values count only if the drawing deviates.
fn groups(hypothesis: &Hypothesis, values: &Values, is_drawn_otherwise: bool) -> Vec<Group> {
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

/// Whether the total improvements of a candidate and the best one are about the same.
fn is_about_as_good(other: &Candidate, best: &Candidate) -> bool {
    other.gain >= best.gain - SAME_GAIN - best.gain * SAME_SHARE
}

/// Adds the causes that explain the evidence of the best candidate as well, but draw the model differently.
fn add_rivals(model: &Model, values: &Values, best: &mut Candidate, others: Vec<Candidate>) {
    let Some(at) = ALL.iter().position(|own| own.name == best.cause.evidence.name) else { return };
    let (Some(evidence), Some(before)) = (ALL.get(at), values.0.get(at)) else { return };
    let left = |candidate: &Candidate| {
        let after = candidate.values.0.get(at);
        after.map_or([0.0, f64::INFINITY], |after| mean_surprises(evidence, [before, after]))
    };
    let [before, after] = left(best);
    let mut undone = None;
    for other in others {
        let is_same = |own: &Cause| own.info.name == other.cause.info.name;
        let is_known = is_same(&best.cause) || best.cause.rivals.iter().any(is_same);
        let explains = left(&other)[1] - after <= (before - after) * UNEXPLAINED;
        if is_known || !explains {
            continue;
        }
        let undone = &*undone.get_or_insert_with(|| changed(model, &best.cause.undo));
        if drawing_difference(undone, &changed(model, &other.cause.undo)).is_some() {
            best.cause.rivals.push(other.cause);
        }
    }
}

/// The better candidate and the other one: that with the larger gain. If the gains are equal, that which leaves less of
/// the evidence that both improve; otherwise the first one.
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

/// Whether the same items of the reference are suspicious too, which means that this is intended.
fn is_as_intended(case: &Specimen, evidence: &Evidence, items: &[usize]) -> bool {
    if evidence.is_from_reference() {
        return false;
    }
    let Some(reference) = case.of_reference() else { return false };
    let values = (evidence.measure)(reference, &Posed::new(&reference.model));
    mean_at(&values, items).is_some_and(|value| evidence.is_suspicious(value))
}

/// The best changes of a hypothesis.
struct Best {
    decisive: Option<Candidate>,
    /// The best change that isn't decisive, but improves the drawing.
    partial: Option<Candidate>,
    /// The lowest value of the evidence that any change achieved.
    least: Option<f64>,
}

/// A hypothesis to try on items of a model.
struct HypothesisTest<'a> {
    case: &'a Specimen,
    model: &'a Model,
    values: &'a Values,
    hypothesis: &'a Hypothesis,
    /// Indices into [`ALL`], the most unusual first.
    evidence: Vec<usize>,
    items: Vec<usize>,
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
    fn main(&self) -> &'static Evidence {
        ALL[self.evidence[0]]
    }

    fn before(&self) -> Option<f64> {
        mean_at(&self.values.0[self.evidence[0]], &self.items)
    }

    fn best(&self) -> Best {
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
        let (mut is_ordinary, mut surprise) = (true, [0.0; 2]);
        for &at in &self.evidence {
            let evidence = ALL[at];
            // The drawing decides; stored values may be unusual for other reasons.
            if has_drawn && evidence.kind != Kind::Drawn {
                continue;
            }
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
            is_ordinary &= own_surprise < UNUSUAL || self.few_left(&values, before, own);
            surprise = [surprise[0] + evidence.surprise(before), surprise[1] + own_surprise];
        }
        // The model may be unusual by itself.
        let is_ordinary = is_ordinary || surprise[1] <= surprise[0] * MAX_LEFT;
        let ratio = if main.kind == Kind::Drawn { MIN_RATIO } else { DECISIVE };
        let is_decisive = is_ordinary && after <= main.noise.max(mean_before / ratio);
        let is_partial = surprise[1] <= surprise[0] * MAX_PARTIAL_LEFT;
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
        let (mut gain, mut drawn) = (0.0, 0.0);
        for (evidence, values) in self.pairs(after) {
            let [before, after] = mean_surprises(evidence, values);
            let own = (before - after) * evidence.weight;
            // With a reference, differences from it count more than plausibility, and no other evidence can reject
            // a change.
            let is_minor = has_reference && !evidence.is_from_reference();
            gain += own * if is_minor { MINOR } else { 1.0 };
            if evidence.kind == Kind::Drawn {
                drawn += before - after;
            }
            if !evidence.is_from_reference() {
                let most =
                    values.map(|values| worst(values).map_or(0.0, |own| evidence.surprise(own)));
                let is_worse =
                    most[1] >= most[0].max(UNUSUAL) + TOLERATED || after > before + TOLERATED;
                // Matrices or keys that fit exactly are right.
                let was_exact = evidence.kind == Kind::Stored
                    && worst(values[0]).is_some_and(|own| own <= evidence.noise * EXACT)
                    && worst(values[1]).is_some_and(|own| own > evidence.noise * INEXACT);
                let is_worse = is_worse || was_exact;
                let is_counted = evidence.kind == Kind::Drawn || !is_estimate;
                let was_known = !values[0].iter().all(|value| value.is_nan());
                if !has_reference && is_counted && was_known && is_worse {
                    return None;
                }
            }
        }
        let is_better = has_reference || drawn >= MIN_DRAWN_GAIN;
        (gain > 0.0 && is_better).then_some(gain)
    }
}
