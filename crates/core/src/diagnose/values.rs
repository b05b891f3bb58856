//! The values of all evidence for a model, and which of them are unusual.

use rayon::prelude::*;

use super::evidence::{ALL, Evidence, Kind, from_reference, keys, mean};
use super::ordinary;
use super::posed::Posed;
use super::specimen::Specimen;
use crate::model::{ClipId, Model};

/// One kind of evidence, measured on the examined model.
pub struct Measured {
    pub evidence: &'static Evidence,
    /// The largest value of all items.
    pub worst: f64,
    /// Whether the value is a reason to look for causes.
    pub is_suspicious: bool,
}

impl Measured {
    /// The value with its unit, and for evidence that needs no reference, how many sound models reach it.
    pub fn text(&self) -> String {
        let value = self.evidence.text(self.worst);
        match ordinary::num_alike(self.evidence.name, self.worst) {
            Some((0, num)) => format!("{value}, more than in any of {num} sound models"),
            Some((some, num)) => format!("{value}, as in fewer than {some} of {num} sound models"),
            None => value,
        }
    }
}

/// The values of all evidence, in the order of [`ALL`].
pub(super) struct Values(pub(super) Vec<Vec<f64>>);

impl Values {
    pub(super) fn of(case: &Specimen, model: &Model) -> Self {
        let posed = Posed::new(model);
        Self(ALL.par_iter().map(|evidence| (evidence.measure)(case, &posed)).collect())
    }

    pub(super) fn with_evidence(&self) -> impl Iterator<Item = (&'static Evidence, &Vec<f64>)> {
        ALL.iter().copied().zip(&self.0)
    }
}

/// The largest of some values; `None` if none is known.
pub(super) fn worst(values: &[f64]) -> Option<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).reduce(f64::max)
}

/// All evidence that can be measured on the model.
pub(super) fn measure(case: &Specimen) -> Vec<Measured> {
    measured(case, &Values::of(case, &case.model))
}

pub(super) fn measured(case: &Specimen, values: &Values) -> Vec<Measured> {
    let is_drawn_otherwise = deviates(case, values);
    let of = |(evidence, values): (&'static Evidence, &Vec<f64>)| {
        let worst = worst(values)?;
        let is_suspicious = match evidence.kind {
            Kind::Deviation(_) => evidence.is_suspicious(worst),
            Kind::StoredDeviation(_) => is_drawn_otherwise && evidence.is_suspicious(worst),
            Kind::Drawn => evidence.is_extraordinary(worst),
            Kind::Stored => false,
        };
        Some(Measured { evidence, worst, is_suspicious })
    };
    values.with_evidence().filter_map(of).collect()
}

/// Whether the drawing deviates from the reference, or a clip that isn't posed moves bones in another way.
pub(super) fn deviates(case: &Specimen, values: &Values) -> bool {
    values.with_evidence().any(|(evidence, values)| {
        let is_of_unposed = |item: &usize| {
            let clip = ClipId::from_index(keys::clip_and_bone(case, *item).0);
            case.poses.iter().all(|spec| spec.clip != Some(clip))
        };
        let items = suspicious(evidence, values);
        match evidence.name {
            name if name == from_reference::DRAWING.name => !items.is_empty(),
            name if name == from_reference::KEYS.name => items.iter().any(is_of_unposed),
            _ => false,
        }
    })
}

/// The items with a suspicious value.
pub(super) fn suspicious(evidence: &Evidence, values: &[f64]) -> Vec<usize> {
    let items = values.iter().enumerate();
    items.filter(|(_, value)| evidence.is_suspicious(**value)).map(|(item, _)| item).collect()
}

/// Whether a value is far below rounding errors.
pub(super) fn is_exact(evidence: &Evidence, value: f64) -> bool {
    const SHARE: f64 = 0.1;
    value <= evidence.noise * SHARE
}

/// Whether the values of all items that can be measured are exact.
pub(super) fn are_exact(evidence: &Evidence, values: &Values, items: &[usize]) -> bool {
    let own = values.with_evidence().find(|(own, _)| own.name == evidence.name);
    own.is_some_and(|(_, values)| {
        let mut known =
            items.iter().filter_map(|item| values.get(*item)).filter(|own| !own.is_nan());
        let first = known.next().is_some_and(|own| is_exact(evidence, *own));
        first && known.all(|own| is_exact(evidence, *own))
    })
}

pub(super) fn mean_at(values: &[f64], items: &[usize]) -> Option<f64> {
    mean(items.iter().filter_map(|item| values.get(*item).copied()))
}

/// The mean surprise: of all items for deviations, otherwise of those that are suspicious before or after a change.
pub(super) fn mean_surprises(evidence: &Evidence, [before, after]: [&[f64]; 2]) -> [f64; 2] {
    let is_counted = |(before, after): &(&f64, &f64)| {
        // Items that the fault makes immeasurable can't get worse.
        !before.is_nan()
            && !after.is_nan()
            && (evidence.is_from_reference()
                || evidence.is_suspicious(**before)
                || evidence.is_suspicious(**after))
    };
    let pairs: Vec<(f64, f64)> = before
        .iter()
        .zip(after)
        .filter(is_counted)
        .map(|(before, after)| (evidence.surprise(*before), evidence.surprise(*after)))
        .collect();
    let of = |side: fn(&(f64, f64)) -> f64| mean(pairs.iter().map(side)).unwrap_or(0.0);
    [of(|pair| pair.0), of(|pair| pair.1)]
}

/// Whether there is a reason to look for causes: something drawn is extraordinary, or something drawn is unusual and a
/// stored value extraordinary.
pub(super) fn is_odd(case: &Specimen, values: &Values) -> bool {
    if case.reference.is_some() {
        return measured(case, values).iter().any(|own| own.is_suspicious);
    }
    let reaches = |kind: Kind, is: fn(&Evidence, f64) -> bool| {
        let mut of_kind = values.with_evidence().filter(move |(own, _)| own.kind == kind);
        of_kind.any(|(own, values)| worst(values).is_some_and(|value| is(own, value)))
    };
    reaches(Kind::Drawn, Evidence::is_extraordinary)
        || reaches(Kind::Drawn, Evidence::is_suspicious)
            && reaches(Kind::Stored, Evidence::is_extraordinary)
}
