//! The causes that are named for models with faults. Also for the program `examples/injected.rs`.

use std::fmt;

use rigscope_core::diagnose::{CauseInfo, Context, Evidence, diagnose};
use rigscope_core::measure::{MeasureOptions, measure_same};
use rigscope_core::model::{Model, Report};

use super::edits;
use super::faults::Fault;
use super::sound::Variant;
use rigscope_testing::Random;

/// The causes that are named, with their evidence as text. Without causes, and if `RIGSCOPE_TRIED` is set, the
/// hypotheses that were tried.
pub(crate) fn causes(model: &Model, reference: Option<&Model>) -> Vec<(&'static str, String)> {
    let found =
        diagnose(model, Context { reference, ..Context::default() }, &Report::new()).unwrap();
    let line = |info: &CauseInfo, evidence: &Evidence, [before, after]: [f64; 2], detail: &str| {
        (info.name, format!("{detail} [{} {before:.4} -> {after:.4}]", evidence.name))
    };
    if found.causes.is_empty() && std::env::var_os("RIGSCOPE_TRIED").is_some() {
        let tried = found.tried.iter();
        return tried
            .map(|tried| ("?", line(tried.info, tried.evidence, tried.values, tried.info.name).1))
            .collect();
    }
    let causes = found.causes.iter();
    causes.map(|cause| line(cause.info, cause.evidence, cause.values, &cause.detail)).collect()
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
            let found = causes(&bad, reference);
            let is_right = found.first().is_some_and(|(cause, _)| fault.causes.contains(cause));
            if !is_right {
                lines.push(format!("    {kind} {name}: {found:?}"));
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

/// Changes each model in a sound way, and prints the causes that are named nevertheless: alone, and beside the original
/// if the variant is drawn the same. Returns the number of diagnoses and of accusations.
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
            if found.iter().any(|(cause, _)| *cause != "?") {
                num_accused += 1;
                let kind = if reference.is_some() { "beside the original" } else { "alone" };
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
    worst.is_some_and(|worst| worst.distance >= MIN_SHOWN * worst.extent || !worst.distance.is_finite())
}
