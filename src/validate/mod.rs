//! Judging an export beyond what its reader must note: the rules of `rigscope validate`.
//!
//! For: what a reader can live with and a player, an artist or an engine programmer cannot.
//! Not for: what must be noted or mended before anything is shown; that is `model::check`. Not for
//! choosing which findings count; that is the shell's.
//!
//! | folder | rules about |
//! |---|---|
//! | `mesh` | vertices, triangles, subsets, materials |
//! | `skin` | bones, and what they move |
//! | `animation` | clips |
//! | `collision` | hulls, occluder, stored bounds |
//!
//! Each rule is one file with one function that notes rows of `model::NOTES`. A rule looks at all
//! places before it notes, so that the one message names the worst of them.
//!
//! Invariant: models have passed `model::check`; no rule changes them, none fails.
//! Invariant: thresholds are constants with the reason beside the rule that uses them.
//! Invariant: rules of severity warning and above stay silent on files that are well made.

mod animation;
mod collision;
mod figures;
#[cfg(test)]
mod fixtures;
mod mesh;
mod moments;
mod skin;

pub use animation::{BoneSeam, loop_seam};
pub use mesh::{BadTriangles, TriangleAt, bad_triangles};
pub use mesh::{OrderFigures, order_figures};

use crate::model::{Cancelled, Model, Report};

/// Runs all rules over a checked model and notes what they find.
///
/// # Errors
/// [`Cancelled`] when `report` says that the work should stop; what was found until then is noted.
pub fn validate(model: &Model, report: &Report) -> Result<(), Cancelled> {
    mesh::check(model, report)?;
    skin::check(model, report)?;
    animation::check(model, report)?;
    collision::check(model, report)
}
