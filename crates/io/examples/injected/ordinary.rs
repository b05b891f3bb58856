//! The distribution of each kind of evidence over sound models, for `diagnose/ordinary.tsv`.

#![allow(
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a program for developers, and counts"
)]

use std::collections::BTreeMap;
use std::fmt::Write;

use rayon::prelude::*;
use rigscope_core::diagnose::measure;
use rigscope_core::model::Model;
use rigscope_testing::Random;

use super::edits;
use super::sound::VARIANTS;

/// The shares of models for which the table has a value, and the numbers of models at the end of the distribution.
const SHARES: [f64; 5] = [0.5, 0.25, 0.1, 0.05, 0.03];
const LAST: [usize; 5] = [8, 4, 3, 2, 1];

/// The table for some models, each as it is and in one sound variant.
pub(crate) fn table(models: &[(String, Model)]) -> String {
    let of = |(number, (name, model)): (usize, &(String, Model))| {
        let mut all = vec![(name.clone(), measure(model))];
        let variant = &VARIANTS[number % VARIANTS.len()];
        let mut changed = edits::good(model);
        // Baked skinning matrices have no bind space.
        if edits::has_binds(model) && (variant.change)(&mut changed, &mut Random(number as u64)) {
            all.push((format!("{}: {name}", variant.name), measure(&changed)));
        }
        all
    };
    let measured: Vec<_> = models.par_iter().enumerate().flat_map_iter(of).collect();
    let mut by_name: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    for (name, values) in &measured {
        for own in values.iter().filter(|own| own.worst.is_finite()) {
            by_name.entry(own.evidence.name).or_default().push((own.worst, name));
        }
    }
    let mut out = format!("# {} sound models\n", measured.len());
    for (name, mut values) in by_name {
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        let num = values.len();
        let of_share = |share: &f64| (*share * num as f64) as usize;
        let mut ranks: Vec<usize> = SHARES.iter().map(of_share).chain(LAST).collect();
        ranks.retain(|rank| (1..=num).contains(rank));
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.dedup();
        let _ = write!(out, "{name}\t{num}");
        for rank in ranks {
            let _ = write!(out, "\t{rank}:{:.4}", values[rank - 1].0);
        }
        out.push('\n');
        for (value, model) in values.iter().take(6) {
            eprintln!("{name} {value:.4} {model}");
        }
    }
    out
}
