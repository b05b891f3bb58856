//! Rules about clips.
//!
//! `bone_centers` and `bone_reaches` define the measured points, `channels` and `series` the measured values.

mod blend;
mod bone_centers;
mod bone_reaches;
mod channels;
mod constant;
mod duration;
mod faulty_keys;
mod flips;
mod mirrored;
mod overshoot;
mod partial;
mod rigid;
mod rotations;
mod seam;
mod series;
mod spikes;
mod stretched;
mod worst_place;
mod zero_scale;

pub(crate) use faulty_keys::{KeyAt, Property, overshooting_spans, spiked_keys};
pub(crate) use seam::open_loops;
pub use seam::{BoneSeam, loop_seam};

use rayon::prelude::*;

use super::figures::DefaultPose;
use crate::model::{Cancelled, Clip, FindingKind, Model, Motion, Report};

/// The findings of these rules.
pub(super) const FINDINGS: &[&[FindingKind]] = findings_by_file![
    duration, constant, rigid, mirrored, rotations, flips, spikes, overshoot, partial, zero_scale,
    seam, blend, stretched
];
/// The progress text of this group.
const WHAT: &str = "checking clips";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    report.progress(WHAT, 0.0)?;
    duration::check(model, report);
    constant::check(model, report)?;
    rigid::check(model, report)?;
    rotations::check(model, report);
    flips::check(model, report);
    report.progress(WHAT, 0.2)?;
    let shown = DefaultPose::of(model);
    keys(model, &shown, report)?;
    report.progress(WHAT, 0.3)?;
    mirrored::check(model, report)?;
    seam::check(model, &shown, report)?;
    report.progress(WHAT, 0.6)?;
    blend::check(model, &shown, report)?;
    stretched::check(model, report)
}

/// Runs the rules about single keys and the intervals between them.
fn keys(model: &Model, shown: &DefaultPose, report: &Report) -> Result<(), Cancelled> {
    let reaches = bone_reaches::BoneReaches::of(model, shown);
    let (mut spikes, mut overshoots) =
        (spikes::Spikes::default(), overshoot::Overshoots::default());
    let mut hidden = zero_scale::ZeroScales::default();
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.2)?;
        spikes.look_at_curves(model, &reaches, index, clip);
        overshoots.look_at_curves(model, &reaches, index, clip);
        hidden.look_at_curves(model, index, clip);
    }
    series::for_each(model, &reaches, report, |series| {
        spikes.look_at_series(model, &reaches, series);
        overshoots.look_at_series(model, &reaches, series);
        hidden.look_at_series(model, series);
    })?;
    spikes.report(report);
    overshoots.report(report);
    partial::check(model, &reaches, report);
    hidden.report(report);
    Ok(())
}

/// The results of `look` for each clip with motion, computed in parallel.
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

/// Whether a clip's two keys are a bone matrix and its inverse instead of a motion.
fn is_bind_pair(motion: &Motion) -> bool {
    matches!(motion, Motion::Sampled(sampled) if sampled.is_bind_pair)
}
