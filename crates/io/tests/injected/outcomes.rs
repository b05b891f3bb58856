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
}

impl Outcomes {
    pub(crate) fn add(&mut self, other: &Self) {
        self.num += other.num;
        self.num_without += other.num_without;
        self.without += other.without;
        self.with_good += other.with_good;
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { num, num_without, without, with_good } = self;
        write!(
            f,
            "{without} of {num_without} without a reference, {with_good} of {num} with the good model as the reference"
        )
    }
}

/// Injects a fault into each model that can have it, and prints how often its cause is named first.
pub(crate) fn outcomes(fault: &Fault, goods: &[(String, Model)]) -> Outcomes {
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
            usize::from(is_right)
        };
        row.num += 1;
        row.with_good += is_named(Some(good), "with reference,");
        if !fault.needs_reference && (fault.shows_alone)(good) {
            row.num_without += 1;
            row.without += is_named(None, "without reference,");
        }
    }
    println!(
        "{:28} {:3} models, without reference {:3} of {:3}, with reference {:3}",
        fault.name, row.num, row.without, row.num_without, row.with_good
    );
    lines.iter().for_each(|line| println!("{line}"));
    row
}

/// Changes each model in a sound way, and prints the causes that are named nevertheless, without a
/// reference, and with the original as the reference if the variant is drawn the same. Returns the number of diagnoses and of accusations.
pub(crate) fn accusations(variant: &Variant, goods: &[(String, Model)]) -> [usize; 2] {
    let (mut num, mut num_accused) = (0, 0);
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
                println!("    {} of {name}, {kind}: {found:?}", variant.name);
            }
        }
    }
    println!("{:46} {num:4} diagnoses, {num_accused:3} with a cause", variant.name);
    [num, num_accused]
}

/// Faults of bones that move no vertex by this share of the model's size can't be seen.
const MIN_SHOWN: f64 = 0.02;

/// Whether a fault changes the drawing.
fn shows(fault: &Fault, good: &Model, bad: &Model) -> bool {
    if !fault.needs_bones {
        return true;
    }
    let wants = MeasureOptions { max_keys: Some(12), ..MeasureOptions::default() };
    let measured = measure_same(good, bad, wants, &Report::new()).unwrap();
    let worst = measured.and_then(|measured| measured.total.worst);
    worst.is_some_and(|worst| {
        worst.distance >= MIN_SHOWN * worst.extent || !worst.distance.is_finite()
    })
}
