//! How unusual a measurement is, compared with models that are known to be sound.
//!
//! `ordinary.tsv` has one line per kind of evidence: its name, the number of sound models in which it could be measured,
//! and pairs of a number of models and a value that so many of them reach. `make ordinary` writes it; the models
//! themselves aren't part of the repository.

use std::sync::LazyLock;

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| parse(include_str!("ordinary.tsv")));

/// A measurement reached by fewer sound models than this is unusual, in units of [`surprise`]: one in twelve.
pub(super) const UNUSUAL: f64 = 2.5;
/// A measurement that few sound models reach: one in 55.
const EXTRAORDINARY: f64 = 4.0;
/// With fewer models, the largest value may well be exceeded by the next sound model.
const ENOUGH: f64 = 50.0;
/// Beyond all sound models, the surprise grows with the logarithm of the value.
const BEYOND: f64 = 1.0;

/// The distribution of one kind of evidence over sound models.
struct Row {
    name: String,
    num_models: f64,
    /// The number of models that reach a value, and the value, from the smallest value to the largest.
    ranks: Vec<(f64, f64)>,
}

fn parse(text: &str) -> Vec<Row> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

fn row(line: &str) -> Option<Row> {
    let mut fields = line.split('\t');
    let name = fields.next()?.to_owned();
    let num_models = fields.next()?.parse().ok()?;
    let rank = |field: &str| {
        let (rank, value) = field.split_once(':')?;
        Some((rank.parse().ok()?, value.parse().ok()?))
    };
    Some(Row { name, num_models, ranks: fields.filter_map(rank).collect() })
}

fn row_of(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

/// The negative logarithm of the share of sound models with at least this value of the evidence with this name; 0 for
/// common values and below the noise.
pub(super) fn surprise(name: &str, value: f64, noise: f64) -> f64 {
    let Some(row) = row_of(name) else { return 0.0 };
    row.surprise(value.max(noise), noise)
}

/// Whether hardly any sound model reaches a value.
pub(super) fn is_extraordinary(name: &str, value: f64, noise: f64) -> bool {
    // With few models, being among the largest must do; with very few, only a value beyond all of them.
    let slack = |num: f64| if num >= ENOUGH { -1.0 } else { 0.5 };
    let resolved =
        row_of(name).map_or(f64::INFINITY, |row| row.num_models.ln() + slack(row.num_models));
    surprise(name, value, noise) >= EXTRAORDINARY.min(resolved)
}

/// The number of sound models with at least this value, rounded up to the next known rank, and the number of models.
pub(super) fn num_alike(name: &str, value: f64) -> Option<(u32, u32)> {
    let row = row_of(name)?;
    let mut below = row.ranks.iter().filter(|(_, known)| *known < value).map(|(rank, _)| *rank);
    let is_beyond = row.ranks.last().is_none_or(|(_, most)| *most < value);
    let rank = if is_beyond { 0.0 } else { below.next_back().unwrap_or(row.num_models) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
    Some((rank as u32, row.num_models as u32))
}

impl Row {
    fn surprise(&self, value: f64, noise: f64) -> f64 {
        let of_rank = |rank: f64| (self.num_models / rank).ln();
        let known = |&(rank, value): &(f64, f64)| (of_rank(rank), value.max(noise));
        let mut below: Option<(f64, f64)> = None;
        for (own, at) in self.ranks.iter().map(known) {
            if value <= at {
                // Between two known values, by the logarithm.
                let share = |from: f64| (value / from).ln() / (at / from).ln();
                return below.map_or(0.0, |(under, from)| under + (own - under) * share(from));
            }
            below = Some((own, at));
        }
        let Some((most, at)) = below else { return 0.0 };
        most + BEYOND * (1.0 + (value / at).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::evidence::ALL;

    #[test]
    fn every_evidence_that_needs_no_reference_has_a_row() {
        for evidence in ALL.iter().filter(|evidence| !evidence.is_from_reference()) {
            let row = row_of(evidence.name).unwrap_or_else(|| panic!("{}", evidence.name));
            assert!(row.num_models >= 1.0 && !row.ranks.is_empty(), "{}", evidence.name);
            let is_ordered = row.ranks.is_sorted_by(|a, b| a.0 >= b.0 && a.1 <= b.1);
            assert!(is_ordered, "{}", evidence.name);
        }
    }

    #[test]
    fn values_that_few_models_reach_surprise() {
        let row = row("stretch\t100\t50:0.1\t10:0.2\t1:0.4").unwrap();
        let surprise = |value: f64| row.surprise(value, 1e-3);
        assert_eq!(surprise(0.05), 0.0);
        assert!((surprise(0.2) - 10f64.ln()).abs() < 1e-9);
        assert!(surprise(0.3) > surprise(0.2) && surprise(0.3) < surprise(0.4));
        assert!(surprise(0.8) > surprise(0.41) && surprise(0.41) > 100f64.ln());
    }

    #[test]
    fn any_value_surprises_if_most_models_have_none() {
        let row = row("spikes\t200\t100:0\t20:0\t4:0\t1:0.5").unwrap();
        assert!(row.surprise(0.01, 1e-3) >= 50f64.ln());
        assert_eq!(row.surprise(1e-3, 1e-3), 0.0);
    }
}
