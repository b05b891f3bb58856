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
mod stretched;

pub use seam::{BoneSeam, loop_seam};

use rayon::prelude::*;

use super::figures::DefaultPose;
use crate::model::{Cancelled, Clip, Model, Motion, NoteKind, Report};

/// What these rules note.
pub(super) const FINDINGS: &[&[NoteKind]] =
    findings![duration, still, rigid, mirrored, flips, seam, blend, stretched];
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
    blend::check(model, &shown, report)?;
    stretched::check(model, report)
}

/// What `look` finds in each clip, or nothing where that has no motion; clips are looked at by all cores.
fn of_clips<T: Send>(
    model: &Model,
    report: &Report,
    fraction: f32,
    look: impl Fn(usize, &Clip) -> Result<T, Cancelled> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let clips = model.clips.par_iter().enumerate();
    let clips = clips.filter(|(_, clip)| !is_bind_pair(&clip.motion));
    let look = |(index, clip)| {
        report.progress(WHAT, fraction)?;
        look(index, clip)
    };
    clips.map(look).collect()
}

/// Whether a clip's two keys are a bone matrix and its inverse, and no motion.
fn is_bind_pair(motion: &Motion) -> bool {
    matches!(motion, Motion::Sampled(sampled) if sampled.is_bind_pair)
}
