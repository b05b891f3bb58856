//! ETC2 and EAC block decoder.
//!
//! Source: Khronos Data Format Specification 1.3, chapters 21 ("ETC1"), 22 ("ETC2"). Bit numbers
//! are those of the specification: 63 is the highest bit of the first byte. Implemented here
//! because no maintained crate decodes EAC: `texture2ddecoder` 0.1.2 reads its indices from the
//! wrong end (found with the split-sum tables of effects). For ETC2, tests compare with that crate.

use super::texel_format::Etc;

/// Texels of a block, row by row.
type Block = [[u8; 4]; 16];

const SMALL_AND_LARGE: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];
const EAC_STEPS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Decodes a surface to RGBA bytes; `bytes` must have as many blocks as the size requires.
pub(super) fn decode(kind: Etc, [width, height]: [u32; 2], bytes: &[u8]) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let mut out = vec![0; width * height * 4];
    let block_bytes = match kind {
        Etc::Rgb | Etc::RgbA1 | Etc::R11 => 8,
        Etc::Rgba | Etc::Rg11 => 16,
    };
    let blocks_wide = width.div_ceil(4);
    for (at, bytes) in bytes.chunks_exact(block_bytes).enumerate() {
        let (left, top) = (at % blocks_wide * 4, at / blocks_wide * 4);
        let block = block(kind, bytes);
        for (y, row) in block.chunks_exact(4).enumerate() {
            for (x, texel) in row.iter().enumerate() {
                let (x, y) = (left + x, top + y);
                if x < width && y < height {
                    out[(y * width + x) * 4..][..4].copy_from_slice(texel);
                }
            }
        }
    }
    out
}

fn block(kind: Etc, bytes: &[u8]) -> Block {
    let (words, _) = bytes.as_chunks::<8>();
    let word = |at: usize| words.get(at).map_or(0, |word| u64::from_be_bytes(*word));
    match kind {
        Etc::Rgb => color(word(0), false),
        Etc::RgbA1 => color(word(0), true),
        Etc::Rgba => {
            let mut block = color(word(1), false);
            let alpha = eac(word(0), |base, multiplier, step| (base + multiplier * step, 255));
            block.iter_mut().zip(alpha).for_each(|(texel, alpha)| texel[3] = alpha);
            block
        }
        Etc::R11 => eac(word(0), eleven_bits).map(|red| [red, 0, 0, u8::MAX]),
        Etc::Rg11 => {
            let green = eac(word(1), eleven_bits);
            let mut block = eac(word(0), eleven_bits).map(|red| [red, 0, 0, u8::MAX]);
            block.iter_mut().zip(green).for_each(|(texel, green)| texel[1] = green);
            block
        }
    }
}

/// An 11-bit value, and its maximum.
fn eleven_bits(base: i32, multiplier: i32, step: i32) -> (i32, i32) {
    let by = if multiplier == 0 { step } else { multiplier * 8 * step };
    (base * 8 + 4 + by, 2047)
}

/// 16 values of one channel; `value` computes one from base, multiplier and step, with the maximum.
fn eac(word: u64, value: impl Fn(i32, i32, i32) -> (i32, i32)) -> [u8; 16] {
    let (base, multiplier) = (bits(word, 63, 56), bits(word, 55, 52));
    let steps = row(&EAC_STEPS, bits(word, 51, 48));
    texels(|number| {
        let last = 45 - 3 * number;
        let (value, most) = value(base, multiplier, row(&steps, bits(word, last + 2, last)));
        byte((value.clamp(0, most) * 255 + most / 2) / most)
    })
}

/// Bits `first` down to `last` as a number.
fn bits(word: u64, first: u32, last: u32) -> i32 {
    let mask = (1u64 << (first - last + 1)) - 1;
    i32::try_from((word >> last) & mask).unwrap_or_default()
}

/// The table entry selected by a bit field, whose range matches the table.
fn row<T: Copy + Default>(table: &[T], at: i32) -> T {
    usize::try_from(at).ok().and_then(|at| table.get(at)).copied().unwrap_or_default()
}

