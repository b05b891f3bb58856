//! Deviations of a conversion that are losses, because they are above the precision of formats.
//!
//! For: the list of losses. Not for: measuring (`deviation`), or the sentence about all deviations (`deviation_text`).

use std::fmt;

use super::deviation::{BetweenKeys, ConversionDeviation, WorstPlace, holds_keys};
use super::deviation_text::{is_clearly_more, small_percent};
use rigscope_core::measure::Deviation;
use rigscope_core::model::{Model, numbers};

/// The precision of positions, as a fraction of the model's size: formats round keys to 16 bits and blend rotations in
/// different ways, which moves vertices by up to a thousandth.
const POSITIONS: f64 = 1e-3;
/// The same if one side holds keys and the other blends them, whose deviations aren't rounding.
const STEPS: f64 = 1e-5;
/// Two steps of weights of 8 bits.
const WEIGHTS: f64 = 2.0 / 255.0;
/// UVs of 10 bits per tile.
const UVS: f64 = 1e-3;
/// Normals with components of 8 bits, in degrees.
const NORMALS_DEG: f64 = 1.0;

/// Values that a file stores, and whose largest deviation is above the precision of formats; displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LostPrecision {
    /// Vertices at the keys of the written clips, or in the default pose without clips, as a fraction of the size.
    Positions(f64),
    /// Vertices between keys, where the deviation is larger than at keys, as a fraction of the size.
    BetweenKeys {
        /// The largest deviation.
        of_extent: f64,
        /// How both sides play the clip; `None` if that is unknown.
        played: Option<BetweenKeys>,
    },
    /// Normals, in degrees.
    Normals(f64),
    /// A coordinate of a UV, in tiles.
    Uvs(f64),
    /// The weight of a bone, 0 to 1.
    Weights(f64),
}

impl LostPrecision {
    /// The losses among the deviations of a conversion.
    #[must_use]
    pub fn all_of(errors: &ConversionDeviation) -> Vec<Self> {
        let is_lost_clip = errors.worst.as_ref().is_some_and(WorstPlace::is_lost);
        let default_pose =
            || errors.position.filter(|_| errors.extent > 0.0).map(|p| p / errors.extent);
        // The motion of clips that aren't written is listed as lost clips.
        let positions = match errors.of_extent_at_keys {
            Some(at_keys) => Some(at_keys),
            None if is_lost_clip => default_pose(),
            None => errors.of_extent,
        };
        let between_keys =
            errors.of_extent.filter(|_| !is_lost_clip && errors.is_worse_between_keys());
        // The runtime decides how normals are transformed, not the file.
        let normals = errors.normal_deg.filter(|_| !errors.normal_rules_differ);
        let above = |value: Option<f64>, precision: f64| value.filter(|value| *value > precision);
        let surface = [
            above(normals, NORMALS_DEG).map(Self::Normals),
            above(errors.uv, UVS).map(Self::Uvs),
            above(errors.weight, WEIGHTS).map(Self::Weights),
        ];
        let mut all = of_positions(positions, between_keys, errors.between_keys);
        all.extend(surface.into_iter().flatten());
        all
    }

    /// The losses among the deviations of `source` packed as BSM2, whose runtime holds keys.
    #[must_use]
    pub fn all_of_packed(measured: &Deviation, source: &Model) -> Vec<Self> {
        let Some(worst) = measured.worst else { return Vec::new() };
        let most = measured.max_of_extent;
        let at_keys = measured.at_keys.map_or(most, |_| measured.max_of_extent_at_keys);
        let between_keys = Some(most).filter(|most| is_clearly_more(*most, at_keys));
        let played = worst.clip.map(|clip| BetweenKeys {
            source_holds: holds_keys(source.clip(clip)),
            written_holds: true,
        });
        of_positions(Some(at_keys), between_keys, played)
    }

    /// All codes.
    pub(super) const CODES: [&'static str; 5] = [
        "position-deviation",
        "deviation-between-keys",
        "normal-deviation",
        "uv-deviation",
        "weight-deviation",
    ];

