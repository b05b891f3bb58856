//! Evidence: measurements that are near zero for well-made models, and that improve when a fault is undone.
//!
//! Each kind of evidence has several items, such as meshes or clips, since most faults affect only some of them.
//!
//! | file | evidence |
//! |---|---|
//! | `binds` | distance between rest pose and bind pose |
//! | `shape` | edges that poses stretch or compress |
//! | `reach` | vertices far from their bones |
//! | `keys` | keys that disagree with the rest pose or each other, and single wild keys |
//! | `pace` | unusual key intervals, and clips that start later than all others |
//! | `surface` | triangles, normals and tangents that contradict each other |
//! | `seams` | colours on both sides of UV seams |
//! | `morphs` | size of morph targets |
//! | `travel` | clips that take the model far away |
//! | `body` | bodies that aren't upright or have an implausible height |
//! | `weights` | weights that don't sum to 1 or change abruptly, vertices without weights, influences of missing bones |
//! | `images` | content of normal maps |
//! | `from_reference` | deviation from the reference |

pub(super) mod binds;
pub(super) mod body;
pub(super) mod from_reference;
pub(super) mod images;
pub(super) mod keys;
pub(super) mod morphs;
pub(super) mod pace;
pub(super) mod reach;
pub(super) mod seams;
pub(super) mod shape;
pub(super) mod surface;
pub(super) mod travel;
pub(super) mod weights;

use super::flat::{flat, num_items};
use super::ordinary::{self, UNUSUAL};
use super::posed::Posed;
use super::specimen::{MeshSample, Specimen};

/// The standard of comparison for a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Visible in the drawing. Compared with sound models ([`super::ordinary`]).
    Drawn,
    /// An invisible property of the stored values. It supports causes, but doesn't start a search.
    /// Compared with sound models.
    Stored,
    /// A visible deviation from the reference, suspicious from this value.
    Deviation(f64),
    /// A deviation of stored values from the reference. It is another way of storing the same model unless the drawing
    /// deviates too.
    StoredDeviation(f64),
}

/// The kind of items of a measurement. Measurements with the same items are explained together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Items {
    /// Sampled meshes.
    Meshes,
    /// Clips and bones ([`keys::clip_and_bone`]).
    BonesOfClips,
    /// Examined clips.
    Clips,
    /// Others, which no other measurement has.
    Own,
}

/// A measurement that faults make large.
pub struct Evidence {
    /// Stable kebab-case identifier.
    pub name: &'static str,
    /// The measured quantity, as a noun phrase.
    pub meaning: &'static str,
    /// The unit of the value: `degrees`, `fraction` of the quantity that the text names, …
    pub unit: &'static str,
    pub(super) kind: Kind,
    pub(super) items: Items,
    /// The largest value that rounding causes.
    pub(super) noise: f64,
    /// The weight of an improvement in the total; low for plausibility checks.
    pub(super) weight: f64,
    /// Returns one value per item; NaN if the item can't be measured. The number and order of items stay the same
    /// when hypotheses change the model.
    pub(super) measure: fn(&Specimen, &Posed<'_>) -> Vec<f64>,
    pub(super) text: fn(f64) -> String,
}

impl Evidence {
    /// Whether it compares the model with a reference.
    pub(super) fn is_from_reference(&self) -> bool {
        matches!(self.kind, Kind::Deviation(_) | Kind::StoredDeviation(_))
    }

    /// How unusual a value is: the negative logarithm of its frequency among sound models, or for deviations, the
    /// logarithm of its ratio to the noise.
    pub(super) fn surprise(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Deviation(_) | Kind::StoredDeviation(_) => {
                (value.max(self.noise) / self.noise.max(1e-6)).ln()
            }
            Kind::Drawn | Kind::Stored => ordinary::surprise(self.name, value, self.noise),
        }
    }

    /// Whether an item with this value may have a fault.
    pub(super) fn is_suspicious(&self, value: f64) -> bool {
        match self.kind {
            Kind::Deviation(least) | Kind::StoredDeviation(least) => value >= least,
            Kind::Drawn | Kind::Stored => self.surprise(value) >= UNUSUAL,
        }
    }

    /// Whether a value is a reason to look for causes.
    pub(super) fn is_extraordinary(&self, value: f64) -> bool {
        match self.kind {
            Kind::Deviation(least) | Kind::StoredDeviation(least) => value >= least,
            Kind::Drawn | Kind::Stored => ordinary::is_extraordinary(self.name, value, self.noise),
        }
    }

    /// A value with its unit.
    pub fn text(&self, value: f64) -> String {
        (self.text)(value)
    }

    /// Two values with their unit; the first without the quantity that it is a share of, which the second names.
    pub fn texts(&self, values: [f64; 2]) -> [String; 2] {
        let [before, after] = values.map(|value| self.text(value));
        let before = match (before.split_once(" of "), after.split_once(" of ")) {
            (Some((number, of)), Some((_, same))) if of == same => number.to_owned(),
            _ => before,
        };
        [before, after]
    }
}

impl std::fmt::Debug for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All evidence.
pub(super) const ALL: &[&Evidence] = &flat::<_, { num_items(BY_FILE) }>(BY_FILE);

const BY_FILE: &[&[&Evidence]] = &[
    binds::ALL,
    shape::ALL,
    reach::ALL,
    keys::ALL,
    pace::ALL,
    surface::ALL,
    seams::ALL,
    morphs::ALL,
    travel::ALL,
    body::ALL,
    weights::ALL,
    images::ALL,
    from_reference::ALL,
];

/// One value per sampled mesh; NaN for those without a value.
pub(super) fn by_sample(case: &Specimen, of: impl Fn(&MeshSample) -> Option<f64>) -> Vec<f64> {
    case.samples.iter().map(|part| of(part).unwrap_or(f64::NAN)).collect()
}

/// The mean of all values except NaN; `None` without any.
pub(super) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut num) = (0.0, 0u32);
    for value in values.into_iter().filter(|value| !value.is_nan()) {
        sum += value;
        num += 1;
    }
    (num > 0).then(|| sum / f64::from(num))
}

/// A ratio, rounded to the precision of vertices.
#[expect(clippy::cast_possible_truncation, reason = "ratios of lengths")]
pub(super) fn single(ratio: f64) -> f32 {
    ratio as f32
}

/// The median of all values except NaN; `None` without any.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|value| !value.is_nan());
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
