//! Compares two signatures.

use std::f64::consts::TAU;

use super::waves::WAVELENGTH;
use super::{ClipFingerprint, Fingerprint, Signature};

/// Rounding error of a posed position in single precision, in units of the model's size: bones multiply several
/// matrices, some of them with large scales.
const ROUNDING: f64 = 1e-6;
/// Waves of the same file in another order differ by less than this: their text has one decimal.
const SAME_WAVE: f64 = 0.5;
/// Standard deviations of rounding errors that are tolerated.
const NUM_SIGMAS: f64 = 4.0;
/// Samples are rounded to this in the text, in units of the model's size.
const SAMPLE_STEP: f64 = 1e-5;
/// Durations that differ by less are equal.
const SAME_SECS: f64 = 1e-4;
/// Sizes that differ by less than this fraction are equal.
const SAME_SIZE: f64 = 2e-6;

/// How exactly two signatures can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Files of the same format: the same numbers in another order.
    SameFormat,
    /// Files of different formats that round positions to this, in units of the model's size. Bone names and weights
    /// aren't compared, because formats may lose them.
    OtherFormat {
        /// The sum of both formats' precisions.
        precision: f64,
    },
}

/// The differences between two signatures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// New size divided by old size, if it isn't 1.
    pub scaled_by: Option<f64>,
    /// Names or parents of bones.
    pub has_other_bones: bool,
    /// Weights of vertices.
    pub has_other_weights: bool,
    /// Stored positions of vertices.
    pub bind: Option<ShapeShift>,
    /// The rest pose, if the stored positions are equal.
    pub rest: Option<ShapeShift>,
    /// By name of the clip.
    pub clips: Vec<(String, ClipChange)>,
}

/// How far a model moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShapeShift {
    /// The largest distance of a sample, in units of the model's size; 0 if only other vertices or bones moved.
    pub at_least: f64,
    /// The place of that sample in the old model, display space.
    pub place: Option<[f64; 3]>,
    /// The moment of the sample, for clips.
    pub time_secs: Option<f64>,
    /// Only bones moved, and no vertex.
    pub is_of_bones: bool,
}

/// How a clip changed.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipChange {
    Removed,
    Added,
    /// Old and new start and duration in seconds.
    Retimed {
        before: [f64; 2],
        after: [f64; 2],
    },
    Moved(ShapeShift),
}

