//! A histogram.

/// Number of equal steps from 0 to the largest value.
pub const HISTOGRAM_STEPS: usize = 40;

/// Counts of values in equal steps from 0 to the largest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// The largest value; 0 without values.
    pub max: f32,
    /// Mean of all values.
    pub mean: f64,
    /// Number of values per step; empty without values.
    pub counts: Vec<u32>,
}

impl Histogram {
    /// Counts the finite ones of `values`, which must not be negative.
    pub fn of(values: &[f32]) -> Self {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let max = finite().fold(0.0, f32::max);
        let (mut sum, mut num) = (0.0f64, 0u64);
        let mut counts = vec![0u32; HISTOGRAM_STEPS];
        let last = HISTOGRAM_STEPS - 1;
        for value in finite() {
            let share = if max > 0.0 { value / max } else { 0.0 };
            #[expect(clippy::cast_possible_truncation, reason = "clamped to the steps")]
            #[expect(clippy::cast_sign_loss, reason = "clamped to the steps")]
            let step = (share.clamp(0.0, 1.0) * HISTOGRAM_STEPS as f32) as usize;
            if let Some(count) = counts.get_mut(step.min(last)) {
                *count += 1;
            }
            (sum, num) = (sum + f64::from(value), num + 1);
        }
        if num == 0 {
            return Self::default();
        }
        Self { max, mean: sum / num as f64, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_into_bins_and_non_finite_values_are_ignored() {
        let values = [0.0, 0.0, 1.0, 2.0, f32::NAN, f32::INFINITY];
        let histogram = Histogram::of(&values);
        assert_eq!(histogram.max, 2.0);
        assert_eq!(histogram.mean, 0.75);
        assert_eq!(histogram.counts[0], 2);
        assert_eq!(histogram.counts[HISTOGRAM_STEPS / 2], 1);
        assert_eq!(histogram.counts[HISTOGRAM_STEPS - 1], 1);
        assert_eq!(histogram.counts.iter().sum::<u32>(), 4);
        assert_eq!(Histogram::of(&[f32::NAN]), Histogram::default());
        assert_eq!(Histogram::of(&[0.0; 3]).counts[0], 3);
    }
}
