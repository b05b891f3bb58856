//! Clips that disagree with their neighbours: the other clips of the model, and those of similar files.

use super::keys::tracks_of;
use super::{Evidence, Items, Kind};
use crate::diagnose::pace::{Pace, SAME, interval};
use crate::diagnose::specimen::Specimen;
use crate::model::{ClipId, Model, numbers};

pub(super) const ALL: &[&Evidence] = &[&KEY_INTERVAL, &START];

/// Ratio of a clip's key interval to the intervals that animators use, in powers of two. One item per examined clip.
pub(crate) const KEY_INTERVAL: Evidence = Evidence {
    name: "key-interval",
    meaning: "the ratio of the key interval to the usual ones",
    unit: "log2 of a factor",
    kind: Kind::Drawn,
    items: Items::Clips,
    noise: 1e-3,
    weight: 0.5,
    measure: |case, model| each(case, model, |clip| interval_difference(model, clip)),
    text: |value| format!("a factor of {}", numbers::significant(value.exp2(), 4)),
};

/// Time before the first key, as a fraction of the clip's duration, if at least three other clips start at 0; one item per
/// examined clip. Clips that are cut from a longer take don't start at 0 either.
pub(crate) const START: Evidence = Evidence {
    name: "start",
    meaning: "the time before the first key",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Clips,
    noise: 0.01,
    weight: 0.5,
    measure: |case, model| each(case, model, |clip| late_start(case, model, clip)),
    text: |value| format!("{} of the duration", numbers::percent(value)),
};

/// Intervals of keys that animators use, in seconds. Longer ones occur between sparse keys, which are rarely regular.
const USUAL_INTERVALS: [f64; 2] = [1.0 / 250.0, 0.6];
/// At least this many neighbours must agree.
const MIN_NEIGHBOURS: usize = 3;

fn each(case: &Specimen, model: &Model, of: impl Fn(usize) -> Option<f64>) -> Vec<f64> {
    let is_known = |clip: &usize| !case.has_live_curves && !tracks_of(model, *clip).is_empty();
    let value = |clip: &usize| Some(*clip).filter(is_known).and_then(&of).unwrap_or(f64::NAN);
    case.clips.iter().map(value).collect()
}

/// The neighbours of a clip. They are those of the examined model, so that they don't change along with the clip.
fn neighbours(case: &Specimen, clip: usize) -> impl Iterator<Item = &Pace> {
    let own = case.paces.iter().enumerate().filter(move |(at, _)| *at != clip);
    own.map(|(_, pace)| pace).chain(&case.neighbours)
}

/// The interval of the keys of all neighbours, if they agree.
pub(in crate::diagnose) fn interval_of_neighbours(case: &Specimen, clip: usize) -> Option<f64> {
    let known = || neighbours(case, clip).filter_map(|pace| pace.interval_secs);
    let first = known().next()?;
    let agree = known().all(|other| (other / first - 1.0).abs() < SAME) && from_usual(first) == 0.0;
    (agree && known().count() >= MIN_NEIGHBOURS).then_some(first)
}

/// The difference from the usual intervals, in powers of two.
fn from_usual(interval_secs: f64) -> f64 {
    let [least, most] = USUAL_INTERVALS;
    (interval_secs / interval_secs.clamp(least, most)).log2().abs()
}

fn interval_difference(model: &Model, clip: usize) -> Option<f64> {
    let own = interval(&model.clips[ClipId::from_index(clip)])?;
    // Clips of 24 and of 30 keys per second occur together.
    Some(from_usual(own))
}

fn late_start(case: &Specimen, model: &Model, clip: usize) -> Option<f64> {
    let others = || neighbours(case, clip);
    let are_others_at_zero =
        others().count() >= MIN_NEIGHBOURS && others().all(Pace::starts_at_zero);
    let own = &model.clips[ClipId::from_index(clip)];
    let is_at_zero = Pace::of(own).starts_at_zero();
    let share = if is_at_zero { 0.0 } else { own.start_secs / own.duration_secs };
    (are_others_at_zero && share.is_finite()).then_some(share.abs())
}
