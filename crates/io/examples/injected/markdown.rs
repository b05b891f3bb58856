//! The table of faults in the documentation.

use std::fmt::Write as _;

use rigscope_core::model::Model;

use super::faults::FAULTS;
use super::outcomes::{Outcomes, accusations, outcomes};
use super::sound::VARIANTS;

/// One row per fault, the least found last, and the sums.
pub(super) fn table(goods: &[(String, Model)]) -> String {
    let mut rows: Vec<(&str, Outcomes)> =
        FAULTS.iter().map(|fault| (fault.name, outcomes(fault, goods).0)).collect();
    rows.retain(|(_, row)| row.num > 0);
    let share = |own: usize, of: usize| own as f64 / of.max(1) as f64;
    let key = |row: &Outcomes| (share(row.without, row.num_without), share(row.with_good, row.num));
    rows.sort_by(|(_, a), (_, b)| key(b).partial_cmp(&key(a)).unwrap());
    let mut sum = Outcomes::default();
    rows.iter().for_each(|(_, row)| sum.add(row));
    rows.push(("**all**", sum));
    let mut out =
        String::from("| fault | alone | with the good version | restored |\n|---|---|---|---|\n");
    for (name, row) in &rows {
        let alone = of(row.without, row.num_without, "only with the good version");
        let (with_good, restored) =
            (of(row.with_good, row.num, ""), of(row.restored, row.num_fixable, ""));
        writeln!(out, "| {name} | {alone} | {with_good} | {restored} |").unwrap();
    }
    let mut accused = [0; 2];
    for variant in VARIANTS {
        let (row, _) = accusations(variant, goods);
        accused = [accused[0] + row[0], accused[1] + row[1]];
    }
    let [num, wrong] = accused;
    writeln!(out, "\nSound variants with a cause: {wrong} of {num}.").unwrap();
    out
}

fn of(own: usize, all: usize, without: &str) -> String {
    if all == 0 { without.to_owned() } else { format!("{own} of {all}") }
}
