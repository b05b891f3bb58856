//! Rules about single keys and the intervals between them. All of them examine the same keys, which are read once.

use super::WHAT;
use super::bone_reaches::BoneReaches;
use super::series::{self, Series};
use crate::model::{Cancelled, Clip, Model, Report};
use crate::validate::worst::DefaultPose;

/// A rule that examines all keys before it reports.
pub(in crate::validate) trait KeyRule {
    /// Examines the curves of the clip with this index.
    fn look_at_curves(&mut self, model: &Model, reaches: &BoneReaches, index: usize, clip: &Clip);

    /// Examines consecutive keys of sampled matrices or live curves.
    fn look_at_series(&mut self, _: &Model, _: &BoneReaches, _: &Series) {}

    /// Reports the findings.
    fn report(self: Box<Self>, report: &Report);
}

/// Makes a rule that has examined nothing.
pub(super) type NewKeyRule = fn() -> Box<dyn KeyRule>;

/// Runs these rules.
pub(super) fn check(rules: &[NewKeyRule], model: &Model, report: &Report) -> Result<(), Cancelled> {
    let reaches = BoneReaches::of(model, &DefaultPose::of(model));
    let mut rules: Vec<_> = rules.iter().map(|new| new()).collect();
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.2)?;
        rules.iter_mut().for_each(|rule| rule.look_at_curves(model, &reaches, index, clip));
    }
    series::for_each(model, &reaches, report, |series| {
        rules.iter_mut().for_each(|rule| rule.look_at_series(model, &reaches, series));
    })?;
    rules.into_iter().for_each(|rule| rule.report(report));
    Ok(())
}
