//! Rules about hulls, the occlusion mesh and stored bounds.

mod bounds;
mod default_bounds;
mod frame_bounds;
mod hull;
mod occluder;

use crate::model::{Cancelled, FindingKind, Model, Report};

/// The findings of these rules.
pub(super) const FINDINGS: &[&[FindingKind]] =
    findings_by_file![bounds, frame_bounds, default_bounds, hull, occluder];
/// The progress text of this group.
const WHAT: &str = "checking collision";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    hull::check(model, report)?;
    occluder::check(model, report)?;
    bounds::check(model, report)?;
    frame_bounds::check(model, report)?;
    default_bounds::check(model, report)
}
