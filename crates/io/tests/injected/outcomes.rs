//! The causes that are named for models with faults. Also for the program `examples/injected.rs`.

use std::fmt;

use rigscope_core::diagnose::{Cause, Context, Diagnosis, diagnose};
use rigscope_core::measure::{MeasureOptions, measure_same};
use rigscope_core::model::{Model, Report};

use super::edits;
use super::faults::Fault;
use super::sound::Variant;
use rigscope_testing::Random;

/// The causes that are named, with their evidence as text.
pub(crate) fn causes(model: &Model, reference: Option<&Model>) -> Vec<(&'static str, String)> {
    named(&diagnosis(model, reference))
}

fn diagnosis(model: &Model, reference: Option<&Model>) -> Diagnosis {
    diagnose(model, Context { reference, ..Context::default() }, &Report::new()).unwrap()
}

fn named(diagnosis: &Diagnosis) -> Vec<(&'static str, String)> {
    let text = |cause: &Cause| {
        let ([before, after], evidence) = (cause.values, cause.evidence.name);
        (cause.info.name, format!("{} [{evidence} {before:.4} -> {after:.4}]", cause.detail))
    };
    diagnosis.causes.iter().map(text).collect()
}

/// The unusual evidence, and how close the right causes came.
fn explanation(diagnosis: &Diagnosis, fault: &Fault) -> String {
    let shows_all = std::env::var_os("RIGSCOPE_MEASURED").is_some();
    let odd = diagnosis.measured.iter().filter(|own| own.is_suspicious || shows_all);
    let odd: Vec<String> =
        odd.map(|own| format!("{} {:.3}", own.evidence.name, own.worst)).collect();
    let tried = diagnosis.tried.iter().filter(|own| fault.causes.contains(&own.info.name));
    let tried = tried.map(|own| {
        let [before, after] = own.values;
        format!("{} {before:.4} -> {after:.4}", own.evidence.name)
    });
    let tried: Vec<String> = tried.collect();
    format!("unusual: {}; right: {}", odd.join(", "), tried.join(", "))
}

/// The number of models with a fault, and the number of those whose right cause is named first.
#[derive(Default)]
pub(crate) struct Outcomes {
    pub(crate) num: usize,
    /// Models that were also diagnosed without a reference.
    pub(crate) num_without: usize,
    pub(crate) without: usize,
    pub(crate) with_good: usize,
    /// Right causes without a reference whose values aren't estimated, and those that restore the good drawing.
    pub(crate) num_fixable: usize,
    pub(crate) restored: usize,
}

impl Outcomes {
    pub(crate) fn add(&mut self, other: &Self) {
        self.num += other.num;
        self.num_without += other.num_without;
        self.without += other.without;
        self.with_good += other.with_good;
        self.num_fixable += other.num_fixable;
        self.restored += other.restored;
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { num, num_without, without, with_good, num_fixable, restored } = self;
        write!(
            f,
            "{without} of {num_without} without a reference, {with_good} of {num} with the good model as the reference; \
             {restored} of {num_fixable} restored"
        )
    }
}

/// Injects a fault into each model that can have it, and counts how often its cause is named first. Also returns a line
/// for each model with another result.
pub(crate) fn outcomes(fault: &Fault, goods: &[(String, Model)]) -> (Outcomes, Vec<String>) {
    let mut row = Outcomes::default();
    let mut lines = Vec::new();
    for (name, good) in goods {
        let mut bad = good.clone();
        let is_possible = !fault.needs_bones || edits::has_binds(good);
        if !is_possible || !(fault.inject)(&mut bad) || !shows(fault, good, &bad) {
            continue;
        }
        let mut is_named = |reference: Option<&Model>, kind| {
            let diagnosis = diagnosis(&bad, reference);
            let found = named(&diagnosis);
            let is_right = found.first().is_some_and(|(cause, _)| fault.causes.contains(cause));
            if !is_right {
                let why = explanation(&diagnosis, fault);
                lines.push(format!("    {kind} {name}: {found:?}; {why}"));
            }
            if is_right && reference.is_none() && !diagnosis.causes[0].is_estimate {
                row.num_fixable += 1;
                let undone = diagnosis.undone(diagnosis.causes.len());
                let apart = deviation(good, &undone);
                if apart <= RESTORED {
                    row.restored += 1;
                } else {
                    lines.push(format!("    not restored, {name}: {apart:.5}; {found:?}"));
                }
            }
            usize::from(is_right)
        };
        let with_good = is_named(Some(good), "with reference,");
        let shows_alone = !fault.needs_reference && (fault.shows_alone)(good);
        let without = if shows_alone { is_named(None, "without reference,") } else { 0 };
        row.num += 1;
        row.with_good += with_good;
        row.num_without += usize::from(shows_alone);
        row.without += without;
    }
    (row, lines)
}

/// Changes each model in a sound way, and diagnoses it without a reference, and with the original as the reference if the
/// variant is drawn the same. Returns the number of diagnoses and of accusations, and a line for each accusation.
pub(crate) fn accusations(
    variant: &Variant,
    goods: &[(String, Model)],
) -> ([usize; 2], Vec<String>) {
    let (mut num, mut num_accused, mut lines) = (0, 0, Vec::new());
    for (number, (name, good)) in (0u64..).zip(goods) {
        let mut model = good.clone();
        if !(variant.change)(&mut model, &mut Random(number)) {
            continue;
        }
        let references = [Some(None), variant.is_same.then_some(Some(good))];
        for reference in references.into_iter().flatten() {
            let found = causes(&model, reference);
            num += 1;
            if !found.is_empty() {
                num_accused += 1;
                let kind = if reference.is_some() { "with the original" } else { "alone" };
                lines.push(format!("    {} of {name}, {kind}: {found:?}", variant.name));
            }
        }
    }
    ([num, num_accused], lines)
}

/// A drawing is restored if it deviates by less than this share of the model's size.
const RESTORED: f64 = 1e-4;

/// Faults of bones that move no vertex by this share of the model's size can't be seen.
const MIN_SHOWN: f64 = 0.02;

/// Whether a fault changes the drawing.
fn shows(fault: &Fault, good: &Model, bad: &Model) -> bool {
    if !fault.needs_bones {
        return true;
    }
    deviation(good, bad) >= MIN_SHOWN
}

/// The largest distance between the vertices of two models, as a share of the size.
fn deviation(good: &Model, other: &Model) -> f64 {
    let wants = MeasureOptions { max_keys: Some(12), ..MeasureOptions::default() };
    let measured = measure_same(good, other, wants, &Report::new()).unwrap();
    let worst = measured.and_then(|measured| measured.total.worst);
    worst.map_or(0.0, |worst| {
        if worst.distance.is_finite() { worst.distance / worst.extent } else { f64::INFINITY }
    })
}
