//! Rules about clips.
//!
//! `probes` says where they look.

mod blend;
mod duration;
mod flips;
mod mirrored;
mod probes;
mod rigid;
mod seam;
mod still;

pub use seam::{BoneSeam, loop_seam};

use super::figures::DefaultPose;
use crate::model::{Cancelled, Model, Motion, NoteKind, Report};

/// What these rules note.
pub(super) const FINDINGS: &[&[NoteKind]] =
    findings![duration, still, rigid, mirrored, flips, seam, blend];
/// What is said while the rules of this group run.
const WHAT: &str = "judging clips";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    report.progress(WHAT, 0.0)?;
    duration::check(model, report);
    still::check(model, report)?;
    rigid::check(model, report)?;
    flips::check(model, report);
    report.progress(WHAT, 0.3)?;
    let shown = DefaultPose::of(model);
    mirrored::check(model, report)?;
    seam::check(model, &shown, report)?;
    report.progress(WHAT, 0.6)?;
    blend::check(model, &shown, report)
}

/// Whether a clip's two keys are a bone matrix and its inverse, and no motion.
fn is_bind_pair(motion: &Motion) -> bool {
    matches!(motion, Motion::Sampled(sampled) if sampled.is_bind_pair)
}
