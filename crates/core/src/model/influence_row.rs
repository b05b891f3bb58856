//! Operations on the influences of one vertex: pairs of a slot, or a bone, and a weight.

/// The sum of the weights.
#[must_use]
pub fn sum<K>(row: &[(K, f32)]) -> f32 {
    row.iter().map(|(_, weight)| weight).sum()
}

/// Divides weights by their sum, unless it is 0.
pub fn normalize<K>(row: &mut [(K, f32)]) {
    let sum = sum(row);
    if sum > 0.0 {
        row.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
}

/// Adds `weight` to the entry of `key`, which is appended if it is missing.
pub fn add<K: PartialEq>(row: &mut Vec<(K, f32)>, key: K, weight: f32) {
    match row.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += weight,
        None => row.push((key, weight)),
    }
}

/// Sorts by weight, largest first, and keeps the first `num` entries.
pub fn keep_heaviest<K>(row: &mut Vec<(K, f32)>, num: usize) {
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    row.truncate(num);
}

/// Rounds `shares`, whose sum is `sum`, to integers with the same sum: those with the largest fractions are rounded
/// up (the largest remainder method).
pub fn round_to_sum(shares: &mut [f64], sum: f64) {
    let mut left = sum - shares.iter().map(|share| share.floor()).sum::<f64>();
    while left >= 0.5 {
        // `max_by` returns the last of equal fractions.
        let fractions = shares.iter_mut().rev().filter(|share| share.fract() > 0.0);
        let Some(share) = fractions.max_by(|a, b| a.fract().total_cmp(&b.fract())) else { break };
        *share = share.ceil();
        left -= 1.0;
    }
    shares.iter_mut().for_each(|share| *share = share.floor());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_round_by_largest_remainder_and_the_first_of_equal_ones_rounds_up() {
        let rounded = |mut shares: [f64; 3], sum| {
            round_to_sum(&mut shares, sum);
            shares
        };
        assert_eq!(rounded([1.4, 1.6, 1.0], 4.0), [1.0, 2.0, 1.0]);
        assert_eq!(rounded([0.5, 0.0, 2.5], 3.0), [1.0, 0.0, 2.0]);
        assert_eq!(rounded([0.7, 0.7, 0.6], 2.0), [1.0, 1.0, 0.0]);
        assert_eq!(rounded([3.0, 0.0, 0.0], 3.0), [3.0, 0.0, 0.0]);
    }

    #[test]
    fn weights_are_added_reduced_and_normalized() {
        let mut row = Vec::new();
        for (slot, weight) in [(3, 0.5), (1, 0.25), (3, 1.0), (2, 0.5)] {
            add(&mut row, slot, weight);
        }
        assert_eq!(row, [(3, 1.5), (1, 0.25), (2, 0.5)]);
        keep_heaviest(&mut row, 2);
        normalize(&mut row);
        assert_eq!(row, [(3, 0.75), (2, 0.25)]);
        let mut empty = [(0, 0.0)];
        normalize(&mut empty);
        assert_eq!(empty, [(0, 0.0)]);
    }
}
