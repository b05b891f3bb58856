//! Checkers: what is shown where a texture is missing, and what shows how texture coordinates lie.

use super::pixels::MipLevel;

/// Pixels of a side.
const SIDE: u32 = 512;
/// Squares on a side.
const SQUARES: u32 = 16;

/// For what is missing: a colour that no texture has by chance.
pub(super) fn missing() -> MipLevel {
    squares(|x, y| match (x + y) % 2 {
        0 => [255, 0, 255, 255],
        _ => [40, 8, 40, 255],
    })
}

/// For stretch and orientation: grey squares whose columns get redder with u and whose rows get
/// greener downwards with v.
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
