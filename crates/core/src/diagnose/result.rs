//! The results of a diagnosis: causes, and the hypotheses that were tried.

use super::cause::CauseInfo;
use super::evidence::Evidence;
use super::trial::Undo;

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