impl Changes {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Signature {
    /// The differences of `new`.
    #[must_use]
    pub fn changes(&self, new: &Self, tolerance: Tolerance) -> Changes {
        let is_same_format = tolerance == Tolerance::SameFormat;
        let ratio = new.size / self.size;
        let size_tolerance = match tolerance {
            Tolerance::SameFormat => SAME_SIZE,
            Tolerance::OtherFormat { precision } => SAME_SIZE + 2.0 * precision,
        };
        let scaled_by = ((ratio - 1.0).abs() > size_tolerance).then_some(ratio);
        let context = Context {
            weight: self.weight.max(new.weight),
            num_bones_factor: if is_same_format { 1.0 } else { 0.0 },
            tolerance,
            size: self.size,
        };
        let bind = context.moved(&self.bind, &new.bind, 0.0);
        let rest = context.moved(&self.rest, &new.rest, ROUNDING).filter(|_| bind.is_none());
        let has_other_weights = is_same_format
            && bind.is_none()
            && distance(&self.skin, &new.skin) > SAME_WAVE.max(1e-5 * self.weight);
        let mut clips = Vec::new();
        for (name, before) in &self.clips {
            let change = match new.clips.get(name) {
                None => Some(ClipChange::Removed),
                Some(after) => context.clip(before, after),
            };
            clips.extend(change.map(|change| (name.clone(), change)));
        }
        let added = new.clips.keys().filter(|name| !self.clips.contains_key(*name));
        clips.extend(added.map(|name| (name.clone(), ClipChange::Added)));
        Changes {
            scaled_by,
            has_other_bones: is_same_format && self.skeleton != new.skeleton,
            has_other_weights,
            bind,
            rest,
            clips,
        }
    }
}

struct Context {
    weight: f64,
    num_bones_factor: f64,
    tolerance: Tolerance,
    size: f64,
}

impl Context {
    fn clip(&self, before: &ClipFingerprint, after: &ClipFingerprint) -> Option<ClipChange> {
        let times = |clip: &ClipFingerprint| [clip.start_secs, clip.duration_secs];
        let (old, new) = (times(before), times(after));
        let differ = |at: usize| (old[at] - new[at]).abs() > SAME_SECS.max(1e-5 * old[1]);
        // Formats may move the start to 0.
        let is_moved = differ(0) && self.tolerance == Tolerance::SameFormat;
        if is_moved || differ(1) {
            return Some(ClipChange::Retimed { before: old, after: new });
        }
        // Waves of other moments can't be compared.
        let has_same_moments = before.limited_to == after.limited_to;
        let segment_secs = before.duration_secs / before.segments.len().max(1) as f64;
        let segments = before.segments.iter().zip(&after.segments).enumerate();
        let moved = segments.filter_map(|(number, (old, new))| {
            let moved = if has_same_moments {
                self.moved(old, new, ROUNDING)?
            } else {
                Some(self.moved_samples(old, new)).filter(|moved| moved.at_least > 0.0)?
            };
            let middle = before.start_secs + segment_secs * (number as f64 + 0.5);
            Some(ShapeShift { time_secs: Some(middle), ..moved })
        });
        let farthest =
            moved.reduce(|best, moved| if moved.at_least > best.at_least { moved } else { best });
        farthest.map(ClipChange::Moved)
    }

    /// Of a position, in units of the size.
    fn precision(&self) -> f64 {
        match self.tolerance {
            Tolerance::SameFormat => 0.0,
            Tolerance::OtherFormat { precision } => precision + 2.0 * ROUNDING,
        }
    }

    /// The farthest sample, at distance 0 if none moved.
    fn moved_samples(&self, before: &Fingerprint, after: &Fingerprint) -> ShapeShift {
        let mut farthest = ShapeShift::default();
        for (old, new) in before.samples.iter().zip(&after.samples) {
            let moved = distance(old, new);
            if moved > farthest.at_least {
                let place = old.map(|coordinate| coordinate * self.size);
                farthest = ShapeShift { at_least: moved, place: Some(place), ..farthest };
            }
        }
        // The coordinates are rounded, and a coarser format moves each by up to half a step.
        let has_moved = farthest.at_least > 2.0 * (SAMPLE_STEP + self.precision());
        if has_moved { farthest } else { ShapeShift::default() }
    }

    /// `rounding`: of a position, in units of the size.
    fn moved(
        &self,
        before: &Fingerprint,
        after: &Fingerprint,
        rounding: f64,
    ) -> Option<ShapeShift> {
        let precision = self.precision();
        let farthest = self.moved_samples(before, after);
        let spread = self.weight * TAU / WAVELENGTH * NUM_SIGMAS;
        let allowed = SAME_WAVE + spread * (rounding + precision);
        let waves = before.waves.as_chunks::<2>().0.iter().zip(after.waves.as_chunks::<2>().0);
        // Beyond that, rounding errors are as large as the waves.
        let is_usable = precision < WAVELENGTH / 16.0;
        let has_moved_vertices =
            is_usable && waves.map(|(old, new)| distance(old, new)).any(|moved| moved > allowed);
        if farthest.at_least > 0.0 || has_moved_vertices {
            return Some(farthest);
        }
        let bones = distance(&before.bones, &after.bones) * self.num_bones_factor;
        let has_moved_bones = bones > SAME_WAVE;
        has_moved_bones.then_some(ShapeShift { is_of_bones: true, ..ShapeShift::default() })
    }
}

fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
