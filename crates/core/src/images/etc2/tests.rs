//! Compares with another decoder, and with manual results where that decoder is wrong.

use super::*;
use crate::images::testing::random_numbers;

/// The surface as decoded by `texture2ddecoder`.
fn other(kind: Etc, side: usize, bytes: &[u8]) -> Vec<u8> {
    let decode = match kind {
        Etc::Rgb => texture2ddecoder::decode_etc2_rgb,
        Etc::RgbA1 => texture2ddecoder::decode_etc2_rgba1,
        _ => texture2ddecoder::decode_etc2_rgba8,
    };
    let mut out = vec![0u32; side * side];
    decode(bytes, side, side, &mut out).unwrap();
    let rgba = out.iter().flat_map(|texel| {
        let [b, g, r, a] = texel.to_le_bytes();
        // Transparent texels have no colour in the format, but that decoder returns one.
        if a == 0 && kind == Etc::RgbA1 { [0; 4] } else { [r, g, b, a] }
    });
    rgba.collect()
}

#[test]
fn random_blocks_of_every_mode_match_another_decoder() {
    let mut random = random_numbers();
    const SIDE: usize = 250;
    let num_blocks = SIDE.div_ceil(4) * SIDE.div_ceil(4);
    for kind in [Etc::Rgb, Etc::RgbA1, Etc::Rgba] {
        let words = if kind == Etc::Rgba { 2 } else { 1 };
        let bytes: Vec<u8> = (0..num_blocks * words).flat_map(|_| random().to_le_bytes()).collect();
        let side = u32::try_from(SIDE).unwrap();
        let own = decode(kind, [side, side], &bytes);
        let other = other(kind, SIDE, &bytes);
        let far = own.iter().zip(&other).filter(|(own, other)| own != other).count();
        assert_eq!(far, 0, "{kind:?}: {far} of {}", own.len());
    }
}

#[test]
fn eac_channels_decode_base_multiplier_and_table() {
    // Base 100, multiplier 2, table 13; indices 0 to 7 twice, starting at the highest bits.
    let indices: u64 = (0..16u64).fold(0, |bits, at| (bits << 3) | (at % 8));
    let word = (100 << 56) | (2 << 52) | (13 << 48) | indices;
    let steps = [-1, -2, -3, -10, 0, 1, 2, 9];
    let eleven =
        |step: i32| f64::from((100 * 8 + 4 + 2 * 8 * step).clamp(0, 2047)) / 2047.0 * 255.0;
    let block = decode(Etc::R11, [4, 4], &word.to_be_bytes());
    for x in 0..4 {
        for y in 0..4 {
            // Texels go down the columns.
            let wanted = eleven(steps[(x * 4 + y) % 8]);
            let found = f64::from(block[(y * 4 + x) * 4]);
            assert!((found - wanted).abs() <= 0.5, "{x} {y}: {found} {wanted}");
        }
    }
    let two =
        [word.to_be_bytes(), ((255u64 << 56) | (15 << 52) | (5 << 48)).to_be_bytes()].concat();
    let block = decode(Etc::Rg11, [4, 4], &two);
    assert_eq!(block[..4], [98, 210, 0, 255]);
    // 8-bit alpha without a multiplier: equal to the base.
    let alpha = [((77u64 << 56) | indices).to_be_bytes(), [0; 8]].concat();
    assert!(decode(Etc::Rgba, [4, 4], &alpha).iter().skip(3).step_by(4).all(|&a| a == 77));
}
