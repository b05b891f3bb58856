//! Checker textures: the one for missing textures, and the one that shows UVs.

use super::pixels::MipLevel;

/// In pixels.
const SIDE: u32 = 512;
/// Squares per side.
const SQUARES: u32 = 16;

/// For missing textures: a colour that isn't mistaken for a real texture.
pub(super) fn missing() -> MipLevel {
    squares(|x, y| match (x + y) % 2 {
        0 => [255, 0, 255, 255],
        _ => [40, 8, 40, 255],
    })
}

/// Shows stretching and orientation: grey squares that get redder with u and greener with v, downwards.
pub(super) fn uv() -> MipLevel {
    let ramp = |at: u32, from: u32, to: u32| {
        let value = from + (to - from) * at / (SQUARES - 1);
        u8::try_from(value).unwrap_or(u8::MAX)
    };
    squares(|x, y| match (x + y) % 2 {
        0 => [ramp(x, 150, 240), ramp(y, 150, 240), 195, 255],
        _ => [ramp(x, 55, 110), ramp(y, 55, 110), 80, 255],
    })
}

fn squares(color: impl Fn(u32, u32) -> [u8; 4]) -> MipLevel {
    let square = SIDE / SQUARES;
    let texel = |at: u32| color(at % SIDE / square, at / SIDE / square);
    MipLevel { width: SIDE, height: SIDE, rgba8: (0..SIDE * SIDE).flat_map(texel).collect() }
}
