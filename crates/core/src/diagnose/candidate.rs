//! Changes that may reveal a cause, and the choice among them.

use super::evidence::ALL;
use super::result::Cause;
use super::trial::Undo;
use super::values::{Values, mean_surprises};
use crate::compare::drawing_difference;
use crate::model::Model;

/// One candidate leaves clearly less evidence than another if its value is below this fraction of the other's.
const CLEARLY_LESS: f64 = 0.3;
/// Gains are equal if they differ by less than this plus `SAME_SHARE` of the gain.
const SAME_GAIN: f64 = 0.05;
/// See `SAME_GAIN`.
const SAME_SHARE: f64 = 0.04;
/// A rival may leave this share of the evidence unexplained that the best cause explains.
const UNEXPLAINED: f64 = 0.1;

/// A change that may reveal a cause. The changed model isn't stored: a large one takes a hundred megabytes.
pub(super) struct Candidate {
    pub(super) gain: f64,
    pub(super) cause: Cause,
    pub(super) values: Values,
}

/// `model` after a change.
pub(super) fn changed(model: &Model, undo: &Undo) -> Model {
    let mut changed = model.clone();
    undo(&mut changed);
    changed
}

/// Whether the total improvements of a candidate and the best one are about the same.
pub(super) fn is_about_as_good(other: &Candidate, best: &Candidate) -> bool {
    other.gain >= best.gain - SAME_GAIN - best.gain * SAME_SHARE
}

/// Adds the causes that explain the evidence of the best candidate as well, but draw the model differently.
pub(super) fn add_rivals(
    model: &Model,
    values: &Values,
    best: &mut Candidate,
    others: Vec<Candidate>,
) {
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
pub(super) fn ranked(first: Candidate, second: Candidate) -> (Candidate, Option<Candidate>) {
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
