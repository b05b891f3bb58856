//! Rules about hulls, the occlusion mesh and stored bounds.

use super::{Rule, run};
use crate::model::{Cancelled, Model, Report};

pub(crate) use hull::points_inside_hull;

rules! { ALL: Rule = check; hull, occluder, bounds, frame_bounds, default_bounds }

/// The progress text of this group.
const WHAT: &str = "checking collision";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    run(&ALL, WHAT, model, report)
}