    /// A stable kebab-case identifier.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Positions(_) => "position-deviation",
            Self::BetweenKeys { .. } => "deviation-between-keys",
            Self::Normals(_) => "normal-deviation",
            Self::Uvs(_) => "uv-deviation",
            Self::Weights(_) => "weight-deviation",
        }
    }
}

fn of_positions(
    at_keys: Option<f64>,
    between_keys: Option<f64>,
    played: Option<BetweenKeys>,
) -> Vec<LostPrecision> {
    let is_other = played.is_some_and(|played| played.source_holds != played.written_holds);
    let precision = if is_other { STEPS } else { POSITIONS };
    let at_keys = at_keys.filter(|share| *share > POSITIONS).map(LostPrecision::Positions);
    let between_keys = between_keys.filter(|share| *share > precision);
    let between_keys =
        between_keys.map(|of_extent| LostPrecision::BetweenKeys { of_extent, played });
    at_keys.into_iter().chain(between_keys).collect()
}

impl fmt::Display for LostPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions(share) => {
                write!(f, "vertices deviate by up to {} of the size", small_percent(*share))
            }
            Self::BetweenKeys { of_extent, played } => {
                let reason = match played {
                    Some(BetweenKeys { source_holds: true, written_holds: false }) => {
                        "steps between keys are blended: "
                    }
                    Some(BetweenKeys { source_holds: false, written_holds: true }) => {
                        "motion between keys becomes steps: "
                    }
                    _ => "",
                };
                let share = small_percent(*of_extent);
                write!(f, "{reason}vertices deviate by up to {share} of the size between keys")
            }
            Self::Normals(degrees) => {
                write!(f, "normals deviate by up to {}", numbers::degrees(*degrees))
            }
            Self::Uvs(tiles) => {
                write!(f, "UVs deviate by up to {}", numbers::significant(*tiles, 2))
            }
            Self::Weights(weight) => {
                write!(f, "weights deviate by {}", numbers::up_to_percent(*weight))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::deviation::testing::wave;

    #[test]
    fn blended_steps_are_a_loss_although_keys_are_exact() {
        let played = Some(BetweenKeys { source_holds: true, written_holds: false });
        let errors = ConversionDeviation { between_keys: played, ..wave(6.8, 2e-7, false) };
        let lost = LostPrecision::all_of(&errors);
        assert_eq!(lost, [LostPrecision::BetweenKeys { of_extent: 6.8, played }]);
        assert_eq!(
            lost[0].to_string(),
            "steps between keys are blended: vertices deviate by up to 680 % of the size between keys"
        );
    }

    #[test]
    fn rounding_is_no_loss() {
        assert!(LostPrecision::all_of(&wave(1.6e-5, 1.6e-5, false)).is_empty());
        assert!(LostPrecision::all_of(&wave(4e-4, 2e-4, false)).is_empty());
        let weight = Some(1.0 / 255.0);
        assert!(
            LostPrecision::all_of(&ConversionDeviation { weight, ..wave(0.0, 0.0, false) })
                .is_empty()
        );
    }

    #[test]
    fn deviations_at_keys_and_of_attributes_are_losses() {
        let errors = ConversionDeviation {
            weight: Some(0.34),
            uv: Some(0.1),
            normal_deg: Some(20.0),
            ..wave(0.018, 0.018, false)
        };
        let lost = LostPrecision::all_of(&errors);
        let expected = [
            LostPrecision::Positions(0.018),
            LostPrecision::Normals(20.0),
            LostPrecision::Uvs(0.1),
            LostPrecision::Weights(0.34),
        ];
        assert_eq!(lost, expected);
        let by_rule = ConversionDeviation { normal_rules_differ: true, ..errors };
        assert!(!LostPrecision::all_of(&by_rule).contains(&LostPrecision::Normals(20.0)));
    }

    #[test]
    fn the_motion_of_a_lost_clip_is_no_deviation() {
        assert!(LostPrecision::all_of(&wave(0.5, 0.0, true)).is_empty());
        let moved = ConversionDeviation { position: Some(0.2), ..wave(0.5, 0.0, true) };
        assert_eq!(LostPrecision::all_of(&moved), [LostPrecision::Positions(0.2)]);
    }
}
