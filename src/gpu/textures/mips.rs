//! Smaller and smaller copies of an image, for surfaces seen from afar.
//!
//! Each texel is the mean of what it covers, taken in linear light for colours.

use std::sync::OnceLock;

use super::pixels::{Pixels, Space};
use crate::gpu::srgb::{linear_from_srgb, srgb_from_linear};

/// `largest` and its halves down to a single texel.
pub(super) fn chain(largest: Pixels, space: Space) -> Vec<Pixels> {
    let mut levels = vec![largest];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        let next = halved(last, space);
        levels.push(next);
    }
    levels
}

/// What one texel covers on one axis of the larger image: the first source and up to three weights.
struct Taps {
    first: usize,
    weights: [f32; 3],
    num: usize,
}

/// Steps of linear light that are distinguished when it is encoded again: fine enough for each byte
/// to come back as itself.
const STEPS: usize = 1 << 16;

struct Tables {
    linear_of: [f32; 256],
    srgb_of: Vec<u8>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables {
        linear_of: std::array::from_fn(|byte| {
            linear_from_srgb(u8::try_from(byte).unwrap_or(u8::MAX))
        }),
        srgb_of: (0..STEPS)
            .map(|step| srgb_from_linear(step as f32 / (STEPS - 1) as f32))
            .collect(),
    })
}

fn halved(large: &Pixels, space: Space) -> Pixels {
    let (width, height) = ((large.width / 2).max(1), (large.height / 2).max(1));
    let tables = tables();
    let (texels, _) = large.rgba8.as_chunks::<4>();
    let columns = taps(large.width, width);
    let mut rgba8 = Vec::with_capacity(width as usize * height as usize * 4);
    for row in taps(large.height, height) {
        for column in &columns {
            let mut sum = [0.0f32; 4];
            for (y, wy) in (row.first..).zip(&row.weights[..row.num]) {
                let start = y * large.width as usize + column.first;
                let covered = texels.get(start..start + column.num).unwrap_or_default();
                for (texel, wx) in covered.iter().zip(&column.weights) {
                    let weight = wx * wy;
                    for (channel, (sum, &byte)) in sum.iter_mut().zip(texel).enumerate() {
                        let value = match space == Space::Srgb && channel < 3 {
                            true => tables.linear_of[usize::from(byte)],
                            false => f32::from(byte) / 255.0,
                        };
                        *sum += weight * value;
                    }
                }
            }
            let [r, g, b, a] = sum;
            let color = |value: f32| match space {
                Space::Srgb => tables.srgb_of[step(value, STEPS - 1)],
                Space::Linear => byte(value),
            };
            rgba8.extend_from_slice(&[color(r), color(g), color(b), byte(a)]);
        }
    }
    Pixels { width, height, rgba8 }
}

/// `value` of 0..=1 on a scale that ends at `last`.
#[expect(clippy::cast_possible_truncation, reason = "rounded from 0..=last")]
#[expect(clippy::cast_sign_loss, reason = "rounded from 0..=last")]
fn step(value: f32, last: usize) -> usize {
    ((value * last as f32).round() as usize).min(last)
}

/// The byte nearest to a value of 0..=1.
pub(super) fn byte(value: f32) -> u8 {
    u8::try_from(step(value, 255)).unwrap_or(u8::MAX)
}

/// For each of `small` texels, what it covers of `large`: exactly two where the side is even, three
/// with unequal weights where it is odd.
fn taps(large: u32, small: u32) -> Vec<Taps> {
    let (large, small) = (large as usize, small as usize);
    let cover = large as f32 / small as f32;
    let tap = |at: usize| {
        // In units of a `small`th of a texel, so that all is exact.
        let (start, end) = (at * large, (at + 1) * large);
        let first = start / small;
        let num = (end.div_ceil(small) - first).min(3);
        let mut weights = [0.0; 3];
        for (source, weight) in (first..).zip(&mut weights[..num]) {
            let covered = end.min((source + 1) * small) - start.max(source * small);
            *weight = covered as f32 / small as f32 / cover;
        }
        Taps { first, weights, num }
    };
    (0..small).map(tap).collect()
}
