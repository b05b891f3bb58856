//! Reduces influences to four, and quantises their weights to bytes with the sum 255.

use crate::model::{Model, influence_row};

/// The number of influences in a packed vertex.
pub const MAX_PACKED_INFLUENCES: usize = 4;
/// The sum of stored weights.
const WEIGHT_SUM: u8 = 255;

/// The influences of one packed vertex, largest weight first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PackedInfluences {
    /// Unused slots are 0.
    pub bones: [u8; MAX_PACKED_INFLUENCES],
    /// Unused slots are 0 and last. All are zero only for a vertex without influences.
    pub weights: [u8; MAX_PACKED_INFLUENCES],
    /// Fraction of the weight that was dropped.
    pub dropped: f32,
}

/// Keeps the four largest influences of a vertex and stores them in bytes.
///
/// Weights round by largest remainder: each is off by less than one step, and their sum is 255.
#[must_use]
pub fn quantise_weights(influences: &[(u8, f32)]) -> PackedInfluences {
    let wide: Vec<(u32, f32)> = influences.iter().map(|&(b, w)| (u32::from(b), w)).collect();
    let quantised = quantise(&wide);
    PackedInfluences {
        // They were bytes originally.
        bones: quantised.bones.map(|b| u8::try_from(b).unwrap_or(u8::MAX)),
        weights: quantised.weights,
        dropped: quantised.dropped,
    }
}

/// Whether each bone still moves a vertex after influences are reduced to the number in a packed
/// vertex.
#[must_use]
pub fn used_when_packed(model: &Model) -> Vec<bool> {
    let mut is_used = vec![false; model.skeleton.len()];
    let mut influences: Vec<(u32, f32)> = Vec::new();
    for mesh in &model.meshes {
        for vertex in 0..mesh.num_vertices() {
            influences.clear();
            mesh.for_each_influence(vertex, |bone, weight| influences.push((bone.0, weight)));
            let quantised = quantise(&influences);
            let kept = quantised.bones.into_iter().zip(quantised.weights);
            for (bone, _) in kept.filter(|(_, weight)| *weight > 0) {
                if let Some(flag) = is_used.get_mut(bone as usize) {
                    *flag = true;
                }
            }
        }
    }
    is_used
}

/// [`PackedInfluences`] before bones have their stored numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Quantised {
    pub(super) bones: [u32; MAX_PACKED_INFLUENCES],
    pub(super) weights: [u8; MAX_PACKED_INFLUENCES],
    pub(super) dropped: f32,
}

/// [`quantise_weights`] for any number of bones. Weights that would round to 0 don't count as
/// dropped.
pub(super) fn quantise(influences: &[(u32, f32)]) -> Quantised {
    let mut out = Quantised::default();
    if let [(bone, weight)] = *influences {
        // The common case.
        if weight > 0.0 && weight.is_finite() {
            out.bones[0] = bone;
            out.weights[0] = WEIGHT_SUM;
        }
        return out;
    }
    let mut sorted: Vec<(u32, f32)> = Vec::with_capacity(influences.len());
    for &(bone, weight) in influences.iter().filter(|(_, w)| *w > 0.0) {
        influence_row::add(&mut sorted, bone, weight);
    }
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let least = 0.5 / f32::from(WEIGHT_SUM) * influence_row::sum(&sorted);
    // The first influence always stays, even if many share a vertex.
    let num_worth = sorted.iter().take_while(|(_, w)| *w >= least).count();
    sorted.truncate(num_worth.max(MAX_PACKED_INFLUENCES));
    let total = influence_row::sum(&sorted);
    sorted.truncate(MAX_PACKED_INFLUENCES);
    let kept = influence_row::sum(&sorted);
    if kept <= 0.0 || !kept.is_finite() {
        return out;
    }
    out.dropped = ((total - kept) / total).max(0.0);
    let mut shares = [0.0; MAX_PACKED_INFLUENCES];
    for (share, (_, weight)) in shares.iter_mut().zip(&sorted) {
        *share = f64::from(weight / kept * f32::from(WEIGHT_SUM));
    }
    influence_row::round_to_sum(&mut shares, f64::from(WEIGHT_SUM));
    #[expect(clippy::cast_possible_truncation, reason = "a share of 255")]
    #[expect(clippy::cast_sign_loss, reason = "weights are positive")]
    let mut slots: Vec<(u8, u32)> =
        shares.iter().zip(&sorted).map(|(share, (bone, _))| (*share as u8, *bone)).collect();
    slots.sort_by_key(|slot| std::cmp::Reverse(slot.0));
    slots.retain(|(weight, _)| *weight > 0);
    for (at, (weight, bone)) in slots.into_iter().enumerate() {
        (out.weights[at], out.bones[at]) = (weight, bone);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::Random;

    #[test]
    fn weights_sum_to_255_and_deviate_by_less_than_one_step() {
        let mut random = Random(1);
        for num in 1..=4usize {
            for _ in 0..2000 {
                let list: Vec<(u8, f32)> =
                    (0..num).map(|b| (u8::try_from(b).unwrap(), random.unit() + 1e-3)).collect();
                let total: f32 = list.iter().map(|(_, w)| w).sum();
                let packed = quantise_weights(&list);
                assert_eq!(packed.weights.iter().map(|&w| u32::from(w)).sum::<u32>(), 255);
                for (bone, weight) in list {
                    let slots = packed.bones.iter().zip(packed.weights);
                    let stored: u8 = slots.filter(|(b, _)| **b == bone).map(|(_, w)| w).sum();
                    assert!((f32::from(stored) - weight / total * 255.0).abs() < 1.0);
                }
            }
        }
    }

    #[test]
    fn the_four_largest_influences_remain_and_the_loss_is_reported() {
        let packed = quantise_weights(&[(1, 0.1), (2, 0.3), (3, 0.2), (4, 0.25), (5, 0.15)]);
        assert_eq!(packed.bones, [2, 4, 3, 5]);
        assert!((packed.dropped - 0.1).abs() < 1e-6);
    }

    #[test]
    fn repeated_bones_are_merged_and_zero_weights_stay_zero() {
        let packed = quantise_weights(&[(7, 0.5), (7, 0.5)]);
        assert_eq!((packed.bones, packed.weights), ([7, 0, 0, 0], [255, 0, 0, 0]));
        assert_eq!(quantise_weights(&[(3, 0.0)]).weights, [0; 4]);
    }

    #[test]
    fn thirds_round_by_largest_remainder() {
        let packed = quantise_weights(&[(0, 1.0), (1, 1.0), (2, 1.0)]);
        assert_eq!(packed.weights, [85, 85, 85, 0]);
        assert_eq!(quantise_weights(&[(0, 0.5), (1, 0.5)]).weights, [128, 127, 0, 0]);
    }
}
