//! Mip levels.
//!
//! Each texel is the mean of the texels it covers, in linear light for colours. If alpha cuts or blends,
//! colours are weighted by alpha (premultiplied), and invisible texels get the colour of visible ones
//! around them, so that filtering doesn't bleed hidden colours into edges.

use std::sync::OnceLock;

use super::pixels::{ColorSpace, MipLevel};
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use rigscope_core::model::AlphaMode;

/// `largest` and its smaller levels down to a single texel.
pub(super) fn chain(largest: MipLevel, space: ColorSpace, alpha: AlphaMode) -> Vec<MipLevel> {
    let is_seen_through = alpha != AlphaMode::Opaque && alphas(&largest).any(|a| a < u8::MAX);
    let mut levels = vec![largest];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        let next = halved(last, space, is_seen_through);
        levels.push(next);
    }
    if is_seen_through {
        color_what_is_not_seen(&mut levels);
        if let AlphaMode::Mask(cutoff) = alpha {
            keep_coverage(&mut levels, cutoff);
        }
    }
    levels
}

fn alphas(pixels: &MipLevel) -> impl Iterator<Item = u8> {
    pixels.rgba8.as_chunks::<4>().0.iter().map(|texel| texel[3])
}

/// Gives texels with zero alpha their colour in the next smaller level.
fn color_what_is_not_seen(levels: &mut [MipLevel]) {
    for at in (1..levels.len()).rev() {
        let (large, small) = levels.split_at_mut(at);
        let (Some(large), Some(small)) = (large.last_mut(), small.first()) else { return };
        let (colors, _) = small.rgba8.as_chunks::<4>();
        let (texels, _) = large.rgba8.as_chunks_mut::<4>();
        for (number, texel) in texels.iter_mut().enumerate().filter(|(_, texel)| texel[3] == 0) {
            let (x, y) = (number % large.width as usize, number / large.width as usize);
            let place = |at: usize, large: u32, small: u32| at * small as usize / large as usize;
            let (x, y) = (place(x, large.width, small.width), place(y, large.height, small.height));
            if let Some([r, g, b, _]) = colors.get(y * small.width as usize + x) {
                texel[..3].copy_from_slice(&[*r, *g, *b]);
            }
        }
    }
}

/// Scales the alpha of smaller levels so that the same share of texels passes the cutoff as in the largest:
/// foliage doesn't get thinner with distance.
/// Source: Ignacio Castaño, Computing Alpha Mipmaps (2010).
fn keep_coverage(levels: &mut [MipLevel], cutoff: f32) {
    let Some((largest, smaller)) = levels.split_first_mut() else { return };
    let passing = alphas(largest).filter(|a| f32::from(*a) / 255.0 >= cutoff).count();
    let share = passing as f32 / largest.rgba8.len().max(4) as f32 * 4.0;
    for level in smaller {
        let mut sorted: Vec<u8> = alphas(level).collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let wanted = step(share, sorted.len());
        let Some(least) = wanted.checked_sub(1).and_then(|last| sorted.get(last)) else { continue };
        if *least == 0 {
            continue;
        }
        // Rounded up, so that a texel exactly at the cutoff passes.
        let scale = (cutoff * 255.0).ceil() / f32::from(*least);
        for texel in level.rgba8.as_chunks_mut::<4>().0 {
            texel[3] = byte((f32::from(texel[3]) / 255.0 * scale).min(1.0));
        }
    }
}

/// The texels of the larger image that one texel covers on one axis: the first one and up to three weights.
struct Taps {
    first: usize,
    weights: [f32; 3],
    num: usize,
}

/// Resolution of the linear-to-sRGB table: fine enough for each byte to survive a round trip.
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

fn halved(large: &MipLevel, space: ColorSpace, is_seen_through: bool) -> MipLevel {
    let (width, height) = ((large.width / 2).max(1), (large.height / 2).max(1));
    let tables = tables();
    let (texels, _) = large.rgba8.as_chunks::<4>();
    let columns = taps(large.width, width);
    let mut rgba8 = Vec::with_capacity(width as usize * height as usize * 4);
    for row in taps(large.height, height) {
        for column in &columns {
            let mut sum = [0.0f32; 4];
            let mut shares = 0.0f32;
            for (y, wy) in (row.first..).zip(&row.weights[..row.num]) {
                let start = y * large.width as usize + column.first;
                let covered = texels.get(start..start + column.num).unwrap_or_default();
                for (texel, wx) in covered.iter().zip(&column.weights) {
                    let weight = wx * wy;
                    let share = if is_seen_through { weight * f32::from(texel[3]) } else { weight };
                    shares += share;
                    for (channel, (sum, &byte)) in sum.iter_mut().zip(texel).enumerate() {
                        let value = if space == ColorSpace::Srgb && channel < 3 {
                            tables.linear_of[usize::from(byte)]
                        } else {
                            f32::from(byte) / 255.0
                        };
                        *sum += if channel < 3 { share } else { weight } * value;
                    }
                }
            }
            let [r, g, b, a] = if is_seen_through && shares > 0.0 {
                [sum[0] / shares, sum[1] / shares, sum[2] / shares, sum[3]]
            } else {
                sum
            };
            let color = |value: f32| match space {
                ColorSpace::Srgb => tables.srgb_of[step(value, STEPS - 1)],
                ColorSpace::Linear => byte(value),
            };
            rgba8.extend_from_slice(&[color(r), color(g), color(b), byte(a)]);
        }
    }
    MipLevel { width, height, rgba8 }
}

/// `value`, 0..=1, as an index in 0..=`last`.
#[expect(clippy::cast_possible_truncation, reason = "rounded from 0..=last")]
#[expect(clippy::cast_sign_loss, reason = "rounded from 0..=last")]
fn step(value: f32, last: usize) -> usize {
    ((value * last as f32).round() as usize).min(last)
}

/// The byte nearest to a value of 0..=1.
pub(super) fn byte(value: f32) -> u8 {
    u8::try_from(step(value, 255)).unwrap_or(u8::MAX)
}

/// For each of `small` texels, the texels it covers of `large`: two if the side is even, three with unequal
/// weights if it is odd.
fn taps(large: u32, small: u32) -> Vec<Taps> {
    let (large, small) = (large as usize, small as usize);
    let cover = large as f32 / small as f32;
    let tap = |at: usize| {
        // In units of 1/`small` texel, to be exact.
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
