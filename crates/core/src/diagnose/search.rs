//! Tries the hypotheses that unusual evidence suggests, and names those that explain it.
//!
//! A change explains evidence if it becomes ordinary without making anything drawn unusual. The change with the largest
//! total improvement wins; ties go to the first row of the table. With a reference, deviations from it count most. The
//! search then continues with the changed model, to find further causes.
//!
//! There is no search unless the drawing is extraordinary, or deviates from the reference.

use std::collections::BTreeSet;

use super::candidate::{Candidate, add_rivals, changed, is_about_as_good, ranked};
use super::evidence::{ALL, Evidence, binds};
use super::hypotheses;
use super::hypothesis_test::{Best, Group, HypothesisTest, groups};
use super::posed::Posed;
use super::result::{Cause, Tried};
use super::specimen::Specimen;
use super::values::{Measured, Values, are_exact, deviates, is_odd, mean_at, measured};
use crate::model::{Cancelled, Model, Report};

/// The most causes to find. More are rare in one file, and each round takes as long as the first.
const MAX_CAUSES: usize = 4;
/// The most partial changes to continue from if no single change explains the evidence.
const MAX_PARTIAL: usize = 4;
/// A gain is clearly larger than another if it exceeds it by this factor.
const CLEARLY_MORE: f64 = 1.15;

/// The result of a search.
pub(super) struct Findings {
    pub(super) causes: Vec<Cause>,
    pub(super) tried: Vec<Tried>,
    pub(super) measured: Vec<Measured>,
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
            let is_intended = evidence.iter().all(|at| is_as_intended(case, ALL[*at], &items));
            // Matrices that fit the bones exactly are right.
            let are_right = hypotheses::is_about_binds(hypothesis.cause)
                && case.reference.is_none()
                && are_exact(&binds::REST_TO_BIND, values, &items);
            if is_intended || are_right {
                continue;
            }
            report.progress("trying causes", 0.2)?;
            let test = HypothesisTest {
                case,
                model,
                values,
                hypothesis,
                evidence,
                items,
                is_drawn_otherwise,
            };
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
    // The best change of each cause.
    let mut known = BTreeSet::new();
    partial.retain(|own| known.insert(own.cause.info.name));
    partial.truncate(MAX_PARTIAL);
    Ok(Round { found, partial })
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
