//! Evenly spaced samples of a range.

/// At most `most` numbers of `0..num`, evenly spaced, including the first and the last.
pub fn spread(num: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = num.min(most);
    let steps = taken.saturating_sub(1).max(1);
    // Equals at * (num - 1) / steps, which would overflow for the frames of a clip with an absurd
    // duration.
    let (whole, rest) = (num.saturating_sub(1) / steps, num.saturating_sub(1) % steps);
    (0..taken).map(move |at| at * whole + at * rest / steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_includes_both_ends_without_repetitions() {
        let of = |num, most| spread(num, most).collect::<Vec<_>>();
        assert!(of(0, 4).is_empty());
        assert_eq!(of(1, 4), [0]);
        assert_eq!(of(3, 4), [0, 1, 2]);
        assert_eq!(of(10, 4), [0, 3, 6, 9]);
        assert_eq!(of(10, 1), [0]);
        assert_eq!(of(usize::MAX, 3), [0, usize::MAX / 2, usize::MAX - 1]);
    }
}