/// Texel indices of the block, which go down the columns, in row order.
const NUMBERS: [u32; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// Evaluates `of` for each texel index; returns the results in row order.
fn texels<T>(of: impl Fn(u32) -> T) -> [T; 16] {
    std::array::from_fn(|at| of(NUMBERS[at]))
}

fn byte(value: i32) -> u8 {
    u8::try_from(value.clamp(0, 255)).unwrap_or(u8::MAX)
}

fn opaque(rgb: [i32; 3]) -> [u8; 4] {
    let [r, g, b] = rgb.map(byte);
    [r, g, b, u8::MAX]
}

/// Expands a `num`-bit value to 8 bits by repeating its highest bits.
fn widened(value: i32, num: u32) -> i32 {
    (value << (8 - num)) | (value >> (2 * num - 8))
}

fn color(word: u64, has_punch_through: bool) -> Block {
    // With one bit of alpha, the flag means that the block is opaque, and all blocks are
    // differential.
    let flag = bits(word, 33, 33) == 1;
    let sees_through = has_punch_through && !flag;
    if !flag && !has_punch_through {
        let base =
            |first: u32| [63, 55, 47].map(|at| widened(bits(word, at - first, at - first - 3), 4));
        return halves(word, [base(0), base(4)], false);
    }
    let first = [63, 55, 47].map(|at| bits(word, at, at - 4));
    let delta = [58, 50, 42].map(|at| (bits(word, at, at - 2) ^ 4) - 4);
    let second: [i32; 3] = std::array::from_fn(|at| first[at] + delta[at]);
    match second.iter().position(|value| !(0..32).contains(value)) {
        Some(0) => paints(word, of_t(word), sees_through),
        Some(1) => paints(word, of_h(word), sees_through),
        Some(_) => planar(word),
        None => halves(word, [first, second].map(|rgb| rgb.map(|v| widened(v, 5))), sees_through),
    }
}

/// The palette index of a texel, 0 to 3.
fn index(word: u64, number: u32) -> i32 {
    (bits(word, 16 + number, 16 + number) << 1) | bits(word, number, number)
}

/// Two halves, each with a base colour.
fn halves(word: u64, bases: [[i32; 3]; 2], sees_through: bool) -> Block {
    let is_flipped = bits(word, 32, 32) == 1;
    let steps = [bits(word, 39, 37), bits(word, 36, 34)].map(|at| row(&SMALL_AND_LARGE, at));
    texels(|number| {
        let (x, y) = (number / 4, number % 4);
        let half = usize::from(if is_flipped { y > 1 } else { x > 1 });
        let [small, large] = steps[half];
        let small = if sees_through { 0 } else { small };
        let step = match index(word, number) {
            0 => small,
            1 => large,
            2 if sees_through => return [0; 4],
            2 => -small,
            _ => -large,
        };
        opaque(bases[half].map(|value| value + step))
    })
}

/// A palette of four colours, one of them transparent if `sees_through`.
fn paints(word: u64, paints: [[i32; 3]; 4], sees_through: bool) -> Block {
    texels(|number| match index(word, number) {
        2 if sees_through => [0; 4],
        index => opaque(row(&paints, index)),
    })
}

fn shifted(rgb: [i32; 3], by: i32) -> [i32; 3] {
    rgb.map(|value| value + by)
}

fn of_t(word: u64) -> [[i32; 3]; 4] {
    let red = (bits(word, 60, 59) << 2) | bits(word, 57, 56);
    let one = [red, bits(word, 55, 52), bits(word, 51, 48)].map(|v| widened(v, 4));
    let two = [47, 43, 39].map(|at| widened(bits(word, at, at - 3), 4));
    let distance = row(&DISTANCES, (bits(word, 35, 34) << 1) | bits(word, 32, 32));
    [one, shifted(two, distance), two, shifted(two, -distance)]
}

fn of_h(word: u64) -> [[i32; 3]; 4] {
    let green = (bits(word, 58, 56) << 1) | bits(word, 52, 52);
    let blue = (bits(word, 51, 51) << 3) | bits(word, 49, 47);
    let one = [bits(word, 62, 59), green, blue];
    let two = [46, 42, 38].map(|at| bits(word, at, at - 3));
    // The order of the two colours determines the last bit of the distance.
    let distance = (bits(word, 34, 34) << 2) | (bits(word, 32, 32) << 1) | i32::from(one >= two);
    let distance = row(&DISTANCES, distance);
    let [one, two] = [one, two].map(|rgb| rgb.map(|v| widened(v, 4)));
    [
        shifted(one, distance),
        shifted(one, -distance),
        shifted(two, distance),
        shifted(two, -distance),
    ]
}

/// A linear gradient defined by the colours at the origin, to the right and below.
fn planar(word: u64) -> Block {
    let green = (bits(word, 56, 56) << 6) | bits(word, 54, 49);
    let blue = (bits(word, 48, 48) << 5) | (bits(word, 44, 43) << 3) | bits(word, 41, 39);
    let origin = [bits(word, 62, 57), green, blue];
    let right =
        [(bits(word, 38, 34) << 1) | bits(word, 32, 32), bits(word, 31, 25), bits(word, 24, 19)];
    let below = [bits(word, 18, 13), bits(word, 12, 6), bits(word, 5, 0)];
    let [origin, right, below] =
        [origin, right, below].map(|[r, g, b]| [widened(r, 6), widened(g, 7), widened(b, 6)]);
    texels(|number| {
        let (x, y) = ((number / 4).cast_signed(), (number % 4).cast_signed());
        let channel = |at: usize| {
            let (zero, right, below) = (origin[at], right[at] - origin[at], below[at] - origin[at]);
            (x * right + y * below + 4 * zero + 2) >> 2
        };
        opaque([channel(0), channel(1), channel(2)])
    })
}

#[cfg(test)]
mod tests;
