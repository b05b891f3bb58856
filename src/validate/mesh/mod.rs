//! Rules about vertices, triangles, subsets and materials.

use crate::model::{Cancelled, Model, Report};

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let _ = (model, report);
    Ok(())
}
