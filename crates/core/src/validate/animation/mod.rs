//! Rules about clips.
//!
//! `bone_centers` and `bone_reaches` define the measured points, `channels` and `series` the measured values. `keys`
//! runs the rules about single keys, which examine the same values.

mod bone_centers;
mod bone_reaches;
mod channels;
mod faulty_keys;
mod keys;
mod series;
mod worst_place;

rules! { BEFORE_KEYS: Rule = check; duration, constant, rigid, rotations, flips }
rules! { OF_KEYS: NewKeyRule = new; spikes, overshoot, partial, zero_scale }
rules! { AFTER_KEYS: Rule = check; mirrored, seam, blend, stretched }

pub(crate) use faulty_keys::{overshooting_spans, spiked_keys};
pub(crate) use partial::end_tolerance_secs;
pub(crate) use seam::open_loops;
pub use seam::{BoneSeam, loop_seam};

use rayon::prelude::*;

use super::{Rule, run};
use crate::model::{Cancelled, Clip, Model, Motion, Report};
use keys::NewKeyRule;

/// The progress text of this group.
const WHAT: &str = "checking clips";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    run(&BEFORE_KEYS, WHAT, model, report)?;
    keys::check(OF_KEYS.functions, model, report)?;
    run(&AFTER_KEYS, WHAT, model, report)
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
