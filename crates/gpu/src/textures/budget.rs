//! Memory limits for all textures of a model, on the device and during decoding.
//!
//! Not for: single images, which [`super::decode`] limits separately.

use std::ops::Range;

/// Limit on all textures with their mip levels.
pub(super) const MAX_TOTAL_BYTES: u64 = 640 << 20;
/// Limit on the decoded images in memory, unless a single one is larger.
const MAX_BATCH_BYTES: u64 = 256 << 20;
const TEXEL_BYTES: u64 = 4;

/// Bytes of a texture with all mip levels, which add a third.
fn chain_bytes(num_texels: u64) -> u64 {
    let level = num_texels.saturating_mul(TEXEL_BYTES);
    level.saturating_add(level / 3)
}

/// For each image, how often its sides are halved so that all textures fit in [`MAX_TOTAL_BYTES`]. The
/// largest images are halved first.
pub(super) fn halvings(num_texels: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut left: Vec<u64> = num_texels.collect();
    let mut halvings = vec![0; left.len()];
    let mut total: u64 = left.iter().fold(0, |sum, num| sum.saturating_add(chain_bytes(*num)));
    let mut most = left.iter().copied().max().unwrap_or(0);
    while total > MAX_TOTAL_BYTES && most > 1 {
        // Images of about the same size are halved together, so that equal images are treated equally.
        most /= 4;
        for (num, halvings) in left.iter_mut().zip(&mut halvings) {
            while *num > most.max(1) {
                total = total.saturating_sub(chain_bytes(*num));
                *num = (*num / 4).max(1);
                total = total.saturating_add(chain_bytes(*num));
                *halvings += 1;
            }
        }
    }
    halvings
}

/// Ranges of images to decode together, in order.
pub(super) struct Batches {
    sizes: Vec<u64>,
    next: usize,
    max_images: usize,
}

impl Batches {
    /// Batches of at most `max_images` images of these sizes in bytes.
    pub(super) fn of(sizes: impl Iterator<Item = u64>, max_images: usize) -> Self {
        Self { sizes: sizes.collect(), next: 0, max_images: max_images.max(1) }
    }
}

impl Iterator for Batches {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.next;
        let mut num_bytes = *self.sizes.get(first)?;
        self.next += 1;
        while let Some(size) = self.sizes.get(self.next)
            && self.next - first < self.max_images
            && num_bytes.saturating_add(*size) <= MAX_BATCH_BYTES
        {
            num_bytes += size;
            self.next += 1;
        }
        Some(first..self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(num_texels: &[u64]) -> u64 {
        let halvings = halvings(num_texels.iter().copied());
        let left = num_texels.iter().zip(halvings);
        left.map(|(num, halvings)| chain_bytes(num >> (2 * halvings))).sum()
    }

    #[test]
    fn textures_within_the_budget_are_not_halved() {
        assert_eq!(halvings([].into_iter()), [0u32; 0]);
        assert_eq!(halvings([4096 * 4096; 7].into_iter()), [0; 7]);
        assert_eq!(halvings([8192 * 8192].into_iter()), [0]);
    }

    #[test]
    fn the_largest_are_halved_first_and_equal_ones_together() {
        assert_eq!(halvings([8192 * 8192; 6].into_iter()), [1; 6]);
        let mixed = [8192 * 8192, 512 * 512, 8192 * 8192, 2048 * 2048];
        assert_eq!(halvings(mixed.into_iter()), [1, 0, 1, 0]);
        for sizes in [vec![8192 * 8192; 40], vec![1 << 28; 1000], vec![3; 1 << 20]] {
            assert!(total(&sizes) <= MAX_TOTAL_BYTES, "{}", sizes.len());
        }
    }

    #[test]
    fn batches_contain_all_images_in_order_within_the_limits() {
        let batches =
            |sizes: &[u64], max| Batches::of(sizes.iter().copied(), max).collect::<Vec<_>>();
        assert_eq!(batches(&[], 4), []);
        assert_eq!(batches(&[1, 1, 1], 2), [0..2, 2..3]);
        let large = 200 << 20;
        assert_eq!(batches(&[large, large, 1, 300 << 20, 1], 4), [0..1, 1..3, 3..4, 4..5]);
        assert_eq!(batches(&[u64::MAX, u64::MAX], 9), [0..1, 1..2]);
    }
}
