//! Rules about hulls, occluder and stored bounds.
//!
//! | file | notes |
//! |---|---|
//! | `hull` | hulls without volume, points inside their own hull |
//! | `occluder` | occluders that reach out of the mesh |
//! | `bounds` | stored bounds that a clip leaves |

mod bounds;
mod hull;
mod occluder;

use crate::model::{Cancelled, Model, Report};

/// DefaultPose while the rules of this group run.
const WHAT: &str = "judging collision";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    hull::check(model, report)?;
    occluder::check(model, report)?;
    bounds::check(model, report)
}
