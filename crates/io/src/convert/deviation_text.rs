//! Deviations of a conversion as one sentence: first how exact it is, then why it isn't.

use super::deviation::{BetweenKeys, ConversionDeviation, WorstPlace};
use crate::formats::loss_summary::enumeration;
use rigscope_core::model::{counted, display_text, numbers};

/// Shares of the size, and UVs and weights, up to this are rounding of single precision: exact.
const EXACT: f64 = 1e-6;
/// The same for angles, in degrees.
const EXACT_DEG: f64 = 1e-3;
/// A deviation larger than the one at keys by this factor is reported separately.
const CLEARLY: f64 = 1.5;

impl std::fmt::Display for ConversionDeviation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe("the input", "the output"))
    }
}

impl ConversionDeviation {
    /// One sentence that calls the two sides of the conversion `input` and `output`.
    #[must_use]
    pub fn describe(&self, input: &str, output: &str) -> String {
        let mut parts = self.positions(input, output);
        let mut exact = Vec::new();
        let mut push =
            |what: &'static str, value: Option<f64>, limit: f64, text: String| match value {
                Some(value) if value <= limit => exact.push(what),
                Some(_) => parts.push(format!("{what} deviate by {text}")),
                None => {}
            };
        let mut degrees =
            format!("up to {}", numbers::degrees(self.normal_deg.unwrap_or_default()));
        if self.normal_rules_differ {
            degrees.push_str(" (the runtimes transform normals by different rules)");
        }
        push("normals", self.normal_deg, EXACT_DEG, degrees);
        let uv = numbers::significant(self.uv.unwrap_or_default(), 2);
        push("UVs", self.uv, EXACT, format!("up to {uv}"));
        let weight = numbers::up_to_percent(self.weight.unwrap_or_default());
        push("weights", self.weight, EXACT, weight);
        if !exact.is_empty() {
            parts.push(format!("{} exact", enumeration(&exact)));
        }
        if self.num_unmatched > 0 {
            parts.push(format!("{} not written", counted(self.num_unmatched as u64, "vertex")));
        }
        parts.extend(self.left_out());
        if parts.is_empty() {
            // Poses are compared by their vertices.
            "not compared, because there are no vertices".to_owned()
        } else {
            parts.join("; ")
        }
    }

    /// Whether positions deviate clearly more between keys than at keys.
    #[must_use]
    pub fn is_worse_between_keys(&self) -> bool {
        let at_keys = self.of_extent_at_keys.unwrap_or(f64::INFINITY);
        self.of_extent.is_some_and(|share| is_clearly_more(share, at_keys))
    }

    /// Clips and keys that weren't compared, because that would have taken too long.
    fn left_out(&self) -> Option<String> {
        let count = |num: usize, noun| (num > 0).then(|| counted(num as u64, noun));
        let clips = count(self.num_clips_left_out, "clip");
        let keys = count(self.num_keys_left_out, "key");
        let all: Vec<String> = clips.into_iter().chain(keys).collect();
        (!all.is_empty()).then(|| format!("{} not compared", all.join(" and ")))
    }

    fn positions(&self, input: &str, output: &str) -> Vec<String> {
        let Some(share) = self.of_extent else { return Vec::new() };
        let Some(worst) = &self.worst else { return vec![format!("positions {}", size(share))] };
        let at_keys = self.of_extent_at_keys.unwrap_or(share);
        if worst.is_lost() {
            return self.without_clip(worst, at_keys);
        }
        if !self.is_worse_between_keys() {
            let place = if share <= EXACT { String::new() } else { format!(" ({})", worst.text) };
            return vec![format!("positions {}{place}", size(share))];
        }
        let reason = match self.between_keys {
            Some(BetweenKeys { source_holds: true, written_holds: false }) => {
                format!("{input} holds each key and {output} blends")
            }
            Some(BetweenKeys { source_holds: false, written_holds: true }) => {
                format!("{input} blends and {output} holds each key")
            }
            _ => "they deviate".to_owned(),
        };
        vec![
            format!("positions {} at every key", size(at_keys)),
            format!(
                "between keys {reason}: up to {} of the size ({})",
                small_percent(share),
                worst.text
            ),
        ]
    }

    /// The worst clip isn't in the output, so its deviation is its motion.
    fn without_clip(&self, worst: &WorstPlace, at_keys: f64) -> Vec<String> {
        let mut parts = Vec::new();
        if self.at_keys.is_some() {
            parts.push(format!("positions {} at every key of the written clips", size(at_keys)));
        } else if let Some(position) = self.position.filter(|_| self.extent > 0.0) {
            parts.push(format!("default pose {}", size(position / self.extent)));
        }
        let clip = display_text::name(&worst.clip);
        let motion = numbers::up_to_percent(self.of_extent.unwrap_or_default());
        parts.push(format!(
            "clip \"{clip}\", which moves vertices by {motion} of the size, isn't written"
        ));
        parts
    }
}

/// Whether a deviation between keys is more than rounding, and clearly larger than the one at keys.
pub(super) fn is_clearly_more(share: f64, at_keys: f64) -> bool {
    share > EXACT && share > at_keys * CLEARLY
}

fn size(share: f64) -> String {
    if share <= EXACT {
        "exact".to_owned()
    } else {
        format!("within {} of the size", small_percent(share))
    }
}

/// A percentage whose small values keep their digits: `0.00057 %`.
pub(super) fn small_percent(share: f64) -> String {
    if share < 1e-4 {
        format!("{} %", numbers::significant(100.0 * share, 2))
    } else {
        numbers::percent(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::deviation::testing::wave;

    #[test]
    fn exact_keys_come_before_the_reason_for_deviations_between_them() {
        let between_keys = Some(BetweenKeys { source_holds: true, written_holds: false });
        let errors = ConversionDeviation {
            normal_deg: Some(9.13),
            uv: Some(0.0),
            weight: Some(6e-8),
            between_keys,
            ..wave(0.0747, 2e-7, false)
        };
        assert_eq!(
            errors.describe(".bsm2", ".glb"),
            "positions exact at every key; between keys .bsm2 holds each key and .glb blends: up to 7.5 % of \
             the size (vertex 7 of mesh 0 at 1.762 s of clip 0 \"wave\"); normals deviate by up to 9.1°; UVs and \
             weights exact"
        );
    }

    #[test]
    fn equal_deviations_are_reported_once_and_missing_clips_by_name() {
        assert_eq!(wave(2e-7, 2e-7, false).to_string(), "positions exact");
        assert_eq!(
            wave(5.7e-6, 5.7e-6, false).to_string(),
            "positions within 0.00057 % of the size (vertex 7 of mesh 0 at 1.762 s of clip 0 \"wave\")"
        );
        assert_eq!(
            wave(0.43, 0.0, true).to_string(),
            "default pose exact; clip \"wave\", which moves vertices by up to 43 % of the size, isn't written"
        );
    }

    #[test]
    fn clips_that_were_not_compared_are_counted() {
        let errors = ConversionDeviation {
            num_clips_left_out: 3,
            num_keys_left_out: 1200,
            ..wave(0.0, 0.0, false)
        };
        assert_eq!(errors.to_string(), "positions exact; 3 clips and 1,200 keys not compared");
    }

    #[test]
    fn the_reason_is_stated_if_nothing_was_compared() {
        let text = ConversionDeviation::default().to_string();
        assert_eq!(text, "not compared, because there are no vertices");
    }
}
